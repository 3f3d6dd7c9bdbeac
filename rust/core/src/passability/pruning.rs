//! Which directions are worth trying from a cell, given the direction of arrival and the eight cells around.
//!
//! The table is made from the definition (Harabor & Grastien, *Online Graph Pruning for Pathfinding on Grid Maps*, AAAI
//! 2011): a neighbour n of x, reached from p, is left out when some way from p to n inside the 3×3 block that does not
//! pass x is shorter than p–x–n, or as long and to be preferred. Preferred are ways with the diagonal step first, so a
//! straight arrival leaves out ties and a diagonal one does not. Without diagonal steps, ways with the vertical steps
//! first are preferred, so a horizontal arrival leaves out ties and a vertical one does not (Baum, *Boosting Jump Point
//! Search on 4-connected grids*, 2023).
//!
//! For a move to the right with corners that may not be cut, all that is left beyond "straight on" is this: `#` blocked,
//! `.` open, `>` arrival, `x` the cell, `*` the ways that it adds:
//!
//! ```text
//!  # * *      N and NE, because p cannot cut the corner at the # to get there as early
//!  > x .
//!  . . .
//! ```

use std::sync::LazyLock;

use crate::cost::{DIAGONAL, STRAIGHT};
use crate::geometry::{DiagonalMode, Direction, DirectionSet};

/// For each mode: by direction of arrival and by neighbourhood, the directions to try.
static TABLES: LazyLock<[Box<PruningTable>; 4]> =
    LazyLock::new(|| DiagonalMode::ALL.map(|mode| Box::new(PruningTable::new(mode))));

/// The neighbourhood's bit of the cell itself.
const CENTRE: i32 = 4;

/// Directions worth trying, for one diagonal mode.
pub(crate) struct PruningTable {
    after_arrival: [[u8; 512]; 8],
    legal: [u8; 512],
}

impl PruningTable {
    /// The table of `mode`.
    pub(crate) fn of(mode: DiagonalMode) -> &'static Self {
        &TABLES[mode as usize]
    }

    /// The directions worth trying from a cell with neighbourhood `cells` (see `BitGrid::neighbourhood`) that was reached
    /// by a step in direction number `arrival`.
    #[inline]
    pub(crate) fn after(&self, arrival: u8, cells: u32) -> DirectionSet {
        DirectionSet(self.after_arrival[usize::from(arrival & 7)][cells as usize & 511])
    }

    /// The directions in which a step is legal.
    #[inline]
    pub(crate) fn legal(&self, cells: u32) -> DirectionSet {
        DirectionSet(self.legal[cells as usize & 511])
    }

    fn new(mode: DiagonalMode) -> Self {
        let mut table = Self { after_arrival: [[0; 512]; 8], legal: [0; 512] };
        for cells in 0..512 {
            // A cell that is not open is never searched from.
            if cells >> CENTRE & 1 == 0 {
                continue;
            }
            let legal = Direction::ALL.into_iter().filter(|&d| step_is_legal(cells, (1, 1), d, mode));
            table.legal[cells as usize] = legal.clone().fold(DirectionSet::EMPTY, DirectionSet::with).0;
            for arrival in Direction::ALL {
                let worth = legal.clone().filter(|&d| !is_pruned(cells, arrival, d, mode));
                table.after_arrival[arrival as usize][cells as usize] =
                    worth.fold(DirectionSet::EMPTY, DirectionSet::with).0;
            }
        }
        table
    }
}

fn is_open(cells: u32, (x, y): (i32, i32)) -> bool {
    (0..3).contains(&x) && (0..3).contains(&y) && cells >> (y * 3 + x) & 1 == 1
}

fn step_is_legal(cells: u32, (x, y): (i32, i32), direction: Direction, mode: DiagonalMode) -> bool {
    let (dx, dy) = (direction.dx(), direction.dy());
    is_open(cells, (x + dx, y + dy))
        && (!direction.is_diagonal() || mode.allows(is_open(cells, (x + dx, y)), is_open(cells, (x, y + dy))))
}

const fn length(direction: Direction) -> u32 {
    if direction.is_diagonal() { DIAGONAL } else { STRAIGHT }
}

fn is_pruned(cells: u32, arrival: Direction, onward: Direction, mode: DiagonalMode) -> bool {
    let parent = (1 - arrival.dx(), 1 - arrival.dy());
    let target = (1 + onward.dx(), 1 + onward.dy());
    if target == parent {
        return true;
    }
    // The arrival tells that the parent is open, even where the neighbourhood alone could not be stood in like that.
    let through = length(arrival) + length(onward);
    let ties_are_pruned = match mode {
        DiagonalMode::Never => arrival.dx() != 0,
        _ => !arrival.is_diagonal(),
    };
    let beats = |other: u32| other < through || ties_are_pruned && other == through;
    // Ways of one or two steps; longer ones are longer than any way through x.
    Direction::ALL.into_iter().filter(|&first| step_is_legal(cells, parent, first, mode)).any(|first| {
        let stop = (parent.0 + first.dx(), parent.1 + first.dy());
        if stop == (1, 1) {
            return false;
        }
        let direct = stop == target && beats(length(first));
        direct
            || Direction::ALL.into_iter().any(|second| {
                (stop.0 + second.dx(), stop.1 + second.dy()) == target
                    && step_is_legal(cells, stop, second, mode)
                    && beats(length(first) + length(second))
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(mode: DiagonalMode, arrival: Direction, rows: [&str; 3]) -> Vec<Direction> {
        let bits = rows.concat().bytes().enumerate().fold(0, |bits, (n, c)| bits | u32::from(c != b'#') << n);
        PruningTable::of(mode).after(arrival as u8, bits).iter().collect()
    }

    #[test]
    fn open_ground_leaves_only_the_natural_ways() {
        use Direction::{E, N, NE, S, W};
        let open = ["...", "...", "..."];
        for mode in [DiagonalMode::Always, DiagonalMode::OnlyIfNoObstacles, DiagonalMode::AtLeastOneWalkable]
        {
            assert_eq!(after(mode, E, open), [E]);
            assert_eq!(after(mode, NE, open), [N, NE, E]);
        }
        assert_eq!(after(DiagonalMode::Never, E, open), [E]);
        assert_eq!(after(DiagonalMode::Never, S, open), [E, S, W]);
    }

    #[test]
    fn a_wall_forces_ways_around_it() {
        use DiagonalMode::{Always, AtLeastOneWalkable, Never, OnlyIfNoObstacles};
        use Direction::{E, N, NE, NW, S, SE};
        assert_eq!(after(OnlyIfNoObstacles, E, ["#..", "...", "..."]), [N, NE, E]);
        assert_eq!(after(OnlyIfNoObstacles, E, ["#..", "...", "#.."]), [N, NE, E, SE, S]);
        assert_eq!(after(OnlyIfNoObstacles, E, [".#.", "...", "..."]), [E]);
        assert_eq!(after(Always, E, [".#.", "...", "..."]), [NE, E]);
        assert_eq!(after(Always, E, [".#.", "..#", "..."]), [NE]);
        assert_eq!(after(AtLeastOneWalkable, E, [".#.", "..#", "..."]), []);
        assert_eq!(after(Always, E, ["#..", "...", "..."]), [E]);
        assert_eq!(after(Always, NE, ["...", "#..", "..."]), [N, NE, E, NW]);
        assert_eq!(after(Never, E, ["#..", "...", "..."]), [N, E]);
    }
}
