//! Contact, the second pass of a substep: bodies whose outlines overlap are moved apart.
//!
//! All pairs that are near are looked at in several rounds, one after the other, so that a push is passed on
//! to those behind in the same substep. The share of an overlap that a body takes depends on size, on which
//! of the two rests, on their classes where one does, and on which is driven from outside or held. In the
//! last rounds both take half, or large bodies would lie in small ones at walls. No round takes a body out of
//! its valid placements. If only one of two bodies avoids the other, it takes all of the overlap.
//!
//! Threads take chunks of bodies. Of a body in another chunk they read where it was after the last round, so
//! the result is the same for any number of threads.

use crate::crowd::ground::neighbours::Neighbours;
use crate::crowd::ground::sweep::sweep;
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::numbers::vector::{V, dot, minus};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;
use crate::crowd::state::outline::{Gap, gap, way_out};
use crate::crowd::substep::{CHUNK, Substep};
use crate::parallel;

/// Rounds of a substep.
const ROUNDS: usize = 6;
/// In so many of them, the last ones, both take the same, so that none is squeezed between others and a wall.
const EVEN: usize = 2;
/// Of fewer chunks than this, a round takes less time than waking another thread does.
const FEW: usize = 8;
/// Pairs that are farther apart than this do not come to touch in these rounds, in cells.
const REACH: f32 = 0.1;
/// What the one ahead weighs more, if one of two of a group has made no headway for long.
const FIRST: f32 = 10.0;
/// The most that is taken of an overlap at once, in cells.
const MOST: f32 = 0.3;

/// Two bodies that may touch: the first is of the chunk, and the second, if `is_shared`, is of another one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    one: u32,
    two: u32,
    /// The part of an overlap that the first one takes; the second takes the rest.
    share: f32,
    /// Overlaps of less are left alone, in cells.
    left_alone: f32,
    /// See [`Gap::touch`].
    touch: f32,
    is_shared: bool,
}

/// Memory of contact.
#[derive(Clone, Debug, Default)]
pub(super) struct Contact {
    pairs: Vec<Pairs>,
    /// Where bodies are after the last round, and in this one.
    at: Vec<V>,
    next: Vec<V>,
    /// Whether they moved in the last round, and in this one: only their pairs are looked at again.
    had_moved: Vec<bool>,
    has_moved: Vec<bool>,
}

/// The pairs of a chunk, and pairs of others that it found.
#[derive(Clone, Debug, Default)]
struct Pairs {
    own: Vec<Pair>,
    others: Vec<Pair>,
}

/// Where the bodies of a chunk are in a round, and whether they moved in it.
type Moves<'a> = (&'a mut [V], &'a mut [bool]);

impl Substep<'_> {
    /// Moves all bodies apart that overlap.
    pub fn part(&self, moved: &mut [Body], near: &[Neighbours], agents: &[Agent], contact: &mut Contact) {
        if self.has_cores {
            self.part_outlines::<true>(moved, near, agents, contact);
        } else {
            self.part_outlines::<false>(moved, near, agents, contact);
        }
    }

    fn part_outlines<const CORES: bool>(
        &self,
        moved: &mut [Body],
        near: &[Neighbours],
        agents: &[Agent],
        Contact { pairs, at, next, had_moved, has_moved }: &mut Contact,
    ) {
        find_pairs::<CORES>((moved, self.avoidance), near, pairs);
        at.clear();
        at.extend(moved.iter().map(|body| body.at));
        next.clone_from(at);
        had_moved.clear();
        had_moved.resize(at.len(), true);
        has_moved.resize(at.len(), false);
        for round in 0..ROUNDS {
            let is_even = round >= ROUNDS - EVEN;
            let (before, had, bodies) = (&*at, &*had_moved, &*moved);
            let chunks = next.chunks_mut(CHUNK).zip(has_moved.chunks_mut(CHUNK)).zip(&*pairs);
            let chunks: Vec<_> = chunks.enumerate().collect();
            let work = |(chunk, ((next, has_moved), pairs)): (usize, (Moves<'_>, &Pairs))| {
                let start = chunk * CHUNK;
                has_moved.fill(false);
                for pair in &pairs.own {
                    let (one, two) = (pair.one as usize, pair.two as usize);
                    let is_new = had[one] || had[two] || has_moved[one - start];
                    if !(is_new || !pair.is_shared && has_moved[two - start]) {
                        continue;
                    }
                    let share =
                        if is_even && pair.share > 0.0 && pair.share < 1.0 { 0.5 } else { pair.share };
                    let pair = Pair { share, ..*pair };
                    part_pair::<CORES>(&pair, bodies, before, (next, start), has_moved);
                }
                for n in (0..next.len()).filter(|&n| has_moved[n]) {
                    let (agent, from) = (&agents[start + n], before[start + n]);
                    let frame = self.frame(agent, bodies[start + n].radius);
                    next[n] = sweep(self.ground.layer(agent.kind), &frame, from, minus(next[n], from));
                }
            };
            if chunks.len() < FEW {
                chunks.into_iter().for_each(work);
            } else {
                parallel::for_each(chunks, work);
            }
            at.copy_from_slice(next);
            std::mem::swap(had_moved, has_moved);
        }
        moved.iter_mut().zip(&*at).for_each(|(body, at)| body.at = *at);
    }
}

/// Takes away the overlap of two bodies.
#[inline]
fn part_pair<const CORES: bool>(
    pair: &Pair,
    bodies: &[Body],
    last: &[V],
    (next, start): (&mut [V], usize),
    has_moved: &mut [bool],
) {
    let (one, two) = (pair.one as usize, pair.two as usize);
    let own = next[one - start];
    let its = if pair.is_shared { last[two] } else { next[two - start] };
    if !CORES {
        let offset = minus(its, own);
        if dot(offset, offset) >= pair.touch * pair.touch {
            return;
        }
    }
    let (way, overlap) = overlap::<CORES>((&bodies[one], own, one), (&bodies[two], its, two));
    if overlap <= pair.left_alone {
        return;
    }
    let by = overlap.min(MOST) * TUNING.firmness;
    let mine = by * pair.share;
    if mine > 0.0 {
        next[one - start] = [own[0] - way[0] * mine, own[1] - way[1] * mine];
        has_moved[one - start] = true;
    }
    if !pair.is_shared && mine < by {
        let rest = by - mine;
        next[two - start] = [its[0] + way[0] * rest, its[1] + way[1] * rest];
        has_moved[two - start] = true;
    }
}

/// Returns the direction from a body at a place to another one, and by how much they overlap; below zero
/// where they do not.
#[inline]
fn overlap<const CORES: bool>(
    (body, at, own): (&Body, V, usize),
    (other, its, index): (&Body, V, usize),
) -> (V, f32) {
    let Gap { offset, touch } = gap::<CORES>(body.outline(), other.outline(), minus(its, at));
    let distance2 = dot(offset, offset);
    if distance2 >= touch * touch {
        return ([0.0; 2], -1.0);
    }
    let distance = distance2.sqrt();
    if distance > 1e-6 {
        return (offset.map(|part| part / distance), touch - distance);
    }
    // At one place any two opposite directions part them, and the arrays' order is part of the state.
    let (way, depth) = way_out(body.outline(), other.outline(), minus(its, at), own < index);
    (way.map(|part| -part), touch + depth)
}

/// Finds the pairs of each chunk, those in one chunk once and others in both.
fn find_pairs<const CORES: bool>(
    (moved, avoidance): (&[Body], &[Avoidance]),
    near: &[Neighbours],
    all: &mut Vec<Pairs>,
) {
    let lists = |one: usize, two: usize| near[one].indices().contains(&(two as u32));
    all.resize_with(moved.len().div_ceil(CHUNK), Pairs::default);
    parallel::for_each(all.iter_mut().enumerate().collect(), |(chunk, Pairs { own: pairs, others })| {
        let start = chunk * CHUNK;
        pairs.clear();
        others.clear();
        for own in start..moved.len().min(start + CHUNK) {
            for index in near[own].iter() {
                let is_shared = index / CHUNK != chunk;
                if !is_shared && index < own && lists(index, own) {
                    continue;
                }
                let pair = pair::<CORES>((own, &moved[own]), (index, &moved[index]), avoidance);
                let Some(pair) = pair else { continue };
                pairs.push(Pair { is_shared, ..pair });
                if is_shared && !lists(index, own) {
                    let (one, two) = (pair.two, pair.one);
                    others.push(Pair { one, two, share: 1.0 - pair.share, is_shared, ..pair });
                }
            }
        }
    });
    for chunk in 0..all.len() {
        let others = std::mem::take(&mut all[chunk].others);
        for pair in &others {
            all[pair.one as usize / CHUNK].own.push(*pair);
        }
        all[chunk].others = others;
    }
}

/// Returns two bodies as a pair if they may come to touch, and contact moves one of them.
#[inline]
fn pair<const CORES: bool>(
    (own, body): (usize, &Body),
    (index, other): (usize, &Body),
    avoidance: &[Avoidance],
) -> Option<Pair> {
    let Gap { offset, touch } = body.gap::<CORES>(other);
    let limit = touch + REACH;
    let is_seen = dot(offset, offset) < limit * limit && !(body.ghosts() || other.ghosts());
    let mut share = share::<CORES>(body, other).filter(|_| is_seen)?;
    if !avoidance.is_empty() {
        share = share_on_layers(share, avoidance[own], avoidance[index])?;
    }
    let smaller = body.radius.min(other.radius);
    let left_alone = if body.rests() && other.rests() { TUNING.left_alone * smaller } else { 0.0 };
    Some(Pair { one: own as u32, two: index as u32, share, left_alone, touch, is_shared: false })
}

/// Returns the part of an overlap that a body takes which would take `share` if both avoided each other;
/// `None` where neither moves.
fn share_on_layers(share: f32, own: Avoidance, its: Avoidance) -> Option<f32> {
    match (own.avoids(its), its.avoids(own)) {
        (true, true) => Some(share),
        // What nothing moves stays where it is all the same.
        (true, false) => (share > 0.0).then_some(1.0),
        (false, true) => (share < 1.0).then_some(0.0),
        (false, false) => None,
    }
}

/// Returns the part of an overlap that a body takes; `None` where nothing here moves either.
#[inline]
fn share<const CORES: bool>(body: &Body, other: &Body) -> Option<f32> {
    let (rests, its_rests) = (body.rests(), other.rests());
    let gives = TUNING.rest_share;
    match (body.stands_firm(other), other.stands_firm(body)) {
        (true, true) => return None,
        (true, false) => return Some(0.0),
        (false, true) => return Some(1.0),
        (false, false) => {}
    }
    if rests != its_rests {
        return Some(if rests { gives } else { 1.0 - gives });
    }
    // By area, as if both had the same weight on each cell.
    let (mut mine, mut its) = (weight::<CORES>(body), weight::<CORES>(other));
    if !rests && body.group == other.group && (body.flags | other.flags) & Body::INSISTS != 0 {
        // Who follows takes the correction.
        let ahead = other.leads(body, body.preferred);
        if ahead > 0.0 {
            its *= FIRST;
        } else if ahead < 0.0 {
            mine *= FIRST;
        }
    }
    Some(its / (mine + its))
}

/// Returns what a push weighs for a body: the area that it takes.
#[inline]
fn weight<const CORES: bool>(body: &Body) -> f32 {
    if CORES { body.outline().area() } else { body.radius * body.radius }
}
