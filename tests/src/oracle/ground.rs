use pathforge_core::geometry::{Cell, CellRect, DiagonalMode, Side};
use pathforge_core::terrain::Terrain;

use crate::bodies::Body;

/// Where one body can stand on a map and what arriving there costs, found by looking at every cell under it.
#[derive(Clone, Debug)]
pub struct Ground {
    region: CellRect,
    mode: DiagonalMode,
    /// For each anchor, row by row, the units of a straight and of a diagonal step to it; `None` where the
    /// body does not fit.
    placements: Vec<Option<(u32, u32)>>,
    /// The body's width and height.
    size: (i32, i32),
    /// For each cell, row by row, a bit for each side over which no step out of it is allowed.
    edges: Vec<u8>,
    /// Where a link leads the body from and to, and what that costs; in reading order of where it ends.
    links: Vec<(Cell, Cell, u32)>,
}

impl Ground {
    /// Looks at the cells of `body` at every anchor of `terrain`.
    pub fn new(terrain: &Terrain, body: &Body) -> Self {
        let region = terrain.region();
        let placements = region.cells().map(|anchor| placement(terrain, body, anchor)).collect();
        let is_closed = |cell: Cell, side: Side| {
            terrain.is_edge_blocked(cell, side) || is_too_steep(terrain, body, cell, beyond(cell, side))
        };
        let sides =
            |cell| Side::ALL.iter().fold(0, |all, &side| all | u8::from(is_closed(cell, side)) << side as u8);
        let edges = region.cells().map(sides).collect();
        let size = (body.w, body.h);
        let ground = Self { region, mode: body.mode, placements, size, edges, links: Vec::new() };
        let mut links = links(terrain, body);
        links.retain(|&(from, to, _)| ground.fits(from) && ground.fits(to));
        links.sort_by_key(|&(_, to, cost)| (to.y, to.x, cost));
        Self { links, ..ground }
    }

    /// The cells from which a link leads to `cell`, with what it costs.
    pub fn links_to(&self, cell: Cell) -> impl Iterator<Item = (Cell, u32)> {
        self.links.iter().filter(move |link| link.1 == cell).map(|link| (link.0, link.2))
    }

    /// What the link of least cost from one anchor to another costs, in units.
    pub fn link(&self, from: Cell, to: Cell) -> Option<u32> {
        self.links.iter().filter(|link| (link.0, link.1) == (from, to)).map(|link| link.2).min()
    }

    /// The cells of the map.
    pub const fn region(&self) -> CellRect {
        self.region
    }

    /// The place of a cell in arrays of one element a cell, row by row; `None` outside.
    pub fn place(&self, cell: Cell) -> Option<usize> {
        // Cells may be as far away as their numbers go.
        let (w, h) = (i64::from(self.region.w), i64::from(self.region.h));
        let x = i64::from(cell.x) - i64::from(self.region.x);
        let y = i64::from(cell.y) - i64::from(self.region.y);
        ((0..w).contains(&x) && (0..h).contains(&y)).then_some((y * w + x) as usize)
    }

    /// Whether the body can stand with its top-left cell at `anchor`.
    pub fn fits(&self, anchor: Cell) -> bool {
        self.step_to(anchor).is_some()
    }

    /// Every placement, in reading order.
    pub fn placements(&self) -> impl Iterator<Item = Cell> {
        self.region.cells().zip(&self.placements).filter(|(_, s)| s.is_some()).map(|(cell, _)| cell)
    }

    /// What a step from `from` to the neighbour `to` costs, or a link, in units; `None` when no step is legal.
    pub fn step(&self, from: Cell, to: Cell) -> Option<u32> {
        [self.walk(from, to), self.link(from, to)].into_iter().flatten().min()
    }

    /// What walking from `from` to the neighbour `to` costs, in units; `None` when it is not legal.
    ///
    /// A diagonal step has two corners, the cells that it passes between: whether the same body could stand
    /// there decides with the mode.
    pub fn walk(&self, from: Cell, to: Cell) -> Option<u32> {
        let (dx, dy) = (to.x - from.x, to.y - from.y);
        let (straight, diagonal) = self.step_to(to)?;
        self.step_to(from)?;
        match (dx.abs(), dy.abs()) {
            (1, 0) | (0, 1) => self.slides(from, to).then_some(straight),
            (1, 1) => {
                // Round each corner, the body slides twice; a corner counts if no edge is in its way there.
                let corners = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
                let ways = corners.map(|c| self.slides(from, c) && self.slides(c, to));
                let open_corners = (0..2).filter(|&n| ways[n] && self.fits(corners[n])).count();
                let legal = match self.mode {
                    DiagonalMode::Always => ways[0] || ways[1],
                    DiagonalMode::Never => false,
                    DiagonalMode::AtLeastOneWalkable => open_corners >= 1,
                    DiagonalMode::OnlyIfNoObstacles => open_corners == 2,
                };
                legal.then_some(diagonal)
            }
            _ => None,
        }
    }

    /// The cells that a legal step from `cell` leads to, in reading order, and then the ends of links from
    /// there; with what that costs.
    pub fn neighbours(&self, cell: Cell) -> impl Iterator<Item = (Cell, u32)> {
        let around = CellRect::new(cell.x - 1, cell.y - 1, 3, 3);
        let steps = around.cells().filter(move |&c| c != cell);
        let links = self.links.iter().filter(move |link| link.0 == cell).map(|link| (link.1, link.2));
        steps.filter_map(move |to| Some((to, self.walk(cell, to)?))).chain(links)
    }

    /// Whether every placement costs what weight 1 does.
    pub fn is_uniform(&self) -> bool {
        self.placements.iter().flatten().all(|&units| units == (70, 99))
    }

    /// Whether no edge is in the way of a body that moves from one anchor to the next in a straight line,
    /// whatever else is.
    pub fn slides(&self, from: Cell, to: Cell) -> bool {
        let side = match (to.x - from.x, to.y - from.y) {
            (-1, 0) => Side::Left,
            (0, -1) => Side::Top,
            (1, 0) => Side::Right,
            _ => Side::Bottom,
        };
        let under = CellRect::new(from.x, from.y, self.size.0, self.size.1);
        under.cells().all(|c| self.place(c).is_none_or(|place| self.edges[place] >> side as u8 & 1 == 0))
    }

    fn step_to(&self, anchor: Cell) -> Option<(u32, u32)> {
        self.placements[self.place(anchor)?]
    }
}

/// Where links lead a body, from each of its cells.
fn links(terrain: &Terrain, body: &Body) -> Vec<(Cell, Cell, u32)> {
    let mut steps = Vec::new();
    for id in terrain.link_ids() {
        let link = terrain.link(id.into()).expect("a link of the map");
        let (w, h) = (link.footprint_max.w(), link.footprint_max.h());
        if !link.is_enabled || link.terrains.0 & body.capability == 0 || body.w > w || body.h > h {
            continue;
        }
        for under in CellRect::new(0, 0, body.w, body.h).cells() {
            let [a, b] = [link.from, link.to].map(|end| Cell::new(end.x - under.x, end.y - under.y));
            steps.push((a, b, link.cost.units()));
            if link.is_two_way {
                steps.push((b, a, link.cost.units()));
            }
        }
    }
    steps
}

/// The units of a straight and of a diagonal step to `anchor`, when all cells under the body are open.
fn placement(terrain: &Terrain, body: &Body, anchor: Cell) -> Option<(u32, u32)> {
    let under = CellRect::new(anchor.x, anchor.y, body.w, body.h);
    let mut worst = 0.0_f64;
    for cell in under.cells() {
        if !terrain.is_open(cell, body.capability()) {
            return None;
        }
        let factor = body.terrain_costs.get(usize::from(terrain.terrain(cell))).copied().unwrap_or(1.0);
        worst = worst.max(f64::from(terrain.weight(cell)) * f64::from(factor));
    }
    let is_steep = |a: Cell, b: Cell| under.contains(b) && is_too_steep(terrain, body, a, b);
    let stands_across =
        under.cells().any(|a| is_steep(a, Cell::new(a.x + 1, a.y)) || is_steep(a, Cell::new(a.x, a.y + 1)));
    (!stands_across && !crosses_a_wall(terrain, under)).then(|| step_units(worst))
}

/// The cell beside another.
const fn beyond(cell: Cell, side: Side) -> Cell {
    match side {
        Side::Left => Cell::new(cell.x - 1, cell.y),
        Side::Top => Cell::new(cell.x, cell.y - 1),
        Side::Right => Cell::new(cell.x + 1, cell.y),
        Side::Bottom => Cell::new(cell.x, cell.y + 1),
    }
}

/// Whether the ground at two cells beside each other differs by more than the body climbs.
fn is_too_steep(terrain: &Terrain, body: &Body, a: Cell, b: Cell) -> bool {
    let [step_height, slope] = body.climb.map(f64::from);
    let Some(heights) = terrain.heights() else { return false };
    let has_limit = step_height > 0.0 || slope > 0.0;
    let metres = f64::from(heights.cell_size[usize::from(a.x == b.x)]);
    let difference = f64::from(heights.height(a)) - f64::from(heights.height(b));
    let region = terrain.region();
    has_limit
        && region.contains(a)
        && region.contains(b)
        && difference.abs() > step_height.max(slope * metres)
}

/// Whether an edge between two of the cells is blocked both ways.
pub fn crosses_a_wall(terrain: &Terrain, cells: CellRect) -> bool {
    cells.cells().any(|a| {
        [(Side::Right, Cell::new(a.x + 1, a.y)), (Side::Bottom, Cell::new(a.x, a.y + 1))].iter().any(
            |&(side, b)| {
                let back = if side == Side::Right { Side::Left } else { Side::Top };
                cells.contains(b) && terrain.is_edge_blocked(a, side) && terrain.is_edge_blocked(b, back)
            },
        )
    })
}

/// The units of a straight and of a diagonal step onto weight `weight`.
pub fn step_units(weight: f64) -> (u32, u32) {
    let units = |per_cell: f64| (per_cell * weight).round().clamp(1.0, 65_535.0) as u32;
    (units(70.0), units(99.0))
}
