//! Parties: the agents of a group that avoid each other, and so share a room. Each party of a group fills the
//! room around the goal as if it were alone.

use std::borrow::Cow;

use super::lay_rooms::Member;
use crate::crowd::guide::gathering::Room;
use crate::crowd::kept::Crowd;
use crate::crowd::state::avoidance::Avoidance;

/// Agents of a group that avoid each other, directly or by others between them.
pub(in crate::crowd) struct Party<'a> {
    /// Their layers and masks, ascending.
    avoidance: Vec<Avoidance>,
    pub members: Cow<'a, [(u32, Member)]>,
}

impl Party<'_> {
    /// Takes the room that its members had out of `before`, or makes a new room. The room is laid anew if
    /// their layers or masks have changed.
    pub fn take_room(&self, before: &mut Vec<Room>, group: u32) -> Room {
        let first = before.partition_point(|room| room.group < group);
        let mut of_group = before[first..].iter().take_while(|room| room.group == group);
        let is_its = |room: &Room| room.avoidance.iter().any(|own| self.avoidance.contains(own));
        let mut room = match of_group.position(is_its) {
            Some(place) => before.remove(first + place),
            None => Room { group, ..Room::default() },
        };
        if room.avoidance != self.avoidance {
            room.is_laid = false;
            room.avoidance.clone_from(&self.avoidance);
        }
        room
    }
}

impl Crowd {
    /// Returns the parties of a group, in an order that depends on the layers and masks alone.
    pub(in crate::crowd) fn parties<'a>(&self, of_group: &'a [(u32, Member)]) -> Vec<Party<'a>> {
        if !self.most.has_layers {
            let avoidance = vec![Avoidance::default()];
            return vec![Party { avoidance, members: Cow::Borrowed(of_group) }];
        }
        let avoidance_of = |(_, member): &(u32, Member)| self.agents[member.index].avoidance;
        let mut all: Vec<Avoidance> = of_group.iter().map(avoidance_of).collect();
        all.sort_unstable();
        all.dedup();
        let mut parties: Vec<Vec<Avoidance>> = Vec::new();
        for own in all {
            let is_met = |party: &Vec<Avoidance>| party.iter().any(|its| own.meets(*its));
            let (met, mut others): (Vec<_>, Vec<_>) = parties.into_iter().partition(is_met);
            let mut joined = met.concat();
            joined.push(own);
            joined.sort_unstable();
            others.push(joined);
            parties = others;
        }
        parties.sort_unstable();
        let party_of = |avoidance: Vec<Avoidance>| {
            let its = of_group.iter().filter(|member| avoidance.binary_search(&avoidance_of(member)).is_ok());
            let members = Cow::Owned(its.copied().collect());
            Party { avoidance, members }
        };
        parties.into_iter().map(party_of).collect()
    }
}
