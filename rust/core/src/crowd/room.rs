//! Arrived or blocked: whether agents that rest short of their place are in the room that their group fills.
//!
//! In a jam all settle where they are, however much room there is before the first. In each round of handing out places, an agent that
//! rests short of its place goes on when no other rests right before it. Otherwise it counts as arrived when it is in the room of its group: the
//! cells of least path cost that hold all bodies. Beyond, it is blocked.

use super::agent::{Mind, SHUFFLES};
use super::behaviour::{Behaviour, Cause};
use super::body::Body;
use super::ground::CrowdGround;
use super::guide::PATH_GUIDE;
use super::progress::{Event, announce, tell_blocked};
use super::slots::{Taken, cells_within};
use super::state::Crowd;
use super::sweep::Frame;
use super::vector::minus;
use super::wish::to_goal;

/// The part of a room that the squares around bodies fill.
const DENSITY: f32 = 0.6;
/// The rim of a disc with this density, in radii of the disc that the squares fill without gaps: 1 / √0.6.
const OPEN: f32 = 1.29;
/// Those up to so many times the rim have arrived: cells are coarse, and bodies of three sizes leave gaps.
const ROOMY: f32 = 1.2;
/// So many of its radii from its goal, an agent has arrived beside the first.
const BESIDE: f32 = 4.0;
/// No nearer to its place for so long, an agent may count as arrived on the way to it, in milliseconds.
const WAITS: u16 = 500;
/// An agent goes on when there is room for it so many of its radii ahead.
const AHEAD: f32 = 2.1;
/// What going on once more counts of the time that an agent may close up, in milliseconds.
const TRY: u16 = 5000;
/// Cost units of a cell.
const UNITS: f32 = 70.0;

/// The rims of the rooms that groups fill, as far as they were asked for in this round.
#[derive(Default)]
pub(super) struct Rims(Vec<(u32, f32)>);

impl Crowd {
    /// Finds out what those are that rest around the goals of fields, or are held up on the way to their place there.
    pub(super) fn judge(
        &mut self,
        ground: &CrowdGround<'_>,
        taken: &Taken,
        rims: &mut Rims,
        events: &mut Vec<Event>,
    ) {
        for place in 0..self.minds.len() {
            let (mind, body) = (&self.minds[place], &self.bodies[place]);
            if !mind.is_to_be_judged() || ground.field(mind.guide).is_none() {
                continue;
            }
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let left = to_goal(ground, &self.routes, &frame, mind, body.at);
            let is_there = self.is_in_room(mind.guide, body.radius, left, ground, rims);
            let goes_on = || mind.shuffled < SHUFFLES && is_free_ahead(ground, &frame, mind, body, taken);
            let goes_on = !is_there && mind.behaviour() == Behaviour::Settled && goes_on();
            let mind = &mut self.minds[place];
            match () {
                () if is_there => announce(mind, events),
                () if goes_on => mind.go_on(),
                () if mind.behaviour() == Behaviour::Settled => tell_blocked(mind, events),
                () => {}
            }
        }
    }

    /// Whether a body at a place from which it is so far to the goal of `guide`, in cells, is in the room that its group fills.
    pub(super) fn is_in_room(
        &self,
        guide: u32,
        radius: f32,
        left: f32,
        ground: &CrowdGround<'_>,
        rims: &mut Rims,
    ) -> bool {
        // No room has a nearer rim than a disc on open ground, and a few fill none.
        if left <= (ROOMY * OPEN * self.reaches.of(guide)).max(BESIDE * radius) {
            return true;
        }
        let group = ground.group(guide, &self.routes);
        let known = rims.0.iter().find(|(of, _)| *of == group).map(|(_, rim)| *rim);
        let rim = known.unwrap_or_else(|| {
            let rim = self.rim(group, ground);
            rims.0.push((group, rim));
            rim
        });
        left <= ROOMY * rim
    }

    /// The path cost within which the cells around a group's goal hold its bodies, in cells: by the kind that has the most room.
    fn rim(&self, group: u32, ground: &CrowdGround<'_>) -> f32 {
        let is_its = |guide: &u32| self.areas.has(*guide) && ground.group(*guide, &self.routes) == group;
        let guides = (0..ground.fields.len() as u32).filter(is_its);
        let rims = guides.filter_map(|guide| {
            let field = ground.field(guide)?.field.exact_part();
            let reach = self.reaches.of(guide);
            let needed = (reach * reach * std::f32::consts::PI / DENSITY) as usize;
            let mut limit = (reach * UNITS * 1.5) as u32 + 70;
            loop {
                let (cells, is_all) = cells_within(field, limit);
                if let Some(last) = cells.get(needed) {
                    return Some(last.0 as f32 / UNITS);
                }
                if is_all {
                    return None;
                }
                limit = limit.saturating_mul(2);
            }
        });
        rims.fold(f32::INFINITY, f32::min)
    }
}

impl Mind {
    /// Whether it rests short of its place by a field, or is held up on the way to one in the room, and was not told as arrived.
    pub(super) fn is_to_be_judged(&self) -> bool {
        let rests_short = self.has(Self::SHORT) && self.behaviour() == Behaviour::Settled;
        let closes_up = self.is_around() && !self.has(Self::SHORT) && self.held >= WAITS;
        let has_given_up = self.has(Self::TOLD_BLOCKED) && self.shuffled >= SHUFFLES;
        (rests_short && !has_given_up || closes_up && !self.behaviour().rests())
            && !self.has(Self::ANNOUNCED | Self::PAUSED | Self::ASKS)
            && self.guide & PATH_GUIDE == 0
            && self.thrown == 0
    }

    /// Goes on from where it rested short of its place.
    fn go_on(&mut self) {
        self.set(Self::SHORT | Self::HAS_SLOT, false);
        self.meet(Cause::Ordered);
        self.look_anew();
        self.shuffled = self.shuffled.saturating_add(TRY);
    }
}

/// Whether no other agent rests right before this one on its way.
fn is_free_ahead(ground: &CrowdGround<'_>, frame: &Frame, mind: &Mind, body: &Body, taken: &Taken) -> bool {
    let Some(field) = ground.field(mind.guide) else { return false };
    let place = minus(body.at, frame.half);
    let (x, y) = field.field.sample(place[0], place[1]);
    let ahead = [body.at[0] + x * AHEAD * body.radius, body.at[1] + y * AHEAD * body.radius];
    (x != 0.0 || y != 0.0) && taken.is_free(ahead, body.radius)
}
