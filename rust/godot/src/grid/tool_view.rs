//! What the toolbar of the editor plugin shows of a grid, in place of the overlay that the grid's own properties
//! describe.
//!
//! Nothing of it is a property: a scene that is saved meanwhile is the same file.

use godot::prelude::*;
use pathforge_core::bitgrid::{BitGrid, PaddedIndex};
use pathforge_core::connectivity::ComponentId;
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::LayerKey;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Profile, World};

use super::PathForgeGrid;
use super::overlay::Shown;
use crate::errors::report;
use crate::overlay::palette::{self, CLEAR, Texel};
use crate::overlay::{self, Picture, Raster};
use crate::profile::{Asker, ProfileArg};

/// Cells up to which every one is asked what body covers it; of more, too many lie under one pixel to tell.
const CELLS_EXACT_MAX: u64 = 1 << 22;

/// What is shown; the numbers are the plugin's.
#[derive(Clone, Copy, PartialEq, Default)]
pub enum ToolView {
    /// 0: what the grid's `debug_*` properties say.
    #[default]
    Own,
    /// 1
    Nothing,
    /// 2: solid and one-way cells.
    Solid,
    /// 3: terrains and weights.
    Ground,
    /// 4: where such a body has room, which cells it may not enter, and which others are too tight for it.
    Room(Profile),
    /// 5: which places such bodies can walk between.
    Components(Profile),
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Shows something else than the `debug_*` properties say, as `profile` sees it, until it is called with 0.
    #[func(rename = _set_tool_view)]
    fn set_tool_view(&mut self, number: i64, #[opt(default = ProfileArg::NONE)] profile: ProfileArg) {
        let mode = self.grid_diagonal_mode();
        self.tool_view = match number {
            0 => ToolView::Own,
            1 => ToolView::Nothing,
            2 => ToolView::Solid,
            3 => ToolView::Ground,
            4 => ToolView::Room(Asker::of(&profile, mode).profile),
            5 => ToolView::Components(Asker::of(&profile, mode).profile),
            _ => return report("PathForgeGrid._set_tool_view", format_args!("there is no view {number}")),
        };
        self.tool_profile = profile;
        self.base_mut().queue_redraw();
    }
}

impl ToolView {
    /// The same view for another body.
    pub(super) const fn seen_by(self, profile: &Profile) -> Self {
        match self {
            Self::Room(_) => Self::Room(*profile),
            Self::Components(_) => Self::Components(*profile),
            other => other,
        }
    }

    /// Draws into `raster`, which lies over everything else in the scene, so that tiles do not hide it.
    pub(super) fn draw(self, raster: &mut Raster, parent: Rid, world: &mut World, shown: &Shown) {
        let window = shown.window;
        let picture = match self {
            Self::Own | Self::Nothing => return raster.clear(),
            Self::Solid => {
                let terrain = world.terrain();
                let one_way = palette::stronger(palette::texel(palette::ONE_WAY));
                Picture::paint(window, |cell| {
                    if terrain.is_solid(cell) {
                        palette::SHOWN_SOLID
                    } else if terrain.is_one_way(cell) {
                        one_way
                    } else {
                        CLEAR
                    }
                })
            }
            Self::Ground => Picture::paint(window, ground(world.terrain())),
            Self::Room(profile) => room(world, &profile, window),
            Self::Components(profile) => regions(world, &profile, window),
        };
        raster.show(parent, shown.geometry.transform(), &picture);
        if shown.cell_px >= overlay::LINES_FROM_PX {
            raster.add_lines(&overlay::lines(&shown.geometry, window), palette::LINE);
        }
        raster.add_outline(
            &overlay::outline(&shown.geometry, shown.region),
            palette::BORDER,
            2.0 / shown.scale,
        );
    }
}

fn ground(terrain: &Terrain) -> impl Fn(Cell) -> Texel {
    |cell| {
        if terrain.is_solid(cell) {
            palette::SHOWN_SOLID_FAINT
        } else {
            palette::stronger(palette::ground(terrain.terrain(cell), terrain.weight(cell)))
        }
    }
}

fn room(world: &mut World, &Profile { footprint, capability, .. }: &Profile, window: CellRect) -> Picture {
    let region = world.terrain().region();
    let covered = Covered::find(
        world.placements(LayerKey::new(footprint, capability)),
        region,
        footprint,
        window,
        |_| 0,
    );
    let terrain = world.terrain();
    Picture::paint(window, |cell| match covered.at(cell) {
        Some(_) => palette::ROOM,
        None if terrain.is_solid(cell) => palette::SHOWN_SOLID_FAINT,
        None if !capability.contains(terrain.terrain(cell)) => palette::BARRED,
        None => palette::TIGHT,
    })
}

fn regions(world: &mut World, profile: &Profile, window: CellRect) -> Picture {
    let &Profile { footprint, capability, diagonal_mode, .. } = profile;
    let region = world.terrain().region();
    let body = Profile { footprint, capability, diagonal_mode, ..Profile::default() };
    let (placements, components) = world.components(&body);
    let number = |index| components.component(&placements, index).map_or(0, ComponentId::number);
    let covered = Covered::find(&placements, region, footprint, window, number);
    let terrain = world.terrain();
    Picture::paint(window, |cell| match covered.at(cell) {
        Some(number) => palette::region(number),
        None if terrain.is_solid(cell) => palette::SHOWN_SOLID_FAINT,
        None if !capability.contains(terrain.terrain(cell)) => palette::BARRED,
        None => CLEAR,
    })
}

/// The cells that bodies cover in any valid placement, with the label of a placement for each cell.
struct Covered {
    corner: Cell,
    columns: i32,
    /// Cells from one that is known to the next, both ways.
    step: i32,
    /// The label + 1, or 0, of every known cell, row by row.
    labels: Vec<u32>,
}

impl Covered {
    /// The cells of `window` that some body of `footprint` covers, each with the `label` of its placement.
    fn find(
        stands: &BitGrid,
        region: CellRect,
        footprint: Footprint,
        window: CellRect,
        label: impl Fn(PaddedIndex) -> u32,
    ) -> Self {
        let corner = Cell::new(window.x, window.y);
        let label_at = |x: i32, y: i32| {
            let index = stands.layout().index((x - region.x) as u32, (y - region.y) as u32);
            if stands.get(index) { label(index) + 1 } else { 0 }
        };
        if window.area() <= CELLS_EXACT_MAX {
            let labels = sweep(region, footprint, window, label_at);
            return Self { corner, columns: window.w, step: 1, labels };
        }
        // Only every so many cells are painted: it is enough to know the placements among them.
        let step = Picture::step_of(window);
        let places = |side: i32| (0..(side + step - 1) / step).map(move |place| place * step);
        let cells = places(window.h).flat_map(|y| places(window.w).map(move |x| (x, y)));
        let labels = cells.map(|(x, y)| label_at(window.x + x, window.y + y)).collect();
        Self { corner, columns: (window.w + step - 1) / step, step, labels }
    }

    fn at(&self, cell: Cell) -> Option<u32> {
        let (x, y) = ((cell.x - self.corner.x) / self.step, (cell.y - self.corner.y) / self.step);
        self.labels.get((y * self.columns + x) as usize)?.checked_sub(1)
    }
}

/// For each cell of `window` the label of the last placement above and left that covers it, or 0: along each row, a
/// body covers as many cells as it is wide, and down each column, a covered row as many as it is high.
fn sweep(
    region: CellRect,
    footprint: Footprint,
    window: CellRect,
    label_at: impl Fn(i32, i32) -> u32,
) -> Vec<u32> {
    let (w, h) = (footprint.w(), footprint.h());
    // Stands above and left of the window cover cells in it.
    let seen = window.grown(w - 1, h - 1, 0, 0).intersection(region);
    let mut labels = Vec::with_capacity(window.area() as usize);
    // For each column, the last label and the rows that it still covers.
    let mut above = vec![(0, 0); window.w.max(0) as usize];
    for y in seen.y..seen.bottom() {
        let (mut last, mut left) = (0, 0);
        for x in seen.x..seen.right() {
            match label_at(x, y) {
                0 => left -= 1,
                found => (last, left) = (found, w),
            }
            if x < window.x {
                continue;
            }
            let column: &mut (u32, i32) = &mut above[(x - window.x) as usize];
            *column = if left > 0 { (last, h) } else { (column.0, column.1 - 1) };
            if y >= window.y {
                labels.push(if column.1 > 0 { column.0 } else { 0 });
            }
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use pathforge_core::terrain::Capability;

    use super::*;

    #[test]
    fn a_cell_is_covered_when_some_body_can_cover_it() {
        let region = CellRect::new(-4, -3, 20, 12);
        let mut world = World::new(region).unwrap();
        for wall in [CellRect::new(2, -3, 1, 8), CellRect::new(-4, 1, 4, 1), CellRect::new(9, 6, 2, 1)] {
            world.terrain_mut().fill_solid(wall, true);
        }
        let footprint = Footprint::new(3, 2).unwrap();
        let profile = Profile { footprint, ..Profile::default() };
        let placements = world.placements(LayerKey::new(footprint, Capability::ALL)).clone();
        for window in [region, CellRect::new(0, 0, 9, 5), CellRect::new(10, 4, 6, 5)] {
            let covered = Covered::find(&placements, region, footprint, window, |_| 0);
            for cell in window.cells() {
                let anchors = CellRect::new(cell.x - 2, cell.y - 1, 3, 2);
                let wanted = anchors.cells().any(|anchor| world.is_placement(anchor, &profile));
                assert_eq!(covered.at(cell).is_some(), wanted, "{cell:?} in {window:?}");
            }
        }
    }

    #[test]
    fn a_large_window_is_asked_where_it_is_painted() {
        let region = CellRect::new(0, 0, 3000, 2500);
        let mut world = World::new(region).unwrap();
        world.terrain_mut().fill_solid(CellRect::new(300, 0, 600, 2500), true);
        let placements = world.placements(LayerKey::new(Footprint::ONE, Capability::ALL)).clone();
        let covered = Covered::find(&placements, region, Footprint::ONE, region, |_| 7);
        let picture = Picture::paint(region, |cell| {
            assert_eq!(covered.at(cell).is_none(), (300..900).contains(&cell.x), "{cell:?}");
            CLEAR
        });
        drop(picture);
    }
}
