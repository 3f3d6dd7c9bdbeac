//! What the toolbar of the editor plugin shows of a grid, in place of the overlay that the grid's own
//! properties describe.
//!
//! Nothing of it is a property: a scene that is saved meanwhile is the same file.

use godot::prelude::*;
use pathforge_core::connectivity::ComponentId;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::passability::LayerKey;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{BodyCoverage, Profile, World};

use super::PathForgeGrid;
use super::overlay::Style;
use crate::engine::errors::report;
use crate::overlay::palette::{self, CLEAR, Texel};
use crate::overlay::{self, Picture, Raster, Shown, edges};
use crate::script::profile::{Asker, ProfileArg};

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
    /// Shows something else than the `debug_*` properties say, as `profile` sees it, until it is called with
    /// 0.
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
    pub(super) fn draw(self, raster: &mut Raster, parent: Rid, world: &mut World, shown: &Shown<Style>) {
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
        raster.show(parent, shown.to_item, &picture);
        if shown.cell_px >= overlay::LINES_FROM_PX {
            raster.add_lines(&overlay::lines(&shown.style.geometry, window), palette::LINE);
        }
        if shown.cell_px >= overlay::EDGES_FROM_PX {
            let geometry = &shown.style.geometry;
            let drawn = edges::Drawn::of(world.terrain(), geometry, window, shown.cell_px);
            drawn.add_to(raster, 1.0 / shown.scale);
        }
        raster.add_outline(
            &overlay::outline(&shown.style.geometry, shown.style.region),
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
    let (placements, step) =
        (world.placements(LayerKey::new(footprint, capability)), Picture::step_of(window));
    let covered = BodyCoverage::new(placements, region, footprint, window, step, |_, _| 0);
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
    let number = |x, y| components.component_at(&placements, x, y).map_or(0, ComponentId::number);
    let covered = BodyCoverage::new(&placements, region, footprint, window, Picture::step_of(window), number);
    let terrain = world.terrain();
    Picture::paint(window, |cell| match covered.at(cell) {
        Some(number) => palette::region(number),
        None if terrain.is_solid(cell) => palette::SHOWN_SOLID_FAINT,
        None if !capability.contains(terrain.terrain(cell)) => palette::BARRED,
        None => CLEAR,
    })
}
