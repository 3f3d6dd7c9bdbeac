//! What a walker does, and every change from one behaviour to another: the table in the [module's
//! documentation](super).

use super::{Event, Goal};
use crate::crowd::AgentState;
use crate::world::Status;

/// What a walker does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Behaviour {
    /// It has no target and no order.
    #[default]
    Idle,
    /// It rests until there is a path to its target.
    Asking,
    /// It walks along a path.
    Walking(Walk),
    /// It was refused a path under way, and walks to the centre of a placement.
    Settling,
    /// It rests, and has done what it could to come to its target.
    Finished(End),
    /// It has no target of its own: it follows an order of its crowd.
    Led(Lead),
}

/// The path that a body walks along.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Walk {
    /// Where it leads. That of a former target, until the path to the new one comes.
    pub goal: Goal,
    /// If the path leads all the way to the goal, stops short, or is the first steps of one to come.
    pub status: Status,
    /// An edit has touched the path, and no other has come since.
    pub is_in_doubt: bool,
}

/// How a walk to a target has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// The body is at its target.
    Reached,
    /// It was there, and others have pushed it off.
    Pushed,
    /// It is at the end of a path that stops short, or was refused one.
    Short,
    /// It rests beside others that are at its target.
    Beside,
}

/// How far a body has come by an order of its crowd.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lead {
    /// The crowd leads it.
    UnderWay,
    /// Nothing leads to where it was sent.
    CutOff,
    /// It is where it was sent.
    Arrived,
}

/// What changes a behaviour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Cause {
    /// There is a target, and it is another one, or the body has left it.
    Ordered,
    /// There is no target and no order any more.
    Stopped,
    /// A path has come, and the body can walk onto it.
    SetOut(Walk),
    /// An edit touches the path.
    Edited,
    /// There is no path.
    Refused {
        /// The body is to go to the centre of a placement.
        settles: bool,
    },
    /// The body cannot come onto its path in a straight line.
    Lost,
    /// The body is at the end of what it walks along.
    Ended,
    /// Others have pushed it off its target.
    PushedOff,
    /// It does not come back: others keep it off.
    KeptOff,
    /// It does not come back: there is no straight way.
    CannotReturn,
    /// The crowd has sent the body somewhere.
    Sent,
    /// The crowd has let the body rest: where it has sent it, or beside others that are at its target.
    Rested,
    /// Nothing leads to where the crowd has sent the body.
    CutOff,
    /// Something leads there again.
    LedOn,
    /// The body is in no crowd any more.
    LetGo,
}

impl Behaviour {
    /// Returns the behaviour after `cause`, and what is told of it.
    // In the order of the table, not by what comes of it.
    #[allow(clippy::match_same_arms)]
    pub fn after(self, cause: Cause) -> (Self, &'static [Event]) {
        use Behaviour::{Asking, Finished, Idle, Led, Settling, Walking};
        const SHORT: Behaviour = Finished(End::Short);
        match (self, cause) {
            // A body that stopped for each new target would stutter: the former path is walked until the new
            // one comes.
            (Walking(_), Cause::Ordered) => (self, &[]),
            (_, Cause::Ordered) => (Asking, &[]),
            (_, Cause::Stopped) => (Idle, &[]),
            (_, Cause::Sent) => (Led(Lead::UnderWay), &[]),
            (Led(Lead::UnderWay | Lead::CutOff), Cause::Rested) => {
                (Led(Lead::Arrived), &[Event::TargetReached, Event::Finished])
            }
            (Led(Lead::UnderWay), Cause::CutOff) => (Led(Lead::CutOff), &[Event::Finished]),
            (Led(Lead::CutOff), Cause::LedOn) => (Led(Lead::UnderWay), &[]),
            (Led(Lead::UnderWay | Lead::CutOff), Cause::LetGo) => (Idle, &[Event::Finished]),
            (Led(Lead::Arrived), Cause::LetGo) => (Idle, &[]),
            // Without a target nothing of a path matters: an answer to a former one may still come.
            (Idle | Led(_), _) => (self, &[]),
            (_, Cause::SetOut(walk)) => (Walking(walk), &[Event::PathChanged]),
            (Walking(walk), Cause::Edited) => (Walking(Walk { is_in_doubt: true, ..walk }), &[]),
            (Walking(_), Cause::Refused { settles: true }) => (Settling, &[]),
            // It stops where it fits, whatever else is refused meanwhile.
            (Settling, Cause::Refused { .. }) => (Settling, &[]),
            // That it has finished was told: a refusal after an edit is no second end.
            (Finished(_), Cause::Refused { .. }) => (SHORT, &[]),
            (Asking | Walking(_), Cause::Refused { .. }) => (SHORT, &[Event::Finished]),
            (Asking | Walking(_) | Settling, Cause::Lost) => (Asking, &[]),
            (Walking(walk), Cause::Ended) if walk.status == Status::Complete => {
                (Finished(End::Reached), &[Event::TargetReached, Event::Finished])
            }
            (Walking(_) | Settling, Cause::Ended) => (SHORT, &[Event::Finished]),
            (Finished(End::Reached), Cause::PushedOff) => (Finished(End::Pushed), &[]),
            (Finished(End::Pushed), Cause::Ended) => (Finished(End::Reached), &[]),
            (Finished(End::Pushed | End::Short), Cause::KeptOff) => {
                (Finished(End::Beside), &[Event::Blocked])
            }
            (Finished(End::Pushed | End::Beside), Cause::CannotReturn) => (Asking, &[]),
            // That it has finished was told. Those at its target have left, and it has moved up.
            (Finished(End::Beside), Cause::Ended) => (Finished(End::Reached), &[Event::TargetReached]),
            (Asking | Walking(_), Cause::Rested) => {
                (Finished(End::Beside), &[Event::Blocked, Event::Finished])
            }
            // It would walk on into those that rest before it. That it was refused is told, and those beside
            // it do not keep it from its target.
            (Settling, Cause::Rested) => (SHORT, &[Event::Finished]),
            (Finished(End::Beside), Cause::LetGo) => (SHORT, &[]),
            _ => (self, &[]),
        }
    }

    /// Returns `true` if the body has something to walk along.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Walking(_) | Self::Settling)
    }

    /// Returns `true` if where the body is may change what it does.
    pub const fn looks_at_body(self) -> bool {
        self.is_under_way() || matches!(self, Self::Finished(_))
    }

    /// Returns `true` if there is nothing to walk to and nothing is waited for.
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Idle | Self::Finished(_) | Self::Led(Lead::CutOff | Lead::Arrived))
    }

    /// Returns `true` if the body is at its target, or where its crowd has sent it.
    pub const fn is_reached(self) -> bool {
        matches!(self, Self::Finished(End::Reached) | Self::Led(Lead::Arrived))
    }

    /// Returns `true` if others keep the body from where it is to go; `agent` is what its agent of the crowd
    /// does. One that is cut off is stuck as well, but not for others.
    pub fn is_blocked(self, agent: Option<AgentState>) -> bool {
        match self {
            Self::Finished(End::Beside) => true,
            Self::Led(Lead::CutOff) => false,
            _ => matches!(agent, Some(AgentState::Stuck | AgentState::Blocked)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cell;
    use crate::world::GoalMode;
    use Behaviour::{Asking, Finished, Idle, Led, Settling, Walking};

    const WALK: Walk = Walk {
        goal: Goal { cell: Cell::new(3, 4), mode: GoalMode::Exact },
        status: Status::Complete,
        is_in_doubt: false,
    };
    const DOUBT: Walk = Walk { is_in_doubt: true, ..WALK };
    const PARTIAL: Walk = Walk { status: Status::Partial, ..WALK };
    const REACHED: Behaviour = Finished(End::Reached);
    const SHORT: Behaviour = Finished(End::Short);
    const BESIDE: Behaviour = Finished(End::Beside);
    const PUSHED: Behaviour = Finished(End::Pushed);
    const LED: Behaviour = Led(Lead::UnderWay);
    const CUT_OFF: Behaviour = Led(Lead::CutOff);
    const ARRIVED: Behaviour = Led(Lead::Arrived);

    /// The columns of the table; of *Finished* there are four, of *Led* three.
    const COLUMNS: [Behaviour; 11] =
        [Idle, Asking, Walking(WALK), Settling, REACHED, SHORT, BESIDE, PUSHED, LED, CUT_OFF, ARRIVED];

    type Change = Option<(Behaviour, &'static [Event])>;
    const ASKS: Change = Some((Asking, &[]));
    const IDLES: Change = Some((Idle, &[]));
    const WALKS: Change = Some((Walking(WALK), &[Event::PathChanged]));
    const FALLS_SHORT: Change = Some((SHORT, &[Event::Finished]));
    const IS_SHORT: Change = Some((SHORT, &[]));
    const IS_LED: Change = Some((LED, &[]));

    /// Holds one row of the table: what `cause` makes of each column; `None` is no change, of which nothing
    /// is told.
    fn row(cause: Cause, to: &[Change; 11]) {
        for (from, to) in COLUMNS.into_iter().zip(to) {
            assert_eq!(from.after(cause), to.unwrap_or((from, &[])), "{from:?} after {cause:?}");
        }
    }

    #[test]
    fn a_target_is_asked_for_a_path_to() {
        row(Cause::Ordered, &[ASKS, None, None, ASKS, ASKS, ASKS, ASKS, ASKS, ASKS, ASKS, ASKS]);
    }

    #[test]
    fn without_a_target_and_an_order_it_is_idle() {
        row(Cause::Stopped, &[IDLES; 11]);
    }

    #[test]
    fn a_path_is_walked_wherever_there_is_a_target() {
        row(Cause::SetOut(WALK), &[None, WALKS, WALKS, WALKS, WALKS, WALKS, WALKS, WALKS, None, None, None]);
        assert_eq!(Walking(DOUBT).after(Cause::SetOut(PARTIAL)).0, Walking(PARTIAL), "without a doubt");
    }

    #[test]
    fn an_edit_makes_a_path_doubtful() {
        let mut row_of_edits = [None; 11];
        row_of_edits[2] = Some((Walking(DOUBT), &[] as &[Event]));
        row(Cause::Edited, &row_of_edits);
    }

    #[test]
    fn one_that_is_refused_finishes_once() {
        let refused = |walking| {
            [None, FALLS_SHORT, walking, None, IS_SHORT, IS_SHORT, IS_SHORT, IS_SHORT, None, None, None]
        };
        row(Cause::Refused { settles: false }, &refused(FALLS_SHORT));
        row(Cause::Refused { settles: true }, &refused(Some((Settling, &[]))));
    }

    #[test]
    fn one_that_is_off_its_path_asks() {
        row(Cause::Lost, &[None, None, ASKS, ASKS, None, None, None, None, None, None, None]);
    }

    #[test]
    fn the_end_of_a_path_is_the_target_or_short_of_it() {
        let reached = Some((REACHED, &[Event::TargetReached, Event::Finished] as &[Event]));
        let moved_up = Some((REACHED, &[Event::TargetReached] as &[Event]));
        let is_back = Some((REACHED, &[] as &[Event]));
        row(
            Cause::Ended,
            &[None, None, reached, FALLS_SHORT, None, None, moved_up, is_back, None, None, None],
        );
        assert_eq!(Some(Walking(PARTIAL).after(Cause::Ended)), FALLS_SHORT);
    }

    #[test]
    fn one_that_is_pushed_off_its_target_comes_back_or_asks_or_rests_beside_others() {
        let mut changes = [None; 11];
        changes[4] = Some((PUSHED, &[] as &[Event]));
        row(Cause::PushedOff, &changes);
        changes = [None; 11];
        changes[5] = Some((BESIDE, &[Event::Blocked] as &[Event]));
        changes[7] = changes[5];
        row(Cause::KeptOff, &changes);
        changes[5] = None;
        (changes[6], changes[7]) = (ASKS, ASKS);
        row(Cause::CannotReturn, &changes);
    }

    #[test]
    fn an_order_of_the_crowd_counts_instead_of_a_target() {
        row(Cause::Sent, &[IS_LED; 11]);
    }

    #[test]
    fn one_that_rests_by_its_crowd_is_where_it_was_sent_or_beside_others() {
        let beside = Some((BESIDE, &[Event::Blocked, Event::Finished] as &[Event]));
        let arrived = Some((ARRIVED, &[Event::TargetReached, Event::Finished] as &[Event]));
        row(
            Cause::Rested,
            &[None, beside, beside, FALLS_SHORT, None, None, None, None, arrived, arrived, None],
        );
    }

    #[test]
    fn only_one_that_is_led_is_cut_off_and_led_on() {
        let cut_off = Some((CUT_OFF, &[Event::Finished] as &[Event]));
        row(Cause::CutOff, &[None, None, None, None, None, None, None, None, cut_off, None, None]);
        row(Cause::LedOn, &[None, None, None, None, None, None, None, None, None, IS_LED, None]);
    }

    #[test]
    fn an_order_ends_with_the_membership_and_a_walk_does_not() {
        let ends = Some((Idle, &[Event::Finished] as &[Event]));
        row(Cause::LetGo, &[None, None, None, None, None, None, IS_SHORT, None, ends, ends, IDLES]);
    }

    #[test]
    fn what_scripts_see_is_read_off_the_behaviour() {
        let finished = COLUMNS.map(Behaviour::is_finished);
        assert_eq!(finished, [true, false, false, false, true, true, true, true, false, true, true]);
        let reached = COLUMNS.map(Behaviour::is_reached);
        assert_eq!(reached, [false, false, false, false, true, false, false, false, false, false, true]);
        let stuck = |from: Behaviour| from.is_blocked(Some(AgentState::Stuck));
        assert_eq!(COLUMNS.map(stuck), [true, true, true, true, true, true, true, true, true, false, true]);
        let blocked = |from: Behaviour| from.is_blocked(Some(AgentState::Blocked));
        assert_eq!(COLUMNS.map(blocked), COLUMNS.map(stuck));
        let moving = |from: Behaviour| from.is_blocked(Some(AgentState::Moving));
        assert_eq!(COLUMNS.map(moving), COLUMNS.map(|from| from == BESIDE));
        assert_eq!(COLUMNS.map(|from| from.is_blocked(None)), COLUMNS.map(|from| from == BESIDE));
    }
}
