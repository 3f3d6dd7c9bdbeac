//! The rules of jump values, the table of their steps, and which value dominates which.
//!
//! Built from a [`JumpProfile`] in O(values⁴) at worst, for at most 142 values and usually about 20; tables
//! are cached.
//!
//! State a *dominates* state b in the same cell when a can answer every step of b by the same step, at no
//! greater cost, and then dominates again. That is a simulation in the sense of Milner (*An Algebraic
//! Definition of Simulation between Programs*, 1971). Both stand in the same cell, so both fit, land and
//! touch the ceiling together; whatever b can still reach, a reaches at no greater cost. So a search drops b
//! once a was reached in its cell at no greater cost, and stays optimal. This holds for every rule that a
//! profile sets, since the largest such relation is computed, not argued.

use super::profile::{JUMP_HEIGHT_MAX, JumpProfile};

/// The first rows of a fall in which the body may move one step sideways in each.
const DRIFT_ROWS: u32 = 3;

/// The step rules of one profile.
///
/// Let H be the jump height in cells, 2H the value of a *spent* jump, and L = 2H + 6. A body may step from a
/// state with jump value v to each of the four neighbouring cells where it fits:
///
/// - **Up**, if v < 2H. The value becomes the next even number above v.
/// - **Sideways**, if v is even and at most L. The value becomes v + 1.
/// - **Down**, always. The value becomes the next even number above v, but at least 2H: the jump is over.
///   Down from ground is a drop through one-way cells, since the body does not fit into solid ones.
/// - From L on the fall is a long one, faster down than across. The value stays L, where the body may move
///   sideways. After a step sideways, to L + 1, it goes by L + 2, L + 4 and L + 6 back to L, so four cells
///   lie between two steps sideways.
/// - Where it then stands on ground, the value is 0 instead. Ground counts before the ceiling, so that a
///   corridor of the body's own height can be walked.
/// - Else, where it is at the ceiling, the value is at least 2H after a step up and at least 2H + 1 after a
///   step sideways.
///
/// So while v is odd the body moves up or down only, which keeps the arc plausible. A start on ground begins
/// with 0, a start in the air with 2H unless the profile says otherwise. The profile may also limit the steps
/// sideways from one ground to the next (*air run*), and the steps down in one fall.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct JumpRule {
    /// The value of a jump that is used up: twice its height.
    spent: u32,
}

impl JumpRule {
    const fn new(profile: &JumpProfile) -> Self {
        Self { spent: 2 * profile.max_jump_height }
    }

    /// The value after a step up to a place in the air; `None` if the body cannot rise.
    fn up(self, value: u32, ceiling: bool) -> Option<u32> {
        let next = next_even(value);
        (value < self.spent).then(|| if ceiling { next.max(self.spent) } else { next })
    }

    /// The value after a step sideways to a place in the air; `None` if the body cannot move sideways, to
    /// ground neither.
    fn side(self, value: u32, ceiling: bool) -> Option<u32> {
        let allowed = value.is_multiple_of(2) && value <= self.long_fall();
        let next = value + 1;
        allowed.then(|| if ceiling { next.max(self.spent + 1) } else { next })
    }

    /// The value after a step down to a place in the air.
    fn down(self, value: u32) -> u32 {
        let long_fall = self.long_fall();
        if value < long_fall {
            next_even(value).max(self.spent)
        } else if value == long_fall || next_even(value) == long_fall + 8 {
            // The fourth row since the last step sideways closes the cycle L + 1, L + 2, L + 4, L + 6, L.
            long_fall
        } else {
            next_even(value)
        }
    }

    /// The value of a long fall in which the body may move sideways.
    const fn long_fall(self) -> u32 {
        self.spent + 2 * DRIFT_ROWS
    }

    /// Number of values: the largest is the odd one below the value L + 8 that wraps around.
    const fn count(self) -> usize {
        self.long_fall() as usize + 8
    }
}

const fn next_even(value: u32) -> u32 {
    value / 2 * 2 + 2
}

/// No such step. Values stay below it: the largest is 2·64 + 2·3 + 7.
pub(super) const NONE: u8 = u8::MAX;
/// Words of a set of values.
const SET_WORDS: usize = (2 * (JUMP_HEIGHT_MAX + DRIFT_ROWS) as usize + 8).div_ceil(64);

/// What a cell is to a body, as bits: it fits, stands on ground, is at the ceiling. The last two imply the
/// first.
pub(super) const KINDS: usize = 8;
/// The body fits and is in the air.
pub(super) const AIR: usize = 1;

/// The steps of one value: for each kind of cell that they lead to, the value after them, or [`NONE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moves {
    pub(super) side: [u8; KINDS],
    pub(super) up: [u8; KINDS],
    pub(super) down: [u8; KINDS],
    /// `true` if a step up takes off, which costs extra.
    pub(super) takes_off: bool,
    /// Cells that the body can still rise without taking off.
    pub(super) rise_left: u8,
}

/// The rules written out for every value, and which value dominates which.
#[derive(Clone, Debug)]
pub(super) struct JumpTable {
    rule: JumpRule,
    moves: Vec<Moves>,
    /// For each value, the set of values that it dominates.
    dominated: Vec<[u64; SET_WORDS]>,
    masks: Vec<DominanceMask>,
}

/// The values that dominate a value, and the values that it dominates, one bit each; see [`JumpTable::bit`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DominanceMask {
    pub(super) dominating: u32,
    pub(super) dominated: u32,
}

impl JumpTable {
    /// Builds the table of a valid profile.
    pub(super) fn new(profile: &JumpProfile) -> Self {
        let rule = JumpRule::new(profile);
        let moves: Vec<Moves> = (0..rule.count() as u32).map(|value| moves_of(rule, value)).collect();
        // If take-offs are free, a value that must take off can dominate a value that rises already.
        let free_take_off = profile.jump_cost == 0;
        let dominated = largest_simulation(&moves, free_take_off);
        let mut masks = vec![DominanceMask::default(); moves.len()];
        for a in 0..moves.len() {
            for b in (0..moves.len()).filter(|&b| contains(&dominated[a], b)) {
                masks[a].dominated |= Self::bit(b as u8);
                masks[b].dominating |= Self::bit(a as u8);
            }
        }
        Self { rule, moves, dominated, masks }
    }

    /// The mask bit of a value. Above 32 values some share a bit, and a set bit then means "one of them".
    #[inline]
    pub(super) const fn bit(value: u8) -> u32 {
        1 << (value & 31)
    }

    /// Returns `true` if no two values share a mask bit.
    pub(super) fn has_unique_bits(&self) -> bool {
        self.moves.len() <= u32::BITS as usize
    }

    /// Which values dominate a value, and which it dominates.
    #[inline]
    pub(super) fn mask(&self, value: u8) -> DominanceMask {
        self.masks[usize::from(value)]
    }

    /// The value of a spent jump.
    pub(super) const fn spent(&self) -> u8 {
        self.rule.spent as u8
    }

    #[inline]
    pub(super) fn moves(&self, value: u8) -> &Moves {
        &self.moves[usize::from(value)]
    }

    /// Returns `true` if value `a` can do everything that `b` can, at no greater cost.
    #[inline]
    pub(super) fn dominates(&self, a: u8, b: u8) -> bool {
        contains(&self.dominated[usize::from(a)], usize::from(b))
    }
}

fn moves_of(rule: JumpRule, value: u32) -> Moves {
    let kinds = |next: [Option<u32>; 2]| {
        let [air, ceiling] = next.map(|next| next.map_or(NONE, |next| next as u8));
        // On ground the value is 0, if the step is allowed at all.
        let landed = |value: u8| if value == NONE { NONE } else { 0 };
        [NONE, air, NONE, landed(air), NONE, ceiling, NONE, landed(ceiling)]
    };
    // Values 0 and 1 rise by taking off, so nothing of that rise is free of its cost.
    let rising = (2..=rule.spent).contains(&value);
    Moves {
        side: kinds([false, true].map(|ceiling| rule.side(value, ceiling))),
        up: kinds([false, true].map(|ceiling| rule.up(value, ceiling))),
        down: kinds([Some(rule.down(value)); 2]),
        takes_off: value < 2,
        rise_left: if rising { (rule.spent + 1 - value) as u8 / 2 } else { 0 },
    }
}

/// For each value, the values that it dominates. Starts from all pairs and removes pairs that fail until no
/// pair does.
fn largest_simulation(moves: &[Moves], free_take_off: bool) -> Vec<[u64; SET_WORDS]> {
    // Bits beyond the values stay set; nothing reads them.
    let mut related = vec![[u64::MAX; SET_WORDS]; moves.len()];
    let mut settled = false;
    // Removing a pair can break others that relied on it.
    while !settled {
        settled = true;
        for a in 0..moves.len() {
            for b in 0..moves.len() {
                let holds = contains(&related[a], b);
                if holds && !answers(&related, moves[a], moves[b], free_take_off) {
                    related[a][b >> 6] &= !(1 << (b & 63));
                    settled = false;
                }
            }
        }
    }
    related
}

/// Returns `true` if `a` has an answer in `related` to every step of `b`.
fn answers(related: &[[u64; SET_WORDS]], a: Moves, b: Moves, free_take_off: bool) -> bool {
    let pairs = [(a.side, b.side), (a.up, b.up), (a.down, b.down)];
    // The only step whose cost depends on the value is a take-off. All others cost both the same.
    let costs_more = a.takes_off && !b.takes_off && b.up[AIR] != NONE && !free_take_off;
    !costs_more
        && pairs
            .into_iter()
            .flat_map(|(a, b)| a.into_iter().zip(b))
            .all(|(a, b)| b == NONE || a != NONE && contains(&related[usize::from(a)], usize::from(b)))
}

#[inline]
fn contains(set: &[u64; SET_WORDS], value: usize) -> bool {
    set[value >> 6] >> (value & 63) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jumps(max_jump_height: u32) -> JumpProfile {
        JumpProfile { max_jump_height, ..JumpProfile::default() }
    }

    #[test]
    fn the_longest_jump_has_the_values_of_the_series() {
        // Sideways off the edge, then up and sideways by turns to the top, then down and sideways by turns.
        let rule = JumpRule::new(&jumps(3));
        let mut values = vec![0];
        let mut value = 0;
        for step in ["side", "up", "side", "up", "side", "up", "side", "down", "side", "down"] {
            value = match step {
                "side" => rule.side(value, false).unwrap(),
                "up" => rule.up(value, false).unwrap(),
                _ => rule.down(value),
            };
            values.push(value);
        }
        assert_eq!(values, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!((rule.up(6, false), rule.up(7, false)), (None, None));
        assert_eq!((rule.side(1, false), rule.side(3, false)), (None, None));
        assert_eq!((rule.up(2, true), rule.side(2, true), rule.down(2)), (Some(6), Some(7), 6));
    }

    #[test]
    fn a_long_fall_goes_sideways_once_in_four_cells_at_most() {
        let rule = JumpRule::new(&jumps(2));
        let rows_beside = |first: u32| {
            let (mut value, mut rows) = (rule.spent, vec![]);
            for row in 0..20 {
                if let Some(beside) = rule.side(value, false).filter(|_| row >= first) {
                    rows.push(row);
                    value = beside;
                }
                value = rule.down(value);
            }
            rows
        };
        assert_eq!(rows_beside(0), [0, 1, 2, 3, 7, 11, 15, 19]);
        assert_eq!(rows_beside(9), [9, 13, 17]);
    }

    #[test]
    fn no_value_is_larger_than_the_table() {
        for height in [0, 1, 3, 64] {
            let rule = JumpRule::new(&jumps(height));
            for value in 0..rule.count() as u32 {
                let steps = [false, true].map(|c| [rule.up(value, c), rule.side(value, c)]).concat();
                assert!(steps.into_iter().flatten().all(|next| (next as usize) < rule.count()), "{value}");
                assert!((rule.down(value) as usize) < rule.count(), "{value}");
            }
        }
    }

    /// A lower value can do more, except that odd values cannot move sideways now. In a long fall (14 with a
    /// jump of 4) a value that may move sideways can do most, then a value that soon may.
    #[test]
    fn lower_values_dominate() {
        let table = JumpTable::new(&jumps(4));
        let even = [2, 4, 6, 8, 10, 12, 14, 20, 18, 16];
        for (i, &a) in even.iter().enumerate() {
            for (j, &b) in even.iter().enumerate() {
                assert_eq!(table.dominates(a, b), i <= j, "{a} {b}");
            }
        }
        for (a, b) in [(2, 3), (2, 5), (3, 5), (3, 9), (9, 11), (16, 15)] {
            assert!(table.dominates(a, b), "{a} {b}");
        }
        for (a, b) in [(3, 4), (5, 3), (9, 8), (1, 3), (1, 2), (15, 16)] {
            assert!(!table.dominates(a, b), "{a} {b}");
        }
        let free = JumpProfile { jump_cost: 0, ..jumps(4) };
        assert!(JumpTable::new(&free).dominates(1, 3));
    }

    #[test]
    fn masks_agree_with_dominance() {
        for height in [0, 3, 6, 9, 10, 40] {
            let table = JumpTable::new(&jumps(height));
            let values = 0..table.moves.len() as u8;
            for (a, b) in values.clone().flat_map(|a| values.clone().map(move |b| (a, b))) {
                let bits = [
                    table.mask(a).dominated & JumpTable::bit(b) != 0,
                    table.mask(b).dominating & JumpTable::bit(a) != 0,
                ];
                // A shared bit says that one of its values may.
                let told = |bit: bool| bit == table.dominates(a, b) || bit && !table.has_unique_bits();
                assert!(bits.into_iter().all(told), "{height}: {a} {b}");
            }
        }
    }
}
