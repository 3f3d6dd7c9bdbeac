//! What an agent of a crowd does, and every change from one behaviour to another.
//!
//! All changes are in `Behaviour::after`, which holds this table; `-` is no change:
//!
//! | | *Idle* | *Travelling* | *Homing* | *Yielding* | *Aside* | *Settled* | found in |
//! |---|---|---|---|---|---|---|---|
//! | a goal is given | Travelling | Travelling | Travelling | Travelling | Travelling | Travelling | `given` |
//! | stopped, or at rest without a goal | - | Idle | Idle | Idle | Idle | Idle | `given`; `steer`, `arrival` |
//! | arrived | Settled | Settled | Settled | Settled | Settled | - | `steer`, `arrival`, `driven` |
//! | its place is in sight | - | Homing | - | then Homing | - | - | `preferred_velocity` |
//! | its place is out of sight, or lost | - | - | Travelling | then Travelling | - | - | `preferred_velocity`, `arrival` |
//! | one that has the right of way opposes it | - | Yielding | Yielding | - | - | - | `right_of_way` |
//! | the time to yield is over | - | - | - | what it did before | - | - | `right_of_way`, `given` |
//! | one that wants through presses on it | Aside | - | - | - | - | Aside | `right_of_way` |
//! | the time to stand aside is over | - | - | - | - | Homing | - | `right_of_way` |
//! | moved out of its place | - | - | - | - | - | Homing | `steer`, `agent` |
//! | the way ahead of it is free again | - | - | - | - | - | Travelling | `group_arrival` |
//! | there is room for it elsewhere | - | - | - | - | - | Homing | `group_arrival`, `arrival` |
//! | its place was swapped | Homing | - | - | - | - | Homing | `places` |
//! | it gets on otherwise | - | other pace | other pace | other pace | - | - | `arrival` |
//! | *what scripts see* | Idle | its pace | its pace | its pace | Waiting | Waiting | `agent` |
//!
//! Scripts see *Arrived* in every behaviour from the announcement on until the next goal, *Blocked* from that
//! announcement on until the body has come nearer by its own width, and *Idle* in every behaviour without a
//! goal. One that rests short of its place is moved out of none.
//!
//! A cause that begins a way leads to the pace *Moving*; the others keep it. An agent whose field is not
//! there yet, or that has no path, stays *Travelling* while its body rests. One that loses sight of its place
//! and has no goal is *Idle* where it is in the same substep. If its path was dropped, it is *Settled* there.
//!
//! How long an agent yields or stays aside is a timer, whose end is a cause.
//!
//! The rest of an agent's state is independent of this table: what moves its body
//! ([`Control`](super::control::Control)), how it gets on ([`Progress`](super::progress::Progress)), which
//! other it lets pass ([`Priority`](super::priority::Priority)) and where its place is
//! ([`Slot`](super::slot::Slot)).

/// What an agent is doing; the numbers are those that scripts see.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum AgentState {
    /// It was given nothing to do, or was stopped.
    #[default]
    Idle = 0,
    /// It is on its way.
    Moving = 1,
    /// It is on its way and others are in it: it queues, gives way or comes no nearer.
    Waiting = 2,
    /// It has arrived, and stays so until it is given something else to do: whether it rests, makes way or
    /// comes back.
    Arrived = 3,
    /// It is on its way and gets no nearer, or there is no way.
    Stuck = 4,
    /// It rests where others keep it from going on, short of free room nearer to its goal, or tries again
    /// from there.
    Blocked = 5,
}

/// What an agent does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::crowd) enum Behaviour {
    /// It rests and has no goal.
    #[default]
    Idle,
    /// It follows its field or path.
    Travelling(Pace),
    /// It walks straight to its place: the one that it was given, or the one where it rested.
    Homing(Pace),
    /// It walks ahead of an agent that has the right of way, out of its path.
    Yielding {
        /// It is homing afterwards, otherwise travelling.
        is_homing: bool,
        /// How it gets on.
        pace: Pace,
    },
    /// It rested, and has stepped aside for an agent that wants through.
    Aside,
    /// It rests and has arrived.
    Settled,
}

/// How an agent that is under way gets on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::crowd) enum Pace {
    /// Nothing holds it up.
    #[default]
    Moving,
    /// It is held up, yields, or walks and comes no nearer.
    Waiting,
    /// It comes no nearer, and was reported as stuck.
    Stuck,
}

/// What changes a behaviour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::crowd) enum Cause {
    /// A goal is given.
    Ordered,
    /// There is no goal any more, or it is back at rest without one.
    Stopped,
    /// It is to rest for its goal.
    Arrived,
    /// It can walk straight to its place.
    PlaceSeen,
    /// It cannot walk straight to its place, or has none any more.
    PlaceLost,
    /// An agent that has the right of way wants to go where it is, and they cannot pass.
    Opposed,
    /// The time to yield is over.
    Yielded,
    /// An agent that wants through presses on it.
    Pressed,
    /// None has pressed on it for long enough.
    Released,
    /// It was pushed or thrown out of its place.
    Displaced,
    /// It rested short of its goal, and none rests before it any more.
    WayFree,
    /// It rested short of its place or on another agent, and leaves for free room.
    RoomFree,
    /// Another agent has taken its place and given up its own.
    Swapped,
    /// It gets on like this.
    Paced(Pace),
}

impl Behaviour {
    /// Returns the behaviour after `cause`.
    // In the order of the table, not by what comes of it.
    #[allow(clippy::match_same_arms)]
    #[inline]
    pub const fn after(self, cause: Cause) -> Self {
        match (cause, self) {
            (Cause::Ordered, _) => Self::Travelling(Pace::Moving),
            (Cause::Stopped, _) => Self::Idle,
            (Cause::Arrived, _) => Self::Settled,
            (Cause::PlaceSeen, Self::Travelling(pace)) => Self::Homing(pace),
            (Cause::PlaceSeen, Self::Yielding { pace, .. }) => Self::Yielding { is_homing: true, pace },
            (Cause::PlaceLost, Self::Homing(pace)) => Self::Travelling(pace),
            (Cause::PlaceLost, Self::Yielding { pace, .. }) => Self::Yielding { is_homing: false, pace },
            (Cause::Opposed, Self::Travelling(pace)) => Self::Yielding { is_homing: false, pace },
            (Cause::Opposed, Self::Homing(pace)) => Self::Yielding { is_homing: true, pace },
            (Cause::Yielded, Self::Yielding { is_homing: true, pace }) => Self::Homing(pace),
            (Cause::Yielded, Self::Yielding { is_homing: false, pace }) => Self::Travelling(pace),
            (Cause::Pressed, Self::Idle | Self::Settled) => Self::Aside,
            (Cause::Released, Self::Aside) => Self::Homing(Pace::Moving),
            (Cause::Displaced, Self::Settled) => Self::Homing(Pace::Moving),
            (Cause::WayFree, Self::Settled) => Self::Travelling(Pace::Moving),
            (Cause::RoomFree, Self::Settled) => Self::Homing(Pace::Moving),
            (Cause::Swapped, Self::Idle | Self::Settled) => Self::Homing(Pace::Moving),
            (Cause::Paced(pace), Self::Travelling(_)) => Self::Travelling(pace),
            (Cause::Paced(pace), Self::Homing(_)) => Self::Homing(pace),
            (Cause::Paced(pace), Self::Yielding { is_homing, .. }) => Self::Yielding { is_homing, pace },
            _ => self,
        }
    }

    /// Returns `true` if the agent stays where it is.
    #[inline]
    pub const fn rests(self) -> bool {
        matches!(self, Self::Idle | Self::Settled)
    }

    /// Returns `true` if the agent walks straight to its place, or will when it has yielded.
    #[inline]
    pub const fn is_homing(self) -> bool {
        matches!(self, Self::Homing(_) | Self::Yielding { is_homing: true, .. })
    }

    /// Returns `true` if the agent is yielding.
    #[inline]
    pub const fn yields(self) -> bool {
        matches!(self, Self::Yielding { .. })
    }

    /// Returns `true` if the agent is under way, and was reported as stuck.
    #[inline]
    pub const fn is_stuck(self) -> bool {
        matches!(
            self,
            Self::Travelling(Pace::Stuck)
                | Self::Homing(Pace::Stuck)
                | Self::Yielding { pace: Pace::Stuck, .. }
        )
    }

    /// Returns `true` if the agent is under way, and was held up.
    #[inline]
    pub const fn waits(self) -> bool {
        matches!(
            self,
            Self::Travelling(Pace::Waiting)
                | Self::Homing(Pace::Waiting)
                | Self::Yielding { pace: Pace::Waiting, .. }
        )
    }

    /// Returns `true` if the agent has stepped aside.
    #[inline]
    pub const fn is_aside(self) -> bool {
        matches!(self, Self::Aside)
    }

    /// Returns what is told of it.
    #[inline]
    pub const fn state(self) -> AgentState {
        match self {
            Self::Idle => AgentState::Idle,
            Self::Travelling(pace) | Self::Homing(pace) | Self::Yielding { pace, .. } => match pace {
                Pace::Moving => AgentState::Moving,
                Pace::Waiting => AgentState::Waiting,
                Pace::Stuck => AgentState::Stuck,
            },
            Self::Aside => AgentState::Waiting,
            Self::Settled => AgentState::Arrived,
        }
    }
}

/// Saved bytes hold the place of a behaviour in this list.
const ALL: [Behaviour; 15] = {
    use Behaviour::{Aside, Homing, Idle, Settled, Travelling, Yielding};
    use Pace::{Moving, Stuck, Waiting};
    [
        Idle,
        Aside,
        Settled,
        Travelling(Moving),
        Travelling(Waiting),
        Travelling(Stuck),
        Homing(Moving),
        Homing(Waiting),
        Homing(Stuck),
        Yielding { is_homing: false, pace: Moving },
        Yielding { is_homing: false, pace: Waiting },
        Yielding { is_homing: false, pace: Stuck },
        Yielding { is_homing: true, pace: Moving },
        Yielding { is_homing: true, pace: Waiting },
        Yielding { is_homing: true, pace: Stuck },
    ]
};

crate::bytes::saved_as!(
    Behaviour as u8,
    |behaviour| ALL.iter().position(|one| one == behaviour).unwrap_or(0) as u8,
    |number| ALL.get(usize::from(number)).copied().ok_or("an agent's behaviour is not one")
);

#[cfg(test)]
mod tests {
    use super::*;
    use Behaviour::{Aside, Homing, Idle, Settled, Travelling};
    use Pace::{Moving, Stuck, Waiting};

    const fn yielding(is_homing: bool, pace: Pace) -> Behaviour {
        Behaviour::Yielding { is_homing, pace }
    }

    /// One behaviour of each column of the table, with a pace that only some causes keep. Of *Yielding* there
    /// are two.
    const COLUMNS: [Behaviour; 7] = [
        Idle,
        Travelling(Waiting),
        Homing(Waiting),
        yielding(false, Waiting),
        yielding(true, Waiting),
        Aside,
        Settled,
    ];

    /// Holds one row of the table: what `cause` makes of each column; `None` is no change.
    fn row(cause: Cause, to: [Option<Behaviour>; 7]) {
        for (from, to) in COLUMNS.into_iter().zip(to) {
            assert_eq!(from.after(cause), to.unwrap_or(from), "{from:?} after {cause:?}");
        }
    }

    #[test]
    fn a_goal_begins_a_way_from_whatever_it_does() {
        row(Cause::Ordered, [Some(Travelling(Moving)); 7]);
        assert_eq!(Travelling(Stuck).after(Cause::Ordered), Travelling(Moving));
    }

    #[test]
    fn without_a_goal_it_is_idle() {
        row(Cause::Stopped, [Some(Idle); 7]);
    }

    #[test]
    fn one_that_has_arrived_settles() {
        row(Cause::Arrived, [Some(Settled); 7]);
    }

    #[test]
    fn a_place_in_sight_is_walked_to_straight() {
        let then_homing = Some(yielding(true, Waiting));
        row(Cause::PlaceSeen, [None, Some(Homing(Waiting)), None, then_homing, None, None, None]);
    }

    #[test]
    fn a_place_out_of_sight_is_travelled_to() {
        let then_travelling = Some(yielding(false, Waiting));
        row(Cause::PlaceLost, [None, None, Some(Travelling(Waiting)), None, then_travelling, None, None]);
    }

    #[test]
    fn one_under_way_yields_when_it_is_opposed() {
        let travels = Some(yielding(false, Waiting));
        let homes = Some(yielding(true, Waiting));
        row(Cause::Opposed, [None, travels, homes, None, None, None, None]);
    }

    #[test]
    fn one_that_has_yielded_does_what_it_did() {
        let (travels, homes) = (Some(Travelling(Waiting)), Some(Homing(Waiting)));
        row(Cause::Yielded, [None, None, None, travels, homes, None, None]);
    }

    #[test]
    fn one_at_rest_steps_aside_when_it_is_pressed() {
        row(Cause::Pressed, [Some(Aside), None, None, None, None, None, Some(Aside)]);
    }

    #[test]
    fn one_that_stepped_aside_goes_back() {
        row(Cause::Released, [None, None, None, None, None, Some(Homing(Moving)), None]);
    }

    #[test]
    fn one_that_has_settled_goes_back_when_it_is_moved() {
        row(Cause::Displaced, [None, None, None, None, None, None, Some(Homing(Moving))]);
    }

    #[test]
    fn one_that_rests_short_of_its_goal_goes_on() {
        row(Cause::WayFree, [None, None, None, None, None, None, Some(Travelling(Moving))]);
        row(Cause::RoomFree, [None, None, None, None, None, None, Some(Homing(Moving))]);
    }

    #[test]
    fn one_at_rest_walks_to_the_place_that_it_was_given_for_its_own() {
        let homes = Some(Homing(Moving));
        row(Cause::Swapped, [homes, None, None, None, None, None, homes]);
    }

    #[test]
    fn only_one_under_way_has_a_pace() {
        for pace in [Moving, Waiting, Stuck] {
            let (travels, homes) = (Some(Travelling(pace)), Some(Homing(pace)));
            let (then_travels, then_homes) = (Some(yielding(false, pace)), Some(yielding(true, pace)));
            row(Cause::Paced(pace), [None, travels, homes, then_travels, then_homes, None, None]);
        }
    }

    #[test]
    fn a_saved_behaviour_is_read_again() {
        use crate::bytes::{Reader, Saved};
        for from in ALL {
            let mut bytes = Vec::new();
            from.write(&mut bytes);
            let read = Reader::new(&bytes, "").and_then(|mut reader| reader.read::<Behaviour>());
            assert_eq!(read, Ok(from));
        }
        let over = [ALL.len() as u8];
        assert!(Reader::new(&over, "").and_then(|mut reader| reader.read::<Behaviour>()).is_err());
    }

    #[test]
    fn what_is_told_is_the_pace_of_one_under_way() {
        for (pace, state) in
            [(Moving, AgentState::Moving), (Waiting, AgentState::Waiting), (Stuck, AgentState::Stuck)]
        {
            for under_way in [Travelling(pace), Homing(pace), yielding(true, pace), yielding(false, pace)] {
                assert_eq!(under_way.state(), state);
                assert!(!under_way.rests());
            }
        }
        let others = [Idle, Settled, Aside].map(Behaviour::state);
        assert_eq!(others, [AgentState::Idle, AgentState::Arrived, AgentState::Waiting]);
    }
}
