//! Group arrival: when all agents of a group that can arrive have arrived.
//!
//! Each order is open until then. Every few substeps the agents that are still under way are counted by group; agents that are stuck
//! are not waited for.

use super::agent::{Mind, SHUFFLES};
use super::behaviour::AgentState;
use super::ground::CrowdGround;
use super::guide::NO_GUIDE;
use super::progress::{Event, GroupNews};
use super::state::Crowd;
use crate::sort::sort_by_number;

/// Parts between two looks at the groups that are on their way.
const ROUND: u32 = 16;

/// When all of a group have arrived, each may close up for so long, in milliseconds.
const SHUFFLES_LAST: u16 = 8000;
/// And for so much longer for each cell that the disc of all is larger than this, up to so large a disc.
const MORE_MILLIS: f32 = 400.0;
const NEAR_REACH: f32 = 12.0;
const FAR_REACH: f32 = 100.0;

/// What is seen of a group.
#[derive(Clone, Copy)]
struct Seen {
    group: u32,
    /// One has arrived, though it may have been removed since.
    has_arrived: bool,
    /// One is on its way and can still arrive.
    waits: bool,
    /// How many have arrived, and how many are blocked or stuck.
    counts: [u32; 2],
}

impl Crowd {
    /// Agents were sent by `guide`.
    pub(super) fn open_order(&mut self, guide: u32) {
        if guide == NO_GUIDE {
            return;
        }
        match self.orders.iter_mut().find(|(open, _)| *open == guide) {
            Some(order) => order.1 = false,
            None => self.orders.push((guide, false)),
        }
    }

    /// Notes which orders an agent has arrived for. Every few parts, tells of groups of which all have arrived that can.
    pub(super) fn look_at_orders(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        if self.orders.is_empty() {
            return;
        }
        for event in &*events {
            let Event::Arrived(_, guide) = *event else { continue };
            if let Some(order) = self.orders.iter_mut().find(|(open, _)| *open == guide) {
                order.1 = true;
            }
        }
        if !self.ticks.is_multiple_of(ROUND) {
            return;
        }
        let group_of = |guide| ground.group(guide, &self.routes);
        let mut all: Vec<Seen> = self
            .orders
            .iter()
            .map(|&(guide, has_arrived)| Seen {
                group: group_of(guide),
                has_arrived,
                waits: false,
                counts: [0; 2],
            })
            .collect();
        sort_by_number(&mut all, |seen| seen.group.into());
        all.dedup_by(|next, first| {
            let is_one = next.group == first.group;
            first.has_arrived |= is_one && next.has_arrived;
            is_one
        });
        for mind in &self.minds {
            let Ok(place) = all.binary_search_by_key(&group_of(mind.guide), |seen| seen.group) else {
                continue;
            };
            let seen = &mut all[place];
            match mind.told_state() {
                AgentState::Arrived => seen.counts[0] += 1,
                AgentState::Blocked | AgentState::Stuck => seen.counts[1] += 1,
                AgentState::Idle => {}
                // One that goes on for a while was told as blocked all the same.
                _ if mind.has(Mind::TOLD_BLOCKED) => seen.counts[1] += 1,
                _ => seen.waits = true,
            }
        }
        // Fields that are not there yet have no group.
        let is_open = |guide: u32| {
            let group = group_of(guide);
            group == u32::MAX
                || all.iter().any(|seen| seen.group == group && (seen.waits || !seen.has_arrived))
        };
        let orders: Vec<_> = self.orders.iter().copied().filter(|&(guide, _)| is_open(guide)).collect();
        all.retain(|seen| seen.group != u32::MAX && seen.has_arrived && !seen.waits);
        events.extend(all.iter().map(|seen| {
            let [arrived, blocked] = seen.counts;
            Event::Group(GroupNews { group: seen.group, arrived, blocked })
        }));
        if !all.is_empty() {
            for mind in &mut self.minds {
                let group = ground.group(mind.guide, &self.routes);
                if all.binary_search_by_key(&group, |seen| seen.group).is_ok() {
                    let reach = self.reaches.of(mind.guide).min(FAR_REACH);
                    let last = SHUFFLES_LAST + ((reach - NEAR_REACH).max(0.0) * MORE_MILLIS) as u16;
                    mind.shuffled = mind.shuffled.max(SHUFFLES - last);
                }
            }
        }
        self.orders = orders;
    }
}
