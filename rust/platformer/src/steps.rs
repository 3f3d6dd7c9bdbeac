//! The steps of a body on its layers: what a state can step to, and at what cost. Searches say what a step
//! means to them.

use super::jump_table::{AIR, JumpTable, KINDS, NONE};
use super::profile::JumpProfile;
use super::state::State;
use pathforge_core::bitgrid::{GridLayout, PaddedIndex};
use pathforge_core::cost::STRAIGHT;
use pathforge_core::primitives::GridPoint;
use pathforge_core::surfaces::BodyLayers;

/// What each cell is to a body, see [`KINDS`], 64 cells an entry: three bits are read at one place.
#[derive(Clone, Debug)]
pub(super) struct CellKinds(Vec<[u64; 4]>);

impl CellKinds {
    pub(super) fn new(layers: &BodyLayers) -> Self {
        let mut kinds = Self(vec![[0; 4]; layers.fits().words().len()]);
        for word in 0..kinds.0.len() {
            kinds.update(layers, word);
        }
        kinds
    }

    /// Brings one word up to date.
    pub(super) fn update(&mut self, layers: &BodyLayers, word: usize) {
        let [fits, ground, ceiling] =
            [layers.fits(), layers.ground(), layers.ceiling()].map(|grid| grid.words()[word]);
        self.0[word] = [fits, ground, ceiling, 0];
    }

    #[inline]
    fn at(&self, index: usize) -> usize {
        let index = PaddedIndex::new(index);
        let [fits, ground, ceiling, _] = self.0[index.word()];
        let bit = |word: u64| (word >> index.bit()) as usize & 1;
        bit(fits) | bit(ground) << 1 | bit(ceiling) << 2
    }

    #[inline]
    fn has(&self, index: usize, kind: usize) -> bool {
        let index = PaddedIndex::new(index);
        self.0[index.word()][kind] >> index.bit() & 1 == 1
    }
}

/// The steps of one profile on one map. Everything here works on anchors in padded columns and rows.
#[derive(Clone, Copy)]
pub(super) struct Steps<'a> {
    kinds: &'a CellKinds,
    layout: GridLayout,
    pub(super) table: &'a JumpTable,
    pub(super) stride: usize,
    /// The costs of a step up or sideways in the air, of one down, and of a take-off.
    pub(super) rise: u32,
    pub(super) fall: u32,
    pub(super) jump_cost: u32,
    /// The profile's limits; `u32::MAX` for none.
    air_run_max: u32,
    fall_max: u32,
}

/// The state that is expanded.
#[derive(Clone, Copy)]
pub(super) struct Source {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) index: usize,
    pub(super) state: State,
    pub(super) g: u32,
    pub(super) number: u32,
}

/// Column, row and index of a cell that is stepped to, and what is known of it.
pub(super) type Target<K> = (u16, u16, usize, K);

/// Where a step leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    Down = 0,
    Up = 1,
    Left = 2,
    Right = 3,
}

impl Direction {
    /// The direction whose number the two lowest bits are.
    pub(super) const fn of(bits: u8) -> Self {
        [Self::Down, Self::Up, Self::Left, Self::Right][(bits & 3) as usize]
    }

    /// The direction from one cell to the one beside it.
    pub(super) const fn between(from: (u16, u16), to: (u16, u16)) -> Self {
        if to.1 != from.1 {
            if to.1 > from.1 { Self::Down } else { Self::Up }
        } else if to.0 < from.0 {
            Self::Left
        } else {
            Self::Right
        }
    }
}

/// What takes steps.
pub(super) trait Stepper {
    /// What is known of a cell.
    type Known: Copy;

    fn known(&self, index: usize) -> Self::Known;

    /// Takes a step.
    fn reach<const LIMITED: bool>(
        &mut self,
        steps: &Steps,
        from: Source,
        to: Target<Self::Known>,
        state: State,
        cost: u32,
    );
}

impl<'a> Steps<'a> {
    /// The steps of a body of `profile`, whose table is `table`.
    pub(super) fn new(
        layout: GridLayout,
        kinds: &'a CellKinds,
        profile: &JumpProfile,
        table: &'a JumpTable,
    ) -> Self {
        let limit = |max: u32| if max == 0 { u32::MAX } else { max };
        // Every step up or down pays for the air; a step sideways may be a walk.
        let rise = STRAIGHT + profile.air_cost;
        Self {
            kinds,
            layout,
            table,
            stride: layout.stride(),
            rise,
            fall: rise + profile.fall_cost,
            jump_cost: profile.jump_cost,
            air_run_max: limit(profile.max_air_run),
            fall_max: limit(profile.max_fall),
        }
    }

    /// How many padded cells there are.
    pub(super) const fn cells(&self) -> usize {
        self.layout.padded_len()
    }

    /// The padded index of an anchor.
    #[inline]
    pub(super) fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * self.stride + usize::from(x)
    }

    /// The anchor at a padded index.
    #[inline]
    pub(super) const fn anchor(&self, index: usize) -> GridPoint {
        GridPoint::of_index(PaddedIndex::new(index), self.layout)
    }

    #[inline]
    pub(super) fn is_open(&self, index: usize) -> bool {
        self.kinds.has(index, 0)
    }

    #[inline]
    pub(super) fn is_ground(&self, index: usize) -> bool {
        self.kinds.has(index, 1)
    }

    /// Takes every step from a state; to the left and to the right only where `sides` says so. Steps sideways
    /// come first or last: after them more is left of a jump, so they should be expanded first among states
    /// of equal cost.
    #[inline]
    pub(super) fn take<S: Stepper, const LIMITED: bool, const SIDES_FIRST: bool>(
        &self,
        stepper: &mut S,
        from: Source,
        sides: [bool; 2],
    ) {
        let moves = self.table.moves(from.state.value());
        let Source { x, y, index, .. } = from;
        // The data of all four cells is read before any step, so that their cache misses overlap: 1.1 to 1.3
        // times as fast, together with the mask of values in them.
        let [below, above, left, right] =
            [index + self.stride, index - self.stride, index - 1, index + 1].map(|i| (i, stepper.known(i)));
        let beside = |stepper: &mut S| {
            if moves.side[AIR] != NONE {
                if sides[0] {
                    self.step_sideways::<S, LIMITED>(stepper, from, (x - 1, y, left.0, left.1), moves.side);
                }
                if sides[1] {
                    self.step_sideways::<S, LIMITED>(stepper, from, (x + 1, y, right.0, right.1), moves.side);
                }
            }
        };
        if SIDES_FIRST {
            beside(stepper);
        }
        if !LIMITED || from.state.fallen() < self.fall_max {
            self.step::<S, LIMITED>(
                stepper,
                from,
                (x, y + 1, below.0, below.1),
                moves.down,
                self.fall,
                (1, 0),
            );
        }
        if moves.up[AIR] != NONE {
            let cost = self.rise + if moves.takes_off { self.jump_cost } else { 0 };
            self.step::<S, LIMITED>(stepper, from, (x, y - 1, above.0, above.1), moves.up, cost, (0, 0));
        }
        if !SIDES_FIRST {
            beside(stepper);
        }
    }

    #[inline]
    fn step_sideways<S: Stepper, const LIMITED: bool>(
        &self,
        stepper: &mut S,
        from: Source,
        to: Target<S::Known>,
        next: [u8; KINDS],
    ) {
        // From ground to ground is a walk: it costs no air, and no ceiling stops it. In the air a state can
        // have the value of ground, see `JumpProfile::air_start_value`.
        if from.state == State::GROUND && self.is_ground(from.index) && self.is_ground(to.2) {
            stepper.reach::<LIMITED>(self, from, to, State::GROUND, STRAIGHT);
            return;
        }
        if LIMITED && from.state.air_run() >= self.air_run_max {
            return;
        }
        self.step::<S, LIMITED>(stepper, from, to, next, self.rise, (0, 1));
    }

    /// Takes a step with an end in the air, which adds so many cells fallen and steps sideways.
    #[inline]
    fn step<S: Stepper, const LIMITED: bool>(
        &self,
        stepper: &mut S,
        from: Source,
        to: Target<S::Known>,
        next: [u8; KINDS],
        cost: u32,
        (fallen, air_run): (u32, u32),
    ) {
        let kind = self.kinds.at(to.2);
        let value = next[kind];
        if value == NONE {
            return;
        }
        let state = if LIMITED && kind & 2 == 0 {
            // A count without a limit stays 0: it would keep states from dominating each other for nothing.
            let counted = |max: u32, sum: u32| if max == u32::MAX { 0 } else { sum };
            State::new(
                value,
                counted(self.fall_max, from.state.fallen() + fallen),
                counted(self.air_run_max, from.state.air_run() + air_run),
            )
        } else {
            State::new(value, 0, 0)
        };
        stepper.reach::<LIMITED>(self, from, to, state, cost);
    }

    /// The cell beside one.
    pub(super) const fn neighbour(&self, index: usize, direction: Direction) -> usize {
        match direction {
            Direction::Down => index + self.stride,
            Direction::Up => index - self.stride,
            Direction::Left => index - 1,
            Direction::Right => index + 1,
        }
    }

    /// The value after a step from `value` at `from` to `to`, which the rules allow.
    pub(super) fn value_after(&self, value: u8, from: usize, to: usize) -> u8 {
        let moves = self.table.moves(value);
        let next = match to {
            _ if to == from + self.stride => moves.down,
            _ if to + self.stride == from => moves.up,
            _ => moves.side,
        };
        next[self.kinds.at(to)]
    }
}
