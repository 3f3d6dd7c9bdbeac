//! A step: as many substeps as its time needs, and the news that it brings.

use super::error::CrowdError;
use super::ground::CrowdGround;
use super::progress::{Event, GroupNews};
use super::state::Crowd;

/// Longest substep, in seconds.
const PART_MAX: f64 = 1.0 / 60.0;
/// A step computes at most so many substeps; what is left of its time is lost.
pub const CROWD_PARTS_MAX: u32 = 60;

/// What a step brought.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CrowdNews {
    /// Agents that have arrived, by id; each once for each goal that it is given.
    pub arrived: Vec<u32>,
    /// Agents that are stuck, by id; each once until it comes nearer to its goal again.
    pub stuck: Vec<u32>,
    /// Agents that rest short of free room nearer to their goal, by id; each once for each goal that it is given.
    pub blocked: Vec<u32>,
    /// Groups of which all have arrived that can; each once for each order.
    pub groups: Vec<GroupNews>,
}

impl Crowd {
    /// Moves all agents on by `delta` seconds, in substeps of at most 1/60 s of which at most [`CROWD_PARTS_MAX`] are computed;
    /// nothing happens for 0.
    ///
    /// # Errors
    /// When `delta` is not a number, infinite or below zero; none has moved then.
    pub fn step(&mut self, delta: f64, ground: &CrowdGround<'_>) -> Result<CrowdNews, CrowdError> {
        if !delta.is_finite() || delta < 0.0 {
            return Err(CrowdError::BadDelta { delta });
        }
        self.follow(ground);
        if delta == 0.0 || self.is_empty() || ground.region.is_empty() {
            return Ok(CrowdNews::default());
        }
        let delta = delta.min(PART_MAX * f64::from(CROWD_PARTS_MAX));
        // A step of 1/60 s as floats have it is one part.
        let parts = ((delta / PART_MAX - 1e-6).ceil() as u32).clamp(1, CROWD_PARTS_MAX);
        let seconds = (delta / f64::from(parts)) as f32;
        let mut events: Vec<Event> =
            self.finished.drain(..).map(|(id, guide)| Event::Arrived(id, guide)).collect();
        for _ in 0..parts {
            self.part(seconds.max(1e-6), ground, &mut events);
        }
        self.end_of_step(delta as f32, ground);
        Ok(CrowdNews::new(&events))
    }
}

impl CrowdNews {
    fn new(events: &[Event]) -> Self {
        let mut news = Self::default();
        for event in events {
            match *event {
                Event::Arrived(id, _) => news.arrived.push(id),
                Event::Stuck(id) => news.stuck.push(id),
                Event::Blocked(id) => news.blocked.push(id),
                Event::Group(group) => news.groups.push(group),
                Event::HeldUp(_) => {}
            }
        }
        for list in [&mut news.arrived, &mut news.stuck, &mut news.blocked] {
            list.sort_unstable();
            list.dedup();
        }
        news.groups.sort_unstable();
        news.groups.dedup_by_key(|news| news.group);
        news
    }
}
