//! What a walker does, and every change from one to another: the table in the [module's documentation](super).

use super::{Event, Goal};

/// What a walker does.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) enum Behaviour {
    /// It has no target.
    #[default]
    Idle,
    /// It rests until there is a path to its target.
    Asking,
    /// It walks along a path.
    Walking(Walk),
    /// It was refused a path under way, and walks to the centre of a placement.
    Settling,
    /// It is at the end of its path, or was refused one.
    Finished {
        /// It is at its target.
        reached: bool,
    },
}

/// The path that a body walks along.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Walk {
    /// Where it leads. That of a former target, until the path to the new one comes.
    pub goal: Goal,
    /// The path leads all the way to the goal.
    pub is_complete: bool,
    /// These are the first steps, and the rest is to come.
    pub is_prefix: bool,
    /// An edit has touched the path, and no other has come since.
    pub is_in_doubt: bool,
}

/// What changes a behaviour.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Cause {
    /// There is a target, and it is another one, or the body has left it.
    Ordered,
    /// There is no target any more.
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
}

impl Behaviour {
    /// Returns the behaviour after `cause`, and what is told of it.
    // In the order of the table, not by what comes of it.
    #[allow(clippy::match_same_arms)]
    pub fn after(self, cause: Cause) -> (Self, &'static [Event]) {
        let refused = Self::Finished { reached: false };
        match (self, cause) {
            (_, Cause::Stopped) => (Self::Idle, &[]),
            (Self::Walking(_), Cause::Ordered) => (self, &[]),
            (_, Cause::Ordered) => (Self::Asking, &[]),
            (Self::Idle, _) => (Self::Idle, &[]),
            (_, Cause::SetOut(walk)) => (Self::Walking(walk), &[Event::PathChanged]),
            (Self::Walking(walk), Cause::Edited) => (Self::Walking(Walk { is_in_doubt: true, ..walk }), &[]),
            (Self::Walking(_), Cause::Refused { settles: true }) => (Self::Settling, &[]),
            (Self::Settling, Cause::Refused { .. }) => (Self::Settling, &[]),
            (Self::Finished { .. }, Cause::Refused { .. }) => (refused, &[]),
            (Self::Asking | Self::Walking(_), Cause::Refused { .. }) | (Self::Settling, Cause::Ended) => {
                (refused, &[Event::Finished])
            }
            (Self::Asking | Self::Walking(_) | Self::Settling, Cause::Lost) => (Self::Asking, &[]),
            (Self::Walking(walk), Cause::Ended) if walk.is_complete => {
                (Self::Finished { reached: true }, &[Event::TargetReached, Event::Finished])
            }
            (Self::Walking(_), Cause::Ended) => (refused, &[Event::Finished]),
            (_, Cause::Edited | Cause::Lost | Cause::Ended) => (self, &[]),
        }
    }

    /// Returns `true` if the body has something to walk along.
    pub const fn is_under_way(self) -> bool {
        matches!(self, Self::Walking(_) | Self::Settling)
    }

    /// Returns `true` if there is nothing to walk to and nothing is waited for.
    pub const fn is_finished(self) -> bool {
        matches!(self, Self::Idle | Self::Finished { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Cell;
    use crate::world::GoalMode;

    const WALK: Walk = Walk {
        goal: Goal { cell: Cell::new(3, 4), mode: GoalMode::Exact },
        is_complete: true,
        is_prefix: false,
        is_in_doubt: false,
    };
    const DOUBT: Walk = Walk { is_in_doubt: true, ..WALK };
    const PARTIAL: Walk = Walk { is_complete: false, ..WALK };
    const REFUSED: Cause = Cause::Refused { settles: false };
    const REFUSED_BETWEEN: Cause = Cause::Refused { settles: true };

    /// Holds one row of the table: what each cause makes of a behaviour.
    fn row(from: Behaviour, to: &[(Cause, Behaviour, &[Event])]) {
        for &(cause, behaviour, told) in to {
            assert_eq!(from.after(cause), (behaviour, told), "{from:?} after {cause:?}");
        }
    }

    use Behaviour::{Asking, Finished, Idle, Settling, Walking};
    const REACHED: Behaviour = Finished { reached: true };
    const SHORT: Behaviour = Finished { reached: false };

    #[test]
    fn without_a_target_only_a_target_matters() {
        row(
            Idle,
            &[
                (Cause::Ordered, Asking, &[]),
                (Cause::Stopped, Idle, &[]),
                (Cause::SetOut(WALK), Idle, &[]),
                (Cause::Edited, Idle, &[]),
                (REFUSED, Idle, &[]),
                (Cause::Lost, Idle, &[]),
                (Cause::Ended, Idle, &[]),
            ],
        );
    }

    #[test]
    fn one_that_asks_sets_out_or_is_refused() {
        row(
            Asking,
            &[
                (Cause::Ordered, Asking, &[]),
                (Cause::Stopped, Idle, &[]),
                (Cause::SetOut(WALK), Walking(WALK), &[Event::PathChanged]),
                (Cause::Edited, Asking, &[]),
                (REFUSED, SHORT, &[Event::Finished]),
                (REFUSED_BETWEEN, SHORT, &[Event::Finished]),
                (Cause::Lost, Asking, &[]),
                (Cause::Ended, Asking, &[]),
            ],
        );
    }

    #[test]
    fn one_that_walks_goes_on_until_something_ends_it() {
        row(
            Walking(WALK),
            &[
                (Cause::Ordered, Walking(WALK), &[]),
                (Cause::Stopped, Idle, &[]),
                (Cause::SetOut(PARTIAL), Walking(PARTIAL), &[Event::PathChanged]),
                (Cause::Edited, Walking(DOUBT), &[]),
                (REFUSED, SHORT, &[Event::Finished]),
                (REFUSED_BETWEEN, Settling, &[]),
                (Cause::Lost, Asking, &[]),
                (Cause::Ended, REACHED, &[Event::TargetReached, Event::Finished]),
            ],
        );
        row(Walking(PARTIAL), &[(Cause::Ended, SHORT, &[Event::Finished])]);
        row(Walking(DOUBT), &[(Cause::SetOut(WALK), Walking(WALK), &[Event::PathChanged])]);
    }

    #[test]
    fn one_that_settles_finishes_there() {
        row(
            Settling,
            &[
                (Cause::Ordered, Asking, &[]),
                (Cause::Stopped, Idle, &[]),
                (Cause::SetOut(WALK), Walking(WALK), &[Event::PathChanged]),
                (Cause::Edited, Settling, &[]),
                (REFUSED, Settling, &[]),
                (REFUSED_BETWEEN, Settling, &[]),
                (Cause::Lost, Asking, &[]),
                (Cause::Ended, SHORT, &[Event::Finished]),
            ],
        );
    }

    #[test]
    fn one_that_has_finished_does_not_finish_again() {
        for from in [REACHED, SHORT] {
            row(
                from,
                &[
                    (Cause::Ordered, Asking, &[]),
                    (Cause::Stopped, Idle, &[]),
                    (Cause::SetOut(WALK), Walking(WALK), &[Event::PathChanged]),
                    (Cause::Edited, from, &[]),
                    (REFUSED, SHORT, &[]),
                    (REFUSED_BETWEEN, SHORT, &[]),
                    (Cause::Lost, from, &[]),
                    (Cause::Ended, from, &[]),
                ],
            );
        }
    }
}
