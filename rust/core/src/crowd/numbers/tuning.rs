//! Most numbers that were chosen by measuring: each with its unit and what it is for. A few stand where they
//! are used.
//!
//! The feature `tuning` of the crate, which only the bench turns on, lets one of them be varied: `cargo xtask
//! bench --vary` halves and doubles each and prints which figures of small scenes change.
//! `docs/decisions/crowds.md` has what was found.

#[cfg(feature = "tuning")]
use std::sync::{LazyLock, OnceLock};

use super::millis::Millis;
#[cfg(feature = "tuning")]
use super::varied::Varied;

macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident: $Type:ty = $value:expr;)*) => {
        /// The numbers that were chosen by measuring.
        #[derive(Clone, Copy, Debug)]
        pub(in crate::crowd) struct Tuning {
            $($(#[$doc])* pub $name: $Type,)*
        }

        impl Tuning {
            const CHOSEN: Self = Self { $($name: $value),* };
        }

        #[cfg(feature = "tuning")]
        impl Tuning {
            const NAMES: &[&str] = &[$(stringify!($name)),*];

            fn vary(&mut self, name: &str, factor: f64) {
                $(if name == stringify!($name) {
                    self.$name = Varied::times(self.$name, factor);
                })*
            }
        }
    };
}

tuning! {
    // Avoidance.
    /// Seconds ahead in which no other agent is to be touched. Longer is smoother in the open and slower in
    /// an exit.
    horizon: f32 = 1.0;
    /// The part of the avoiding that each of two takes. Half is enough where both have room; where many
    /// press, more leaves less overlap and lets a tenth more through an exit.
    avoiding_share: f32 = 0.9;
    /// The one that goes first takes less of it by this, so that two in front of a gap do not wait for each
    /// other.
    avoiding_more: f32 = 0.05;
    /// What the one ahead of another one of its group takes of it: who follows takes the rest.
    ahead_share: f32 = 0.3;
    /// What is left of it towards one of a lower class.
    avoiding_lesser_share: f32 = 0.2;
    /// Neighbours whose discs are farther away than this are neither looked at nor followed, in cells. The
    /// front of a march slows down when agents are farther from their slots on average. An agent that asks
    /// for a place nearer than this needs one that it sees.
    look: f32 = 1.0;
    /// How far an agent that meets others leans to its right where as much goes its way on both sides: a
    /// tangent.
    leaning: f32 = 0.35;
    /// A wall that takes less than this part of a driven body's speed is brushed.
    walled: f32 = 0.05;
    /// A line that runs so nearly across a wall says nothing of the velocity along it: the sine of the angle
    /// between them.
    across: f32 = 0.05;
    // Bodies that stand.
    /// A body squeezes by a standing one if they overlap by less than this, in cells.
    squeezes_by: f32 = 0.05;
    /// What a step through a body that stands costs beside the step, in cells.
    through: f32 = 5000.0;
    // Rooms.
    /// The part of a room that its bodies fill.
    filled_part: f32 = 0.76;
    /// A cell farther down the flow is worth so many of rank.
    depth: f32 = 2.0;
    /// A cell of rank is worth a way of so many cells. In streets, and while some find their way closed, of so
    /// many more.
    worth: f32 = 3.0;
    worth_in_streets: f32 = 2.0;
    /// The least gain for which an agent under way goes on, in cells of way, and at rest, in cells of rank.
    gain: f32 = 1.0;
    better: f32 = 6.0;
    /// An agent that settles closes up for so long at most.
    closes_up: Millis = Millis(500);
    /// An agent without headway for so long rests where it is, if its way is closed. If it is not, three times
    /// as long in the room, and four times outside it.
    stalls_in: Millis = Millis(2000);
    stalls_out: Millis = Millis(5000);
    /// So much on its way is headway, in cells.
    headway: f32 = 0.5;
    /// None is told before it stood for so long.
    told_after: Millis = Millis(4000);
    /// An agent that seems blocked is given so many looks when the search finds it a place. One that rests goes
    /// on twice as often at most, until it is told what it is.
    tries: u16 = 4;
    /// A goal that took a body in draws on others for so many substeps.
    draws_for: u32 = 600;
    // Contact.
    /// The part of an overlap that is taken away in a round; more than all, so that pushes get far.
    firmness: f32 = 1.3;
    /// Overlaps below this part of the smaller radius are left alone, so that agents at rest keep still.
    left_alone: f32 = 0.006;
    /// The part of an overlap with one that walks that is up to one that rests.
    rest_share: f32 = 0.4;
    // Preferred velocity.
    /// An agent this near to its place is there, in cells.
    at_place: f32 = 0.05;
    /// An agent this near to a point of its path heads for the next, in cells.
    at_point: f32 = 0.6;
    /// The parts of the rest of its path that an agent walks in a second at its end. More overshoots.
    braking: f32 = 8.0;
    /// An agent walks straight to its own place from at most this far, in cells.
    homing_max: f32 = 64.0;
    // Held up: slower than it wants.
    /// Slower than this part of what it wants, an agent is held up; through others at rest it pushes so fast.
    held_up: f32 = 0.25;
    /// An agent that is held up for this long on the way to its place looks for another one to swap with.
    swap_after: Millis = Millis(100);
    /// Substeps between two looks for an agent to swap with.
    swap_substeps: u32 = 4;
    /// An agent that is held up for this long presses on those that rest before it, and yields to one with
    /// the right of way.
    patience: Millis = Millis(150);
    /// An agent that is held up for this long counts as waiting, until it is held up no more.
    waits_after: Millis = Millis(200);
    /// An agent that is held up for this long pushes through others at rest; on the way to a place in a
    /// formation it presses on its own group, too. One that has come no nearer for this long is blocked if
    /// another one right before it rests for its goal. One that takes turns backs off until this much of its
    /// time is left.
    insists_after: Millis = Millis(1000);
    /// An agent that is held up for this long and comes no nearer takes turns with those around it, for as
    /// long. One that is blocked for longer goes round others no more. After each such time without coming
    /// nearer the rank changes between its own and the last.
    turns_after: Millis = Millis(2500);
    // No nearer.
    /// Time between two looks whether an agent has come nearer. An agent that has come no nearer for this
    /// long on the way to its place may count as arrived. One that is held up for this long on the way back
    /// to where it rested rests. One that is blocked for this long goes round an agent that has arrived, and
    /// settles if it has come no nearer for much longer.
    window: Millis = Millis(500);
    /// An agent has come nearer if it is nearer by this many cells. In a jam all stir: where they are says
    /// more than how fast they move.
    creep: f32 = 0.1;
    /// An agent that has come no nearer for this long need not be right before those that block it, and does
    /// not let others that come towards it carry it along.
    long: Millis = Millis(8000);
    /// An agent that has come no nearer for this long settles wherever it is blocked, and takes another place
    /// in its formation near its own.
    very_long: Millis = Millis(16_000);
    // Blocked.
    /// An agent that is blocked for this long settles where it is. One that has come no nearer for this long
    /// may be wedged with others before a narrow place. One whose time to close up has been over for this
    /// long settles however deep it is in others.
    settles_after: Millis = Millis(4000);
    // Stuck.
    /// An agent that is still stuck after this many times the time until it is stuck ghosts.
    frees_after: u16 = 4;
    /// How long one that was stuck ghosts, and the first of an arch shoves.
    ghosts_for: Millis = Millis(1200);
    // Right of way.
    /// Agents whose discs are at most this far apart oppose each other, in cells.
    opposing: f32 = 0.35;
    /// Discs at most this far apart are right before each other, in cells.
    beside: f32 = 0.4;
    /// An agent yields for so long, and stands aside for so long after none presses on it any more.
    yields_for: Millis = Millis(700);
    /// An agent lends its own rank for this long.
    lent_for: Millis = Millis(4080);
    /// Each agent that passes a lent rank on shortens its time by this. Without that, the rank of one that
    /// has long arrived would go round in a jam for ever, all would have the same, and none would give way.
    lent_hop: Millis = Millis(16);
    /// After the last contact the time of a lent rank runs out this many times as fast.
    lent_alone: u16 = 3;
    /// Substeps of a turn.
    turn: u32 = 48;
    /// An agent that takes turns goes on in one of this many.
    turns: u32 = 3;
    // Making way at rest.
    /// Agents whose discs are at most this far apart press on one that rests, in cells.
    pressing: f32 = 0.25;
    /// A driven body, which nothing here can stop, presses from this far, in cells.
    pressing_driven: f32 = 0.8;
    /// The length of the step that is tried where room is looked for, in cells.
    probe: f32 = 0.4;
    /// An agent has room to stand aside if this much of a tried step can be made, in cells.
    probe_room: f32 = 0.25;
    // Places.
    /// An agent that was pushed this far from where it rests comes back, in cells; one that is this far off
    /// its slot in a march may swap it. Agents are pushed through only if their discs are at most this far
    /// apart.
    away: f32 = 0.3;
    /// Substeps between two rounds of handing out places.
    round_substeps: u32 = 32;
    /// Two swap places when the sum of their squared ways shrinks by more than this.
    swap_gain: f32 = 0.02;
    /// Substeps between two looks whether the straight line to the own place is free, and between two
    /// orderings of the arrays by position. No agent gets far meanwhile.
    look_substeps: u32 = 8;
    /// Discs of places may overlap by this part of the smaller radius.
    place_overlap: f32 = 0.02;
    /// A place in a formation is better by so many cells for each cell that it is nearer to the agent: what
    /// lies behind others is far.
    on_the_way: f32 = 0.5;
    /// A place within so many radii can be had instead of one's own. With 40, agents of large bodies settled
    /// among the enemy.
    by_its_place: f32 = 8.0;
    /// An agent on the way to another place than its own looks for one where it is after it has pushed
    /// through others at rest for this long.
    pushes_to_another: Millis = Millis(20_000);
    // Arriving and closing up.
    /// An agent that was announced as arrived walks around its goal for at most this long, then it stays
    /// where it is. One that has pushed through others at rest for this long on the way to its place, or has
    /// come no nearer to a place that it has seen, takes one where it is.
    closes_up_max: Millis = Millis(60_000);
    /// Bodies settle, and count as there, within so many radii of the disc that they fill. Path costs
    /// are up to a twelfth longer than straight ways, and those of large bodies end a little beside those of
    /// small ones.
    far: f32 = 1.4;
    // The room of a group.
    /// An agent at most this many of its radii from its goal has arrived beside the first.
    beside_radii: f32 = 4.0;
    /// An agent goes on when there is room for it this many of its radii ahead.
    ahead_radii: f32 = 2.1;
    /// Each time that an agent goes on shortens the time that it may close up by this.
    try_again: Millis = Millis(5000);
    // Marches.
    /// The direction of a path is that between the points this far before and behind, in cells.
    bend: f32 = 2.0;
    /// Room beside the path of a march is looked for in steps of this length, in cells.
    march_probe: f32 = 0.5;
    /// Slots that are moved inwards fall back by this part of it.
    fall_back: f32 = 0.8;
    /// An agent walks straight to its slot in a march from at most this far, in cells.
    straight_max: f32 = 24.0;
    /// Two swap slots when the sum of their squared ways shrinks by more than this.
    slot_swap_gain: f32 = 0.1;
    /// Room between two slots, in parts of the largest diameter.
    march_spacing: f32 = 1.3;
    /// The speed of the front of a march, in parts of that of the slowest agent: those behind can catch up.
    march_pace: f32 = 0.85;
    /// The mean distance between agents and their slots at which the front nearly stands, in cells. It slows
    /// down from `look` on.
    march_lost: f32 = 4.0;
    /// The front never stands: this part of its pace is left. One that cannot come must not hold up all.
    march_creep: f32 = 0.1;
    /// An agent counts in the mean distance of a march with at most this many cells.
    march_far: f32 = 12.0;
    /// Substeps between looks for slots to swap.
    march_swap_substeps: u32 = 16;
    // Driven bodies.
    /// A driven body that is faster than this moves, in cells a second.
    moving_speed: f32 = 0.2;
    /// A body that goes less than this part of where it was sent is held by something.
    defies: f32 = 0.3;
    /// A body that is at most this far from where it was sent went there, in cells.
    obeyed: f32 = 0.02;
    /// A body that has moved farther than this many times its way at full speed, and than `put_cells`, was
    /// put there by the game.
    put_times: f32 = 3.0;
    /// See `put_times`, in cells.
    put_cells: f32 = 1.0;
    // Neighbour lists.
    /// From this radius on, an agent is big and has more neighbours, in cells.
    big: f32 = 0.75;
    /// Side of the bins that agents are sorted into, in cells. Larger ones hold more agents that are not
    /// near.
    bin_side: f32 = 2.0;
    /// Neighbours are kept for at most this many substeps.
    near_substeps: u32 = 3;
    /// Neighbours are kept while no two agents can have come nearer to each other by more than this, in
    /// cells.
    drift_max: f32 = 0.3;
}

/// The numbers in use.
#[cfg(not(feature = "tuning"))]
pub(in crate::crowd) const TUNING: &Tuning = &Tuning::CHOSEN;

#[cfg(feature = "tuning")]
static VARIED: OnceLock<(String, f64)> = OnceLock::new();

/// The numbers in use.
#[cfg(feature = "tuning")]
pub(in crate::crowd) static TUNING: LazyLock<Tuning> = LazyLock::new(|| {
    let mut tuning = Tuning::CHOSEN;
    if let Some((name, factor)) = VARIED.get() {
        tuning.vary(name, *factor);
    }
    tuning
});

/// Returns the names of all numbers.
#[cfg(feature = "tuning")]
pub const fn names() -> &'static [&'static str] {
    Tuning::NAMES
}

/// Multiplies one number by `factor` for the rest of the process, before the first step of a crowd; `false`
/// for the second time.
#[cfg(feature = "tuning")]
pub fn vary(name: &str, factor: f64) -> bool {
    VARIED.set((name.to_owned(), factor)).is_ok()
}
