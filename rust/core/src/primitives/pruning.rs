//! Step legality and canonical pruning: which directions are legal from a cell, and which of them are *worth
//! trying* after the cell was reached in a direction. These are the canonical successors.
//!
//! Definition (Harabor & Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI 2011): let n be
//! a neighbour of x, and x be reached from p. n is pruned if a path from p to n inside the 3×3 block that
//! does not pass x is shorter than p–x–n, or as long and preferred. Paths with the diagonal step first are
//! preferred; without diagonal steps, paths with the vertical steps first (Baum, *Boosting Jump Point Search
//! on 4-connected grids*, 2023). [`worth_trying`] is the closed form, from which both tables are made; the
//! tests hold it to the definition on every 3×3 block.

use crate::geometry::{DiagonalMode, Direction, DirectionSet};

/// The tables of all modes, by the mode's number.
static TABLES: [PruningTable; 4] = [
    PruningTable::new(DiagonalMode::Always),
    PruningTable::new(DiagonalMode::Never),
    PruningTable::new(DiagonalMode::AtLeastOneWalkable),
    PruningTable::new(DiagonalMode::OnlyIfNoObstacles),
];

/// By direction of arrival and by legal moves, as a set of directions: the moves worth trying where no corner
/// may be cut.
///
/// In that mode legal moves say as much as the 3×3 block: beside an open side, the diagonal step back is
/// legal exactly if the cell there is open. So a search that has the moves at hand need not look at cells.
pub(crate) const SUCCESSORS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut n = 0;
    while n < 8 * 256 {
        let (arrival, moves) = (n / 256, (n % 256) as u8);
        table[arrival][n % 256] =
            moves & worth_trying(DiagonalMode::OnlyIfNoObstacles, Direction::ALL[arrival], moves);
        n += 1;
    }
    table
};

/// Directions worth trying for one diagonal mode, by the 3×3 block around the cell.
pub(crate) struct PruningTable {
    after_arrival: [[u8; 512]; 8],
    legal: [u8; 512],
}

impl PruningTable {
    /// The table of `mode`.
    pub(crate) fn of(mode: DiagonalMode) -> &'static Self {
        &TABLES[mode as usize]
    }

    /// The directions worth trying from a cell with neighbourhood `cells` (see `BitGrid::neighbourhood`) that
    /// was reached by a step in direction number `arrival`.
    #[inline]
    pub(crate) fn after(&self, arrival: u8, cells: u32) -> DirectionSet {
        // The masks prove to the compiler that both indices are inside; they change nothing.
        DirectionSet(self.after_arrival[usize::from(arrival & 7)][cells as usize & 511])
    }

    /// The directions in which a step is legal.
    #[inline]
    pub(crate) fn legal(&self, cells: u32) -> DirectionSet {
        DirectionSet(self.legal[cells as usize & 511])
    }

    const fn new(mode: DiagonalMode) -> Self {
        let mut table = Self { after_arrival: [[0; 512]; 8], legal: [0; 512] };
        let mut cells = 0;
        while cells < 512 {
            // No search expands a cell that is not open, so those blocks keep empty sets.
            if cells >> CENTRE & 1 == 1 {
                let open = open_directions(cells as u32);
                let legal = legal_moves(mode, open);
                table.legal[cells] = legal;
                let mut arrival = 0;
                while arrival < 8 {
                    table.after_arrival[arrival][cells] =
                        legal & worth_trying(mode, Direction::ALL[arrival], open);
                    arrival += 1;
                }
            }
            cells += 1;
        }
        table
    }
}

/// The bit of the cell itself in a neighbourhood.
const CENTRE: usize = 4;

/// The directions in which the neighbour is open, from the bits of a 3×3 block.
const fn open_directions(cells: u32) -> u8 {
    let mut open = 0;
    let mut n = 0;
    while n < 8 {
        let direction = Direction::ALL[n];
        let bit = (direction.dy() + 1) * 3 + direction.dx() + 1;
        open |= ((cells >> bit & 1) as u8) << n;
        n += 1;
    }
    open
}

/// The legal moves from an open cell whose open neighbours lie in the directions of `open`.
const fn legal_moves(mode: DiagonalMode, open: u8) -> u8 {
    // Even numbers are straight. A diagonal step's corners are the neighbours one eighth of a turn to either
    // side.
    let allowed = mode.allowed(open.rotate_left(1) as u64, open.rotate_right(1) as u64) as u8;
    open & (0b0101_0101 | allowed)
}

/// The directions that pruning leaves after an arrival, whether legal or not.
///
/// For a step to the right where corners may not be cut, all that is left beyond straight on is this (`#`
/// blocked, `.` open, `>` parent, `x` the cell, `*` what is added):
///
/// ```text
///  # * *      N and NE: the parent cannot cut the corner at the # to get there as early
///  > x .
///  . . .
/// ```
const fn worth_trying(mode: DiagonalMode, arrival: Direction, open: u8) -> u8 {
    use DiagonalMode::{Always, AtLeastOneWalkable, Never, OnlyIfNoObstacles};
    // Turned so that bit n is the direction n eighths of a turn clockwise from straight on.
    let open = open.rotate_right(arrival as u32);
    // After a diagonal step, ties are kept: straight on and both directions beside it.
    let mut worth: u8 = if arrival.is_diagonal() { 0b1000_0011 } else { 1 };
    // On the right and on the left: the neighbour beside, the one ahead of it and the one behind it.
    let sides: [(u8, u8, u8); 2] = [(2, 1, 3), (6, 7, 5)];
    let mut n = 0;
    while n < 2 {
        let (beside, ahead, behind) = sides[n];
        let (is_beside_open, is_behind_open) = (open >> beside & 1 == 1, open >> behind & 1 == 1);
        worth |= match (mode, arrival.is_diagonal()) {
            // The parent reaches the cell beside by the one behind it, at the same cost: pruned after a
            // horizontal step, kept after a vertical one.
            (Never, false) if arrival.dx() == 0 || !is_behind_open => 1 << beside,
            // The parent cannot cut the corner behind, so it gets there through x only.
            (OnlyIfNoObstacles, false) if is_beside_open && !is_behind_open => 1 << beside | 1 << ahead,
            // The parent would get there by the cell beside, which is closed.
            (Always | AtLeastOneWalkable, false) if !is_beside_open => 1 << ahead,
            // The closed corner of the diagonal step keeps the parent from what lies beside x.
            (Always | AtLeastOneWalkable, true) if !is_behind_open => 1 << beside,
            // Where no corner may be cut, both corners of a diagonal step are open: the parent gets past x by
            // them.
            _ => 0,
        };
        n += 1;
    }
    worth.rotate_left(arrival as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{DIAGONAL, STRAIGHT};

    fn is_open(cells: u32, (x, y): (i32, i32)) -> bool {
        (0..3).contains(&x) && (0..3).contains(&y) && cells >> (y * 3 + x) & 1 == 1
    }

    fn is_legal(cells: u32, (x, y): (i32, i32), direction: Direction, mode: DiagonalMode) -> bool {
        let (dx, dy) = (direction.dx(), direction.dy());
        let corners = mode.allows(is_open(cells, (x + dx, y)), is_open(cells, (x, y + dy)));
        is_open(cells, (x + dx, y + dy)) && (!direction.is_diagonal() || corners)
    }

    const fn length(direction: Direction) -> u32 {
        if direction.is_diagonal() { DIAGONAL } else { STRAIGHT }
    }

    /// The definition at the head of the file.
    fn is_pruned(cells: u32, arrival: Direction, onward: Direction, mode: DiagonalMode) -> bool {
        let parent = (1 - arrival.dx(), 1 - arrival.dy());
        let target = (1 + onward.dx(), 1 + onward.dy());
        if target == parent {
            return true;
        }
        let through = length(arrival) + length(onward);
        let ties_are_pruned = match mode {
            DiagonalMode::Never => arrival.dx() != 0,
            _ => !arrival.is_diagonal(),
        };
        let beats = |other: u32| other < through || ties_are_pruned && other == through;
        // Paths of one or two steps; longer ones cost more than any path through x.
        Direction::ALL.into_iter().filter(|&first| is_legal(cells, parent, first, mode)).any(|first| {
            let stop = (parent.0 + first.dx(), parent.1 + first.dy());
            let direct = stop == target && beats(length(first));
            stop != (1, 1)
                && (direct
                    || Direction::ALL.into_iter().any(|second| {
                        (stop.0 + second.dx(), stop.1 + second.dy()) == target
                            && is_legal(cells, stop, second, mode)
                            && beats(length(first) + length(second))
                    }))
        })
    }

    #[test]
    fn tables_follow_the_definition_on_every_block() {
        for mode in DiagonalMode::ALL {
            let table = PruningTable::of(mode);
            for cells in (0..512).filter(|&cells| is_open(cells, (1, 1))) {
                let is_legal_move = |&d: &Direction| is_legal(cells, (1, 1), d, mode);
                let legal: Vec<_> = Direction::ALL.into_iter().filter(is_legal_move).collect();
                assert_eq!(table.legal(cells).iter().collect::<Vec<_>>(), legal);
                for arrival in Direction::ALL {
                    let parent = (1 - arrival.dx(), 1 - arrival.dy());
                    if !is_legal(cells | 1 << CENTRE, parent, arrival, mode) || !is_open(cells, parent) {
                        continue;
                    }
                    let expected: Vec<_> =
                        legal.iter().copied().filter(|&d| !is_pruned(cells, arrival, d, mode)).collect();
                    let after = table.after(arrival as u8, cells);
                    assert_eq!(
                        after.iter().collect::<Vec<_>>(),
                        expected,
                        "{mode:?} {arrival:?} {cells:09b}"
                    );
                    let moves = table.legal(cells).0;
                    let by_moves = SUCCESSORS[arrival as usize][usize::from(moves)];
                    assert!(mode != DiagonalMode::OnlyIfNoObstacles || by_moves == after.0);
                }
            }
        }
    }

    fn after(mode: DiagonalMode, arrival: Direction, rows: [&str; 3]) -> Vec<Direction> {
        let bits = rows.concat().bytes().enumerate().fold(0, |bits, (n, c)| bits | u32::from(c != b'#') << n);
        PruningTable::of(mode).after(arrival as u8, bits).iter().collect()
    }

    #[test]
    fn a_wall_forces_directions_around_it() {
        use DiagonalMode::{Always, AtLeastOneWalkable, Never, OnlyIfNoObstacles};
        use Direction::{E, N, NE, NW, S, SE, W};
        assert_eq!(after(OnlyIfNoObstacles, E, ["...", "...", "..."]), [E]);
        assert_eq!(after(OnlyIfNoObstacles, NE, ["...", "...", "..."]), [N, NE, E]);
        assert_eq!(after(Never, S, ["...", "...", "..."]), [E, S, W]);
        assert_eq!(after(OnlyIfNoObstacles, E, ["#..", "...", "#.."]), [N, NE, E, SE, S]);
        assert_eq!(after(OnlyIfNoObstacles, E, [".#.", "...", "..."]), [E]);
        assert_eq!(after(Always, E, [".#.", "..#", "..."]), [NE]);
        assert_eq!(after(AtLeastOneWalkable, E, [".#.", "..#", "..."]), []);
        assert_eq!(after(Always, NE, ["...", "#..", "..."]), [N, NE, E, NW]);
        assert_eq!(after(Never, E, ["#..", "...", "..."]), [N, E]);
    }
}
