//! The numbers that were chosen by measuring: each with its unit and what it is for.
//!
//! The feature `tuning` of the crate, which only the bench turns on, lets one of them be varied: `cargo xtask bench --vary` halves and
//! doubles each and prints which figures of small scenes change. `docs/decisions/crowds.md` has what was found.

#[cfg(feature = "tuning")]
use std::sync::{LazyLock, OnceLock};

use super::millis::Millis;
#[cfg(feature = "tuning")]
use super::varied::Varied;

macro_rules! tuning {
    ($($(#[$doc:meta])* $name:ident: $Type:ty = $value:expr;)*) => {
        /// The numbers that were chosen by measuring.
        #[derive(Clone, Copy, Debug)]
        pub(super) struct Tuning {
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
    /// Seconds ahead in which no other agent is to be touched. Longer is smoother in the open and slower in an exit.
    horizon: f32 = 1.0;
    /// The part of the avoiding that each of two takes. Half is enough where both have room; where many press, more leaves less overlap
    /// and lets a tenth more through an exit.
    avoiding_share: f32 = 0.9;
    /// The one that goes first takes less of it by this, so that two in front of a gap do not wait for each other.
    avoiding_more: f32 = 0.05;
    /// What is left of it towards one of a lower class.
    avoiding_lesser_share: f32 = 0.2;
    /// Neighbours whose discs are farther away than this are not looked at, nor followed, in cells. The front of a march slows down from
    /// this mean distance between agents and their slots, and one that asks for a place so near to where it is wants one that it sees.
    look: f32 = 1.0;
    /// How far an agent that meets others leans to its right, so that lanes form: a tangent.
    leaning: f32 = 0.35;
    /// A wall that takes less than this part of a driven body's speed is brushed.
    walled: f32 = 0.05;
    /// A line that runs so nearly across a wall says nothing of the velocity along it: the sine of the angle between them.
    across: f32 = 0.05;
    // Contact.
    /// The part of an overlap that is taken away at once; less than all, because a disc between two is pushed by both.
    firmness: f32 = 0.8;
    /// Overlaps below this part of the smaller radius are left alone, so that agents at rest keep still.
    left_alone: f32 = 0.006;
    /// The part of an overlap with one that walks that is up to one that rests.
    rest_share: f32 = 0.15;
    /// The part of an overlap of two that rest around one goal that is up to the outer one. Those inside have no room to go to, and
    /// halves would take an overlap outwards through a crowd as slowly as heat.
    outer_share: f32 = 0.9;
    /// Of two that rest deeper in each other than this part of the smaller radius, one leaves.
    squeezed: f32 = 0.08;
    /// The longest way that an agent is pushed at once, in parts of its radius.
    push_max: f32 = 0.35;
    // Preferred velocity.
    /// So near to its place an agent is there, in cells.
    at_place: f32 = 0.05;
    /// So near to a point of its path it heads for the next, in cells.
    at_point: f32 = 0.6;
    /// The parts of the rest of its path that an agent walks in a second at its end. More overshoots.
    braking: f32 = 8.0;
    /// From so far an agent walks straight to its own place, in cells.
    homing_max: f32 = 64.0;
    // Held up: slower than it wants.
    /// Slower than this part of what it wants, an agent is held up; through others at rest it pushes so fast.
    held_up: f32 = 0.25;
    /// Held up so long on the way to its place, an agent looks for one to swap with,
    swap_after: Millis = Millis(100);
    /// every so many substeps.
    swap_substeps: u32 = 4;
    /// Held up so long, an agent presses on those that rest before it, and yields to one with the right of way.
    patience: Millis = Millis(150);
    /// Held up so long, an agent counts as waiting.
    waits_after: Millis = Millis(200);
    /// Held up so long, an agent pushes through others at rest; on the way to its place in a formation it presses on its own group, too. No
    /// nearer for so long, one with another right before it that rests for its goal is blocked. One that takes turns backs off until so much
    /// of its time is left.
    insists_after: Millis = Millis(1000);
    /// Held up so long close to its goal, where all wait for each other, an agent has arrived.
    centre_after: Millis = Millis(1500);
    /// Held up so long, an agent that comes no nearer takes turns with those around it, for as long; blocked so long, it goes round others no
    /// more. After each so long without coming nearer its rank changes between its own and the last.
    turns_after: Millis = Millis(2500);
    // No nearer.
    /// Time between looks whether an agent has come nearer. No nearer for so long, one on the way to its place may count as arrived; held up
    /// so long on the way back to where it rested, it rests. Blocked so long after it came no nearer for long, it settles: it may go to and
    /// fro before those that block it. Blocked so long, it goes round one that has arrived before it.
    window: Millis = Millis(500);
    /// Nearer by this many cells is nearer. In a jam all stir: where they are says more than how fast they move.
    creep: f32 = 0.1;
    /// No nearer for so long, it need not be right before those that block it.
    long: Millis = Millis(8000);
    /// No nearer for so long, it yields however much it stirs: bodies that hold each other may move to and fro without end. With 5 s, 6
    /// % fewer of two crowds get through a corridor of 12 cells in a minute.
    restless_after: Millis = Millis(12_000);
    /// No nearer for so long, it settles when it is blocked wherever it is, and takes another place in its formation near its own.
    very_long: Millis = Millis(16_000);
    // Blocked.
    /// Blocked so long, an agent settles where it is. No nearer for so long, it may be wedged with others before a narrow place. So long
    /// after its time to close up is over it settles however deep it is in others.
    settles_after: Millis = Millis(4000);
    // Stuck.
    /// So many times as long as until it is stuck, an agent that is still stuck ghosts.
    frees_after: u16 = 4;
    /// How long one that was stuck ghosts.
    ghosts_for: Millis = Millis(1200);
    /// An overlap deeper than this part of the smaller radius keeps one ghosting.
    ghosts_while: f32 = 0.2;
    // Right of way.
    /// Agents whose discs are at most so far apart oppose each other, in cells,
    opposing: f32 = 0.35;
    /// Discs at most this far apart are right before each other, in cells.
    beside: f32 = 0.4;
    /// An agent yields for so long, and stands aside for so long after none presses on it any more.
    yields_for: Millis = Millis(700);
    /// A rank is lent for so long by the agent whose own it is,
    lent_for: Millis = Millis(4080);
    /// and less by this by each that passes it on. Without that, the rank of one that has long arrived would go round in a jam for
    /// ever, all would have the same, and none would give way.
    lent_hop: Millis = Millis(16);
    /// After the last contact it runs out so many times as fast.
    lent_alone: u16 = 3;
    /// The substeps of a turn,
    turn: u32 = 48;
    /// and of how many turns an agent goes on in one.
    turns: u32 = 3;
    // Making way at rest.
    /// Discs at most so far apart press on one that rests, in cells,
    pressing: f32 = 0.25;
    /// and so far from a driven body, which nothing here can stop.
    pressing_driven: f32 = 0.8;
    /// There is room where most of a step of this length can be made, in cells:
    probe: f32 = 0.4;
    /// most of it is this part.
    probe_room: f32 = 0.25;
    /// An agent that pushes through others at rest goes no deeper into one than this part of the smaller radius, and one
    /// whose time to close up is over settles where no overlap is deeper.
    shoulders_depth: f32 = 0.03;
    // Places.
    /// An agent that was pushed so far from where it rests comes back, in cells; one that is so far off its slot in a march may swap it. Only
    /// agents whose discs are so near are pushed through.
    away: f32 = 0.3;
    /// Substeps between two rounds of handing out places.
    round: u32 = 32;
    /// An agent that comes so near to where all for its goal will rest is given a place, in cells,
    lead: f32 = 3.0;
    /// and in seconds of its path: places are handed out twice a second.
    lead_seconds: f32 = 1.5;
    /// Two swap places when the sum of their squared ways shrinks by more than this.
    swap_gain: f32 = 0.02;
    /// Substeps between looks that cost more than a step: whether the way to the own place is straight, and between two orderings of the
    /// arrays by position; no agent gets far meanwhile.
    look_substeps: u32 = 8;
    /// Room between two places, in parts of their distance.
    spacing: f32 = 1.015;
    /// Of the free places whose cost is at most so much above the least, in units, the nearest is taken.
    band: u32 = 34;
    /// Discs of places may overlap by this part of the smaller radius.
    place_overlap: f32 = 0.02;
    /// A place in a formation is better by so many cells for each cell that it is nearer to the agent: what lies behind others is far.
    on_the_way: f32 = 0.5;
    /// A place within so many radii can be had instead of one's own. With 40, agents of large bodies settled among the enemy.
    by_its_place: f32 = 8.0;
    /// One that has pushed through others at rest for so long on the way to another place than its own looks for one where it is.
    pushes_to_another: Millis = Millis(20_000);
    // Arriving and closing up.
    /// An agent that was announced as arrived walks no longer than this around its goal, then it stays where it is; one that has pushed so long
    /// through others at rest on the way to its place, or has come no nearer to one that it has seen, takes one where it is.
    closes_up_max: Millis = Millis(60_000);
    /// Others settle within so many radii of the disc that they fill; an agent farther out is far. Path costs are up to a twelfth
    /// longer than straight ways, and those of large bodies end a little beside those of small ones.
    far: f32 = 1.4;
    /// Rested so long on another, one leaves for a free place,
    squeezed_after: Millis = Millis(3000);
    /// some only after so many times as long: where one leaves, those around it have room.
    squeezed_turns: u16 = 4;
    /// When all of a group have arrived, each may close up for so long,
    closes_up_last: Millis = Millis(8000);
    /// and for so much longer for each cell, in milliseconds, that the disc of all is larger
    closes_up_more: f32 = 400.0;
    /// than this, in cells,
    closes_up_near: f32 = 12.0;
    /// up to so large a disc.
    closes_up_far: f32 = 100.0;
    // The room of a group.
    /// The part of a room that the squares around bodies fill.
    density: f32 = 0.6;
    /// The rim of a disc with this density, in radii of the disc that the squares fill without gaps: 1 / √0.6.
    open: f32 = 1.29;
    /// Those up to so many times the rim have arrived: cells are coarse, and bodies of three sizes leave gaps.
    roomy: f32 = 1.2;
    /// So many of its radii from its goal, an agent has arrived beside the first.
    beside_radii: f32 = 4.0;
    /// An agent goes on when there is room for it so many of its radii ahead.
    ahead_radii: f32 = 2.1;
    /// What going on once more counts of the time that an agent may close up.
    try_again: Millis = Millis(5000);
    // Marches.
    /// The direction of the path is taken between the places so far before and behind, in cells.
    bend: f32 = 2.0;
    /// How often is looked whether there is room beside the path, in cells.
    march_probe: f32 = 0.5;
    /// Those that are pushed inwards fall back by this part of it.
    fall_back: f32 = 0.8;
    /// An agent walks straight to its slot from so far, in cells.
    straight_max: f32 = 24.0;
    /// Two swap slots when the sum of their squared ways shrinks by more than this.
    slot_swap_gain: f32 = 0.1;
    /// Room between two slots, in parts of the largest diameter.
    march_spacing: f32 = 1.3;
    /// The front walks so fast, in parts of the slowest agent's speed: those behind can catch up.
    march_pace: f32 = 0.85;
    /// to this one, where it nearly stands.
    march_lost: f32 = 4.0;
    /// It never stands: one that cannot come must not hold up all.
    march_creep: f32 = 0.1;
    /// No agent counts with more than so many cells.
    march_far: f32 = 12.0;
    /// Substeps between looks for slots to swap.
    march_swap_substeps: u32 = 16;
    // Driven bodies.
    /// A driven body that is faster than this moves, in cells a second.
    moves: f32 = 0.2;
    /// A body that goes less than this part of where it was sent is held by something.
    defies: f32 = 0.3;
    /// A body that is no farther from where it was sent than this, in cells, went there.
    obeyed: f32 = 0.02;
    /// Farther than this many times its way at full speed,
    put_times: f32 = 3.0;
    /// and than this many cells, a body was not walked but put.
    put_cells: f32 = 1.0;
    // Neighbour lists.
    /// From this radius on, an agent is big and has more neighbours, in cells.
    big: f32 = 0.75;
    /// Side of the bins that agents are sorted into, in cells. Larger ones hold more agents that are not near.
    bin_side: f32 = 2.0;
    /// Substeps for which neighbours are kept,
    near_substeps: u32 = 3;
    /// while no two can have come nearer to each other by more than this, in cells.
    drift_max: f32 = 0.3;
}

/// The numbers in use.
#[cfg(not(feature = "tuning"))]
pub(super) const TUNING: &Tuning = &Tuning::CHOSEN;

#[cfg(feature = "tuning")]
static VARIED: OnceLock<(String, f64)> = OnceLock::new();

/// The numbers in use.
#[cfg(feature = "tuning")]
pub(super) static TUNING: LazyLock<Tuning> = LazyLock::new(|| {
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

/// Multiplies one number by `factor` for the rest of the process, before the first step of a crowd; `false` for the second time.
#[cfg(feature = "tuning")]
pub fn vary(name: &str, factor: f64) -> bool {
    VARIED.set((name.to_owned(), factor)).is_ok()
}
