//! When a group is told: once all of it have arrived that can.
//!
//! Each order is open until all of its group have arrived that can, and none of them walks to its place any
//! more. Every few substeps the agents that are still under way are counted by group; agents that are stuck
//! are not waited for. That none of a group has come nearer for long is told once, and its order stays open:
//! they may go on when those before them leave.

use crate::crowd::ground::map::CrowdGround;
use crate::crowd::kept::{Crowd, Order};
use crate::crowd::numbers::tuning::TUNING;
use crate::crowd::outcome::arrival::{Event, GroupNews};
use crate::crowd::state::agent::Agent;
use crate::crowd::state::behaviour::AgentState;
use crate::crowd::state::routes::{NO_GUIDE, PATH_GUIDE};

/// Substeps between two looks at the groups that are on their way.
const ROUND: u32 = 16;

/// What is seen of a group.
#[derive(Clone, Copy)]
struct GroupCount {
    group: u32,
    /// Its first order: one of any of its orders has arrived, and that none comes nearer was told of each.
    order: Order,
    /// How many are on their way and can still arrive, and one of them has come nearer of late.
    on_way: u32,
    comes_nearer: bool,
    /// One that was told as arrived still walks to its place.
    closes_up: bool,
    /// How many have arrived, and how many are blocked or stuck.
    counts: [u32; 2],
}

impl GroupCount {
    /// Returns `true` if one has arrived, all others have that can, and they are more than were told.
    const fn has_news(&self) -> bool {
        let is_news = !self.order.was_told || self.counts[0] > self.order.arrived;
        is_news && self.order.has_arrived && self.on_way == 0
    }

    /// Returns `true` if it has news of those that are in their places, or it was not told yet that none has
    /// come nearer for long.
    const fn is_to_be_told(&self) -> bool {
        if self.order.has_arrived {
            return self.has_news() && !self.closes_up;
        }
        let [_, kept_off] = self.counts;
        kept_off > 0 && !(self.comes_nearer || self.order.was_told)
    }
}

impl Crowd {
    /// Agents were sent by `guide`.
    pub(in crate::crowd) fn open_order(&mut self, guide: u32) {
        if guide == NO_GUIDE {
            return;
        }
        let order = Order { guide, has_arrived: false, was_told: false, arrived: 0 };
        match self.orders.iter_mut().find(|open| open.guide == guide) {
            Some(open) => *open = order,
            None => self.orders.push(order),
        }
    }

    /// Notes which orders an agent has arrived for. Every few substeps, tells of groups of which all have
    /// arrived that can.
    pub(in crate::crowd) fn watch_orders(&mut self, ground: &CrowdGround<'_>, events: &mut Vec<Event>) {
        if self.orders.is_empty() {
            return;
        }
        for event in &*events {
            let Event::Arrived(_, guide) = *event else { continue };
            if let Some(order) = self.orders.iter_mut().find(|order| order.guide == guide) {
                order.has_arrived = true;
            }
        }
        // Counting all agents takes time in proportion to their number: a quarter of a second is soon enough.
        if !self.substeps.is_multiple_of(ROUND) {
            return;
        }
        let group_of = |guide| ground.group(guide, &self.routes);
        let mut all: Vec<GroupCount> = self
            .orders
            .iter()
            .map(|&order| GroupCount {
                group: group_of(order.guide),
                order,
                on_way: 0,
                comes_nearer: false,
                closes_up: false,
                counts: [0; 2],
            })
            .collect();
        all.sort_by_key(|seen| seen.group);
        all.dedup_by(|next, first| {
            let is_one = next.group == first.group;
            if is_one {
                first.order.has_arrived |= next.order.has_arrived;
                first.order.was_told &= next.order.was_told;
                first.order.arrived = first.order.arrived.min(next.order.arrived);
            }
            is_one
        });
        for agent in &self.agents {
            let Ok(index) = all.binary_search_by_key(&group_of(agent.guide), |seen| seen.group) else {
                continue;
            };
            let seen = &mut all[index];
            seen.closes_up |= agent.progress.has_arrived && agent.is_to_move_yet();
            match agent.state() {
                AgentState::Arrived => seen.counts[0] += 1,
                AgentState::Blocked | AgentState::Stuck => seen.counts[1] += 1,
                AgentState::Idle => {}
                _ => {
                    seen.on_way += 1;
                    seen.comes_nearer |= agent.progress.no_nearer < TUNING.very_long;
                }
            }
        }
        // Fields that are not there yet have no group.
        let is_known = |seen: &GroupCount| seen.group != u32::MAX;
        let mut orders = self.orders.clone();
        orders.retain_mut(|order| {
            let group = group_of(order.guide);
            let seen = all.iter().find(|seen| is_known(seen) && seen.group == group);
            if let Some(seen) = seen.filter(|seen| seen.is_to_be_told()) {
                (order.was_told, order.arrived) = (true, seen.counts[0]);
            }
            // Those that are kept off may arrive when the others leave.
            let has_others = |seen: &GroupCount| seen.on_way > 0 || seen.closes_up || seen.counts[1] > 0;
            seen.is_none_or(|seen| has_others(seen) || !seen.order.has_arrived)
        });
        events.extend(all.iter().filter(|seen| is_known(seen) && seen.is_to_be_told()).map(|seen| {
            let [arrived, kept_off] = seen.counts;
            Event::Group(GroupNews { group: seen.group, arrived, blocked: kept_off + seen.on_way })
        }));
        all.retain(|seen| is_known(seen) && seen.has_news());
        self.orders = orders;
    }
}

impl Agent {
    /// Returns `true` if it walks to its place, or will once more.
    fn is_to_move_yet(&self) -> bool {
        let tries_again = self.slot.is_short
            && self.slot.is_given
            && self.guide & PATH_GUIDE == 0
            && self.slot.may_try_again();
        self.slot.is_given && (!self.behaviour().rests() || tries_again)
    }
}
