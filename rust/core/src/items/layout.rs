//! Items placed in columns, and what they tell the cells below them.

use super::{Coverage, Kind, Role};
use crate::geometry::{Cell, CellRect};
use crate::terrain::CellData;

/// Heights nearer to each other than this are one.
const SAME: f32 = 1e-4;

/// Where places of a map lie: each is a step of whole cells from the next.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Layout {
    /// The first cell of place (0, 0, 0).
    pub origin: Cell,
    /// Cells from a place to the next along the map's x axis.
    pub x_step: [i32; 2],
    /// The same along its z axis.
    pub z_step: [i32; 2],
    /// The height of level 0.
    pub base: f32,
    /// From a level to the next.
    pub level_height: f32,
}

impl Layout {
    /// Returns the first cell of a column.
    pub const fn first(&self, x: i32, z: i32) -> Cell {
        let Self { origin, x_step, z_step, .. } = self;
        Cell::new(origin.x + x * x_step[0] + z * z_step[0], origin.y + x * x_step[1] + z * z_step[1])
    }

    /// Returns the cells that an item covers.
    pub const fn cells(&self, kinds: &[Kind], placed: &Placement) -> CellRect {
        let CellRect { x, y, w, h } = kinds[placed.kind as usize].cells();
        let first = self.first(placed.x as i32, placed.z as i32);
        CellRect::new(first.x + x, first.y + y, w, h)
    }
}

/// An item at its place. Placements are in the order of their places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Placement {
    /// The place along the map's z axis.
    pub z: i16,
    /// The place along its x axis.
    pub x: i16,
    /// The level.
    pub level: i16,
    /// The number of its kind.
    pub kind: u16,
}

/// Returns the placements that only one of two lists has, both in order.
pub fn differing(old: &[Placement], new: &[Placement]) -> Vec<Placement> {
    let (mut old, mut new) = (old.iter().peekable(), new.iter().peekable());
    let mut found = Vec::new();
    loop {
        match (old.peek(), new.peek()) {
            (Some(a), Some(b)) if a == b => {
                old.next();
                new.next();
            }
            (Some(a), b) if b.is_none_or(|b| a < b) => found.extend(old.next()),
            (_, Some(_)) => found.extend(new.next()),
            _ => return found,
        }
    }
}

/// Between which heights above the ground what is filled closes a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Slice {
    /// From here: what ends lower is stepped over.
    pub bottom: f32,
    /// Up to here: what begins higher is walked under.
    pub top: f32,
    /// What has to be filled of the cell.
    pub coverage: Coverage,
    /// Floors are ground from the first height up to the second.
    pub storey: [f32; 2],
}

/// What items tell the cells of a rectangle, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Told {
    /// What each cell is.
    pub cells: Vec<CellData>,
    /// How high its ground is; no number where no floor lies.
    pub heights: Vec<f32>,
}

/// The topmost floor at a cell.
#[derive(Clone, Copy)]
struct Ground {
    /// At the centre; no number where no floor lies.
    height: f32,
    /// At the middles of the sides: left, right, above and below.
    sides: [f32; 4],
}

impl Ground {
    const NONE: Self = Self { height: f32::NAN, sides: [f32::NAN; 4] };

    fn is_sloped(&self) -> bool {
        self.sides.iter().any(|side| (side - self.height).abs() > SAME)
    }
}

/// An item that reaches the cells that are told.
struct Reaching<'a> {
    kind: &'a Kind,
    /// The cells that it covers of them, and from these to those of its kind.
    cells: CellRect,
    to_kind: [i32; 2],
    /// The height of its place.
    lift: f32,
}

impl Reaching<'_> {
    fn cells(&self) -> impl Iterator<Item = (Cell, Cell)> {
        let [dx, dy] = self.to_kind;
        self.cells.cells().map(move |cell| (cell, Cell::new(cell.x + dx, cell.y + dy)))
    }
}

/// Returns what items tell the cells of `rect`. A cell without a floor is solid with `empty_solid`; else it
/// is as high as `height` says.
pub fn tell(
    kinds: &[Kind],
    placed: &[Placement],
    layout: &Layout,
    rect: CellRect,
    slice: &Slice,
    empty_solid: bool,
    height: impl Fn(Cell) -> f32,
) -> Told {
    // A step closes a cell for its neighbour's height.
    let outer = rect.grown(1, 1, 1, 1);
    let reaching = |item: &Placement| {
        let (kind, all) = (&kinds[item.kind as usize], layout.cells(kinds, item));
        let cells = all.intersection(outer);
        let to_kind = [kind.cells().x - all.x, kind.cells().y - all.y];
        let lift = layout.base + f32::from(item.level) * layout.level_height;
        (!cells.is_empty()).then_some(Reaching { kind, cells, to_kind, lift })
    };
    let items: Vec<Reaching<'_>> = placed.iter().filter_map(reaching).collect();
    let index = |cell: Cell| outer.place_of(cell);
    let of_role = |role: Role| items.iter().filter(move |item| item.kind.role == role);

    let mut floors = vec![Ground::NONE; outer.w as usize * outer.h as usize];
    for item in of_role(Role::Floor) {
        for (cell, own) in item.cells() {
            let floor = &mut floors[index(cell)];
            if let Some([_, top]) = item.kind.extent(own)
                && (slice.storey[0]..slice.storey[1]).contains(&(top + item.lift))
                && (floor.height.is_nan() || top + item.lift > floor.height)
            {
                let sides = item.kind.sides(own).map(|side| side + item.lift);
                *floor = Ground { height: top + item.lift, sides };
            }
        }
    }
    let ground = |(cell, floor): (Cell, &Ground)| {
        if floor.height.is_nan() { height(cell) } else { floor.height }
    };
    let grounds: Vec<f32> = outer.cells().zip(&floors).map(ground).collect();

    let mut lines = vec![0_u64; floors.len()];
    for item in of_role(Role::Solid) {
        for (cell, own) in item.cells() {
            let ground = grounds[index(cell)] - item.lift;
            lines[index(cell)] |= item.kind.lines_between(own, ground + slice.bottom, ground + slice.top);
        }
    }
    let is_closed = |(lines, floor): (&u64, &Ground)| {
        slice.coverage.is_met_by(lines.count_ones()) || empty_solid && floor.height.is_nan()
    };
    let closed = lines.iter().zip(&floors).map(is_closed);
    let mut cells: Vec<CellData> = closed.map(|solid| CellData { solid, ..CellData::default() }).collect();
    close_steps(&floors, outer.w as usize, slice.bottom, |at| cells[at].solid = true);

    // How high what has told a cell its terrain and its weight is.
    let mut told = vec![[f32::NEG_INFINITY; 2]; floors.len()];
    for item in items.iter().filter(|item| item.kind.terrain.is_some() || item.kind.weight.is_some()) {
        for (cell, own) in item.cells() {
            let at = index(cell);
            let Some([low, high]) = item.kind.extent(own).map(|ends| ends.map(|end| end + item.lift)) else {
                continue;
            };
            // What lies below a floor is not walked on, nor what hangs above the body.
            if high < floors[at].height - SAME || low > grounds[at] + slice.top {
                continue;
            }
            let [of_terrain, of_weight] = &mut told[at];
            if let Some(terrain) = item.kind.terrain.filter(|_| high >= *of_terrain) {
                (cells[at].terrain, *of_terrain) = (terrain, high);
            }
            if let Some(weight) = item.kind.weight.filter(|_| high >= *of_weight) {
                (cells[at].weight, *of_weight) = (weight, high);
            }
        }
    }
    Told {
        cells: rect.cells().map(|cell| cells[index(cell)]).collect(),
        heights: rect.cells().map(|cell| floors[index(cell)].height).collect(),
    }
}

/// Calls `close` with a cell of each two between whose floors is a step that is higher than `most`, in rows
/// of `width`: the lower one. Where that is on a slope it is the higher, so that a ramp that is let into a
/// hill stays open.
fn close_steps(floors: &[Ground], width: usize, most: f32, mut close: impl FnMut(usize)) {
    for (at, floor) in floors.iter().enumerate() {
        let has_right = (at + 1) % width != 0;
        for (beside, own, other) in [(at + 1, 1, 0), (at + width, 3, 2)] {
            let Some(next) = floors.get(beside).filter(|_| own == 3 || has_right) else { continue };
            // No number, where one has no floor, is not above any.
            let rise = next.sides[other] - floor.sides[own];
            if rise.abs() > most + SAME {
                let (low, high) = if rise > 0.0 { (at, beside) } else { (beside, at) };
                let is_ramp = floors[low].is_sloped() && !floors[high].is_sloped();
                close(if is_ramp { high } else { low });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Form;
    use super::*;

    fn block(role: Role, low: [f64; 3], high: [f64; 3], coverage: Coverage) -> Kind {
        let pick = |n: usize, bit: usize| if n >> bit & 1 == 0 { low[bit] } else { high[bit] };
        let mut form = Form::default();
        form.add_hull((0..8).map(|n| [pick(n, 0), pick(n, 1), pick(n, 2)]).collect());
        Kind::new(role, &form, coverage)
    }

    const LAYOUT: Layout =
        Layout { origin: Cell::new(10, 20), x_step: [2, 0], z_step: [0, 2], base: 1.0, level_height: 3.0 };
    const SLICE: Slice = Slice {
        bottom: 0.5,
        top: 2.0,
        coverage: Coverage::Center,
        storey: [f32::NEG_INFINITY, f32::INFINITY],
    };

    fn at(x: i16, level: i16, z: i16, kind: u16) -> Placement {
        Placement { z, x, level, kind }
    }

    fn told(kinds: &[Kind], placed: &[Placement], rect: CellRect) -> Told {
        tell(kinds, placed, &LAYOUT, rect, &SLICE, true, |_| 0.0)
    }

    fn kinds() -> Vec<Kind> {
        let slab = block(Role::Floor, [0.0, -0.25, 0.0], [2.0, 0.0, 2.0], SLICE.coverage);
        let wall = block(Role::Solid, [0.0, 0.0, 0.0], [1.0, 2.5, 2.0], SLICE.coverage);
        let bush = block(Role::Ignored, [0.0, 0.0, 0.0], [2.0, 0.5, 2.0], SLICE.coverage);
        let mut kinds = vec![slab, wall, bush];
        kinds[0].terrain = Some(3);
        (kinds[2].terrain, kinds[2].weight) = (Some(7), Some(4.0));
        kinds
    }

    #[test]
    fn the_topmost_floor_is_the_ground_and_what_stands_on_it_closes_it() {
        let placed = [at(0, 0, 0, 0), at(0, 0, 0, 1), at(0, 2, 0, 0), at(1, 0, 0, 0), at(1, 1, 0, 1)];
        let told = told(&kinds(), &placed, CellRect::new(10, 20, 5, 1));
        assert_eq!(told.heights[..4], [7.0, 7.0, 1.0, 1.0]);
        assert!(told.heights[4].is_nan(), "there is no floor");
        let solid: Vec<bool> = told.cells.iter().map(|cell| cell.solid).collect();
        // The wall on level 0 is below the floor of level 2; the one on level 1 begins three metres above its
        // floor, which a step up closes.
        assert_eq!(solid, [false, false, true, false, true]);
        let wall = [at(0, 2, 0, 0), at(0, 2, 0, 1)];
        let solid = self::told(&kinds(), &wall, CellRect::new(10, 20, 2, 1));
        assert_eq!(solid.cells.iter().map(|cell| cell.solid).collect::<Vec<_>>(), [true, false]);
    }

    #[test]
    fn floors_beyond_the_storey_are_no_ground() {
        let placed = [at(0, 0, 0, 0), at(0, 2, 0, 0)];
        let ground = |storey: [f32; 2]| {
            let slice = Slice { storey, ..SLICE };
            let rect = CellRect::new(10, 20, 1, 1);
            let told = tell(&kinds(), &placed, &LAYOUT, rect, &slice, true, |_| 0.0);
            (told.heights[0], told.cells[0].solid)
        };
        assert_eq!(ground([0.5, 6.99]), (1.0, false), "below the storey above");
        assert_eq!(ground([6.5, 12.99]), (7.0, false));
        let (height, is_solid) = ground([2.0, 6.99]);
        assert!(height.is_nan() && is_solid, "none between both");
    }

    #[test]
    fn a_step_closes_the_lower_cell_and_a_ramp_leads_up_it() {
        let mut ramp = Form::default();
        let low = [[0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0], [2.0, 0.0, 2.0]];
        ramp.add_hull([&low[..], &[[2.0, 3.0, 0.0], [2.0, 3.0, 2.0]]].concat());
        let mut kinds = kinds();
        kinds.push(Kind::new(Role::Floor, &ramp, SLICE.coverage));
        // Three rows of places: ground, a ramp in the middle row, and a hill; the ramp is let into it in the
        // second map.
        let solid = |rows: [[(i16, u16); 3]; 3]| {
            let mut placed = Vec::new();
            for (z, row) in (0..).zip(rows) {
                placed.extend((0..).zip(row).map(|(x, (level, kind))| at(x, level, z, kind)));
            }
            placed.sort_unstable();
            let told = told(&kinds, &placed, CellRect::new(10, 20, 6, 6));
            let rows = told.cells.chunks(6);
            rows.map(|row| row.iter().map(|cell| if cell.solid { '#' } else { '.' }).collect::<String>())
                .collect::<Vec<_>>()
        };
        let (low, high, ramp) = ((0, 0), (1, 0), (0, 3));
        let beside = solid([[low, low, high], [low, ramp, high], [low, low, high]]);
        assert_eq!(beside, ["...#..", "..##..", "......", "......", "..##..", "...#.."]);
        let let_in = solid([[low, high, high], [low, ramp, high], [low, high, high]]);
        assert_eq!(let_in, [".#....", ".###..", "......", "......", ".###..", ".#...."]);
    }

    #[test]
    fn terrain_is_that_of_the_ground_and_of_what_stands_on_it() {
        let terrain = |placed: &[Placement]| {
            let told = told(&kinds(), placed, CellRect::new(10, 20, 1, 1));
            (told.cells[0].terrain, told.cells[0].weight)
        };
        assert_eq!(terrain(&[at(0, 0, 0, 0)]), (3, 1.0));
        assert_eq!(terrain(&[at(0, 0, 0, 0), at(0, 0, 0, 2)]), (7, 4.0), "on it");
        assert_eq!(terrain(&[at(0, 0, 0, 2), at(0, 1, 0, 0)]), (3, 1.0), "below it");
        assert_eq!(terrain(&[at(0, 0, 0, 0), at(0, 1, 0, 2)]), (3, 1.0), "above the body");
        assert_eq!(terrain(&[at(0, 0, 0, 2)]), (7, 4.0), "without a floor");
    }

    #[test]
    fn a_thin_wall_counts_by_the_share_that_it_covers() {
        let solid = |share: f64| {
            let coverage = Coverage::Share(share);
            let slab = block(Role::Floor, [0.0, 0.0, 0.0], [2.0, 0.0, 2.0], coverage);
            let wall = block(Role::Solid, [0.0, 0.0, 0.0], [0.25, 2.0, 2.0], coverage);
            let slice = Slice { coverage, ..SLICE };
            let placed = [at(0, 0, 0, 0), at(0, 0, 0, 1)];
            let rect = CellRect::new(10, 20, 2, 1);
            let told = tell(&[slab, wall], &placed, &LAYOUT, rect, &slice, true, |_| 0.0);
            told.cells.iter().map(|cell| cell.solid).collect::<Vec<_>>()
        };
        assert_eq!(solid(0.0), [true, false]);
        assert_eq!(solid(0.25), [true, false]);
        assert_eq!(solid(0.3), [false, false]);
    }

    #[test]
    fn a_part_is_told_as_the_whole_is() {
        let kinds = kinds();
        let mut placed: Vec<Placement> = Vec::new();
        for n in 0..60_i16 {
            placed.push(at(n * 7 % 9 - 4, n * 5 % 3, n * 11 % 8 - 3, (n * 13 % 3) as u16));
        }
        placed.sort_unstable();
        placed.dedup();
        let turned = Layout { x_step: [0, 2], z_step: [-2, 0], ..LAYOUT };
        for layout in [LAYOUT, turned] {
            let whole = CellRect::new(0, 10, 24, 24);
            let all = tell(&kinds, &placed, &layout, whole, &SLICE, false, |_| 0.0);
            for (place, cell) in whole.cells().enumerate() {
                let one = tell(&kinds, &placed, &layout, CellRect::cell(cell), &SLICE, false, |_| 0.0);
                assert_eq!(one.cells[0], all.cells[place], "{cell:?}");
                assert_eq!(one.heights[0].to_bits(), all.heights[place].to_bits(), "{cell:?}");
            }
        }
    }

    #[test]
    fn what_differs_is_in_one_list_alone() {
        let old = [at(0, 0, 0, 1), at(1, 0, 0, 1), at(0, 0, 2, 5)];
        let new = [at(0, 0, 0, 1), at(1, 0, 0, 2), at(1, 0, 1, 0)];
        assert_eq!(differing(&old, &new), [old[1], new[1], new[2], old[2]]);
        assert_eq!(differing(&old, &old), []);
        assert_eq!(differing(&old, &[]), old);
        assert_eq!(differing(&[], &new), new);
    }
}
