//! Floors inside cells, for levels of tests and for the oracle: slabs and slopes.

use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::Terrain;
use pathforge_platformer::motion::FloorShape;
use pathforge_tests::rng::Rng;

use super::physics_body::Arena;

/// The floors of a level, of all its cells in the order of rows; empty if there is none.
#[derive(Clone, Default)]
pub struct Floors {
    columns: i32,
    shapes: Vec<Option<FloorShape>>,
}

impl Floors {
    pub fn is_empty(&self) -> bool {
        self.shapes.is_empty()
    }

    pub fn get(&self, column: i32, row: i32) -> Option<FloorShape> {
        if !(0..self.columns).contains(&column) || row < 0 {
            return None;
        }
        self.shapes.get((row * self.columns + column) as usize).copied()?
    }

    fn insert(&mut self, (column, row): (i32, i32), shape: FloorShape) {
        if (0..self.columns).contains(&column) && row >= 0 && row * self.columns < self.shapes.len() as i32 {
            self.shapes[(row * self.columns + column) as usize] = Some(shape);
        }
    }

    /// Gives a cell another floor, or takes its floor away.
    pub fn change(&mut self, rng: &mut Rng, cell: f64) {
        if !self.is_empty() {
            let at = rng.place(self.shapes.len());
            let height = cell / f64::from(rng.int(2..5));
            let floor = FloorShape { left: height, right: height, one_way: rng.percent(50) };
            self.shapes[at] = rng.percent(70).then_some(floor);
        }
    }

    /// The places and floors.
    pub fn iter(&self) -> impl Iterator<Item = (i32, i32, FloorShape)> {
        let place = |at: usize| (at as i32 % self.columns, at as i32 / self.columns);
        let shapes = self.shapes.iter().enumerate();
        shapes.filter_map(move |(at, shape)| Some((place(at).0, place(at).1, (*shape)?)))
    }
}

/// A body touches steps and slopes at places so far apart, in parts of its radius.
const SAMPLES: i32 = 12;
/// Ground that is steeper, as the sine of its angle, does not carry.
const SINE_MAX: f64 = 0.72;

/// Ground of one cell: its column, the row of the feet of what stands on it, and its heights at both edges.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Surface {
    pub column: i32,
    pub row: i32,
    pub ends: [f64; 2],
    pub one_way: bool,
}

/// Slabs and hills strewn over a level; cells under slopes become solid.
pub fn any_floors(rng: &mut Rng, map: &mut Terrain, cell: f64) -> Floors {
    let region = map.region();
    let cells = (region.w * region.h) as usize;
    let mut floors = Floors { columns: region.w, shapes: vec![None; cells] };
    let px = cell as i32;
    for _ in 0..rng.int(1..5) {
        let (x, y) = (rng.int(0..region.w), rng.int(2..region.h));
        if rng.percent(40) {
            let height = f64::from(rng.pick(&[px / 4, px / 2, 3 * px / 4, 3, 7, 13]));
            let one_way = rng.percent(35);
            for column in x..x + rng.int(1..5) {
                floors.insert((column, y), FloorShape { left: height, right: height, one_way });
            }
            continue;
        }
        // Up to a plateau, and down again or not.
        let (side, cells_of_rise) = (rng.pick(&[-1, 1]), rng.int(1..3));
        let (mut column, mut row) = (x, y);
        let rise = cell / f64::from(cells_of_rise);
        let mut slope = |column: i32, row: i32, from: f64, to: f64, map: &mut Terrain| {
            let (left, right) = if side > 0 { (from, to) } else { (to, from) };
            floors.insert((column, row), FloorShape { left, right, one_way: false });
            map.fill_solid(CellRect::new(column, row + 1, 1, 3), true);
        };
        let steps = rng.int(1..4);
        for _ in 0..steps {
            for part in 0..cells_of_rise {
                slope(column, row, rise * f64::from(part), rise * f64::from(part + 1), map);
                column += side;
            }
            row -= 1;
        }
        for _ in 0..rng.int(0..3) {
            map.fill_solid(CellRect::new(column, row + 1, 1, 3), true);
            column += side;
        }
        for _ in 0..rng.int(0..steps + 1) {
            row += 1;
            for part in (0..cells_of_rise).rev() {
                slope(column, row, rise * f64::from(part + 1), rise * f64::from(part), map);
                column += side;
            }
        }
    }
    floors
}

impl Arena {
    /// The surfaces of a column, from the row of a height to that of another.
    fn surfaces(&self, column: i32, (from, to): (f64, f64)) -> impl Iterator<Item = Surface> {
        let rows = ((from / self.cell).floor() as i32 - 1)..=((to / self.cell).floor() as i32 + 1);
        rows.filter_map(move |row| {
            let bottom = f64::from(row + 1) * self.cell;
            if let Some(shape) = self.floors.get(column, row) {
                let ends = [bottom - shape.left, bottom - shape.right];
                return Some(Surface { column, row, ends, one_way: shape.one_way });
            }
            let letter = self.letter(column, row);
            let ends = [bottom - self.cell; 2];
            let in_level = (0..self.rows[0].len() as i32).contains(&column);
            (letter != b'.' && in_level).then_some(Surface {
                column,
                row: row - 1,
                ends,
                one_way: letter == b'=',
            })
        })
    }

    /// The height of the feet of a body at `x` that touches a surface, and how far from the centre it does.
    fn touch(&self, surface: &Surface, x: f64, slim: f64) -> Option<(f64, f64)> {
        let (half, left) = (self.half_width - slim, f64::from(surface.column) * self.cell);
        let (from, to) = ((x - half).max(left), (x + half).min(left + self.cell));
        if to - from < 1e-6 {
            return None;
        }
        let touch = |at: f64| {
            let line = surface.ends[0] + (surface.ends[1] - surface.ends[0]) * (at - left) / self.cell;
            let arc =
                if self.is_round { half - (half * half - (at - x) * (at - x)).max(0.0).sqrt() } else { 0.0 };
            (line + arc, at - x)
        };
        let samples = if self.is_round { SAMPLES } else { 1 };
        let places = (0..=samples).map(|part| from + (to - from) * f64::from(part) / f64::from(samples));
        let middle = x.clamp(from, to);
        places.chain([middle]).map(touch).min_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// All surfaces that a body near a height can touch, and where it does.
    fn touches(&self, x: f64, y: (f64, f64), slim: f64) -> impl Iterator<Item = (Surface, f64, f64)> {
        let columns = self.columns(x, self.half_width - slim);
        columns.flat_map(move |column| {
            self.surfaces(column, y)
                .filter_map(move |surface| self.touch(&surface, x, slim).map(|(y, off)| (surface, y, off)))
        })
    }

    /// Whether a body with its feet in the row of a surface that stops it is too low for it.
    pub fn is_in_floor(&self, x: f64, y: f64, slim: f64) -> bool {
        self.touches(x, (y, y), slim).any(|(surface, top, _)| {
            let head = y - self.height + slim;
            let low = f64::from(surface.row + 1) * self.cell;
            let is_floor = self.floors.get(surface.column, surface.row).is_some();
            let low = if is_floor { low } else { low + self.cell };
            !surface.one_way && y > top + 1e-4 && head < low - 1e-6
        })
    }

    /// The height of the highest ground from `y.0` to `y.1`, if it carries the body.
    pub fn ground(&self, x: f64, y: (f64, f64), slim: f64) -> Option<f64> {
        let near = self.touches(x, y, slim).filter(|&(_, top, _)| top >= y.0 && top <= y.1);
        let (_, top, off) = near.min_by(|a, b| a.1.total_cmp(&b.1))?;
        self.carries(off).then_some(top)
    }

    fn carries(&self, off: f64) -> bool {
        !self.is_round || off.abs() <= SINE_MAX * self.half_width
    }

    /// Where a body comes to ground that moves from one place to another: the height, and whether the ground
    /// carries it.
    pub fn landing(&self, from: (f64, f64), to: (f64, f64), slim: f64) -> Option<(f64, bool)> {
        let is_new = |surface: &Surface, top: f64| {
            let before =
                self.touch(surface, from.0, slim).map_or(top + (to.0 - from.0).abs(), |(top, _)| top);
            to.1 >= top && from.1 <= before + 2e-4
        };
        let met = self.touches(to.0, (from.1, to.1), slim).filter(|(surface, top, _)| is_new(surface, *top));
        let (_, top, off) = met.min_by(|a, b| a.1.total_cmp(&b.1))?;
        Some((top, self.carries(off)))
    }

    /// Whether nothing but one-way ground carries a body.
    pub fn is_on_one_way(&self, x: f64, y: f64) -> bool {
        self.touches(x, (y, y), 0.0).all(|(surface, top, _)| surface.one_way || top > y + 2.0)
    }

    /// Ground below a one-way floor in the same cell has no name.
    fn is_named(&self, ground: &Surface) -> bool {
        let bottom = f64::from(ground.row + 1) * self.cell;
        self.floors.get(ground.column, ground.row).is_none() || ground.ends.iter().any(|&y| y < bottom - 1e-6)
    }

    /// The cells of ground that carries a body, each as far on below its centre as the ground goes on.
    pub fn cells_on_floor(&self, x: f64, y: f64) -> Vec<(i32, i32)> {
        let own = (x / self.cell).floor() as i32;
        let is_met = |(ground, top, _): &(Surface, f64, f64)| (top - y).abs() < 0.02 && self.is_named(ground);
        let carry = self.touches(x, (y, y), 0.0).filter(is_met);
        let step = if self.is_round { 1.0 } else { 0.05 };
        carry
            .map(|(mut at, _, _)| {
                while at.column != own {
                    let side = (own - at.column).signum();
                    let (end, begin) = if side > 0 { (1, 0) } else { (0, 1) };
                    let near = (at.ends[end], at.ends[end]);
                    let next = self
                        .surfaces(at.column + side, near)
                        .filter(|next| self.is_named(next))
                        .find(|next| (next.ends[begin] - at.ends[end]).abs() <= step);
                    let Some(next) = next else { break };
                    at = next;
                }
                (at.column, at.row)
            })
            .collect()
    }
}
