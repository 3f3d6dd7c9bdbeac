//! A space as a storey of a house: it lays out a part of its grid, and knows the other storeys.
//!
//! Scripts call a storey a floor. Where the storeys are is in [`storeys`]; which of them carries a position,
//! in the core's [`Storeys`](pathforge_core::storeys::Storeys).

use std::sync::Arc;

use godot::classes::Engine;
use godot::prelude::*;
use pathforge_core::cost::{Cost, STRAIGHT};
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::height_field::{Affine, HeightField};
use pathforge_core::storeys::{Storey, Storeys};
use pathforge_core::terrain::Link;

use super::{PathForgeSpace3D, affine, global_transform};
use crate::engine::errors::{reported, warn};
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::NO_GRID;
use crate::map::storeys::{self, Entry, House, HouseKey};
use crate::script::convert::ShownRegion;
use crate::script::geometry::{CellGeometry, anchor_of};
use crate::script::given::given;
use crate::script::profile::{Asker, ProfileArg};

/// The tag of links that join floors.
const SEAM: &str = "seam";
/// How far below the node ground still counts for imports into a storey, in sides of a cell.
const BELOW_CELLS: f32 = 0.5;
/// How far below the next storey ground counts no more, in metres: the ground of that is exactly so high, but
/// for rounding.
const NEXT: f64 = 0.01;

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// Returns the floor of the grid that carries a position, or [code]null[/code] where none lies below or
    /// above it. Of the floors whose cells lie there, it is the floor whose ground is nearest in height. Ground
    /// above the position counts as three times as far.
    ///
    /// All floors with the same grid count, whichever of them is asked: spaces in the scene tree with a
    /// [member floor_region]. A space without floor region returns itself where it has cells.
    ///
    /// ```gdscript
    /// var on := space.floor_at(hero.global_position)
    /// if on:
    ///     hero.global_position = on.snap_to_ground(hero.global_position)
    ///     print("The hero is on %s, at cell %s." % [on.name, on.global_to_cell(hero.global_position)])
    /// ```
    #[func]
    fn floor_at(&mut self, position: Vector3) -> Option<Gd<Self>> {
        let method = "PathForgeSpace3D.floor_at";
        let position = reported(method, given("position", position).finite())?;
        let region = self.region(method)?;
        if let Some((_, house)) = self.house() {
            let n = house.storeys.under(position.to_array())?;
            return Gd::try_from_instance_id(house.nodes[n].0).ok();
        }
        self.to_local(method)?;
        self.storeys_of_crowd()
            .under(position.to_array())
            .filter(|_| !region.is_empty())
            .map(|_| self.to_gd())
    }

    /// Joins the floors of the house where ground goes on from one to another, as on a ramp that is a part of
    /// both. Adds links between open cells that lie beside each other in space, if the step between them is at
    /// most `step_height` metres high. Returns the ids of the links. Their tag is [code]seam[/code].
    ///
    /// The links are for bodies with the footprint of `profile`, one cell without it: call this once for each
    /// size of body, after the imports of all floors. Links that are there already are not added again. A floor
    /// without other floors has none.
    ///
    /// Takes time in proportion to the cells of all floors.
    ///
    /// ```gdscript
    /// for floor: PathForgeSpace3D in floors:
    ///     floor.storey_height = 3.0
    ///     floor.import_navigation_regions(regions)
    /// floors[0].join_floors(0.5)
    /// floors[0].join_floors(0.5, large_robot)
    /// ```
    #[func(gd_self)]
    fn join_floors(
        mut this: Gd<Self>,
        step_height: f64,
        #[opt(default = ProfileArg::NONE)] profile: ProfileArg,
    ) -> PackedInt32Array {
        let method = "PathForgeSpace3D.join_floors";
        let begun = {
            let mut space = this.bind_mut();
            let step = reported(method, given("step_height", step_height).at_least_zero());
            step.and_then(|step| Some((step, space.some_grid(method)?, space.house())))
        };
        let Some((step, grid, house)) = begun else { return PackedInt32Array::new() };
        let footprint = Asker::of(&profile, grid.bind().grid_diagonal_mode()).profile.footprint;
        PathForgeGrid::add_links(grid, method, |terrain| {
            let is_open = |cell| terrain.region().contains(cell) && !terrain.is_solid(cell);
            let seams = house.map(|(_, house)| house.storeys.seams(step, footprint, is_open));
            seams.unwrap_or_default().into_iter().map(|ends| seam(ends, footprint)).collect()
        })
    }
}

/// The link over a seam, which costs what as many steps cost as it is long, for bodies that stand before it
/// and behind it at its ends.
fn seam([from, to]: [Cell; 2], footprint: Footprint) -> Link {
    let cost = Cost::from_units(STRAIGHT * footprint.w().max(footprint.h()) as u32);
    Link { cost, is_two_way: false, footprint_max: footprint, tag: SEAM.into(), ..Link::new(from, to) }
}

impl PathForgeSpace3D {
    /// Returns `true` if the node lays out a part of its grid only.
    pub(super) const fn is_storey(&self) -> bool {
        !self.sheet.is_empty()
    }

    /// Returns `true` if the node lays out the cell of a point of cell space, as far as it names its cells.
    pub(super) fn lays(&self, (x, y): (f64, f64)) -> bool {
        let is_within = |at: f64, start: i32, side: i32| {
            f64::from(start) <= at && at < f64::from(start) + f64::from(side)
        };
        let CellRect { x: left, y: top, w, h } = self.sheet;
        !self.is_storey() || is_within(x, left, w) && is_within(y, top, h)
    }

    /// The anchor of a body whose centre is at a point of cell space; `None` beside the cells of a storey.
    pub(super) fn anchor_at(&self, point: (f64, f64), footprint: Footprint) -> Option<Cell> {
        if self.lays(point) { anchor_of(point, footprint) } else { None }
    }

    /// A point of cell space in the grid's local space.
    pub(super) fn local_at(&self, geometry: &CellGeometry, point: (f64, f64)) -> Vector2 {
        if self.lays(point) { geometry.local_of(point.0, point.1) } else { Vector2::INF }
    }

    /// Returns `true` if the cell at a position on the ground of a storey is open.
    pub(super) fn is_open(&self, storey: &Storey, place: [f32; 3]) -> bool {
        let Some(grid) = self.link.effective(&self.to_gd().upcast()) else { return false };
        let (x, y) = storey.nearest(storey.point(place));
        let cell = Cell::new(x.floor() as i32, y.floor() as i32);
        let map = state::of(&grid);
        let map = map.lock();
        map.world.terrain().region().contains(cell) && !map.world.terrain().is_solid(cell)
    }

    /// From the node's space to the plane of the grid.
    pub(super) fn shift(&self) -> Vector3 {
        if self.is_storey() { storeys::shift(self.sheet, &self.ground) } else { Vector3::ZERO }
    }

    /// From global space to the node's own, in which a crowd is drawn.
    pub fn stage_of_crowd(&self) -> Affine {
        affine(&global_transform(&self.to_gd().upcast()).affine_inverse())
    }

    /// Where the agents of a crowd are in space: the storeys of the house, or the node's own ground.
    pub fn storeys_of_crowd(&self) -> Storeys {
        if let Some((_, house)) = self.house() {
            return house.storeys.clone();
        }
        let grid = self.link.effective(&self.to_gd().upcast());
        let sheet = grid.map(|grid| state::of(&grid).lock().world.terrain().region()).unwrap_or_default();
        let to_global = self.to_global();
        Storeys::new(vec![Storey {
            sheet,
            ground: Arc::clone(&self.ground),
            to_space: affine(&to_global),
            to_plane: affine(&to_global.affine_inverse()),
        }])
    }

    /// The place of a space among these storeys.
    pub fn place_in_house(&self, space: InstanceId) -> Option<usize> {
        match self.house() {
            Some((_, house)) => house.nodes.iter().position(|(node, _)| *node == space),
            None => (self.base().instance_id() == space).then_some(0),
        }
    }

    /// The house of which the node is a storey in the tree.
    pub fn house(&self) -> Option<(HouseKey, Arc<House>)> {
        if !self.is_storey() {
            return None;
        }
        let id = self.base().instance_id();
        let (key, house) = storeys::house_of(storeys::grid_of(id)?)?;
        house.nodes.iter().any(|(node, _)| *node == id).then_some((key, house))
    }

    /// From the plane of the grid to the world, and the ground, at a point of cell space: those of its storey,
    /// or the node's own.
    pub(super) fn laid_at(&self, point: (f64, f64)) -> (Transform3D, Arc<HeightField>) {
        let of_storey = self.house().and_then(|(_, house)| {
            let n = house.storeys.of_point(point)?;
            Some((house.nodes[n].1, Arc::clone(&house.storeys.all()[n].ground)))
        });
        of_storey.unwrap_or_else(|| (self.to_global(), Arc::clone(&self.ground)))
    }

    /// Has the other storeys know this one as it is now.
    pub(super) fn publish_storey(&mut self) {
        if !self.is_storey() || !self.base().is_inside_tree() {
            return;
        }
        let grid = self.link.known().map(|grid| grid.instance_id());
        let (sheet, ground) = (self.sheet, Arc::clone(&self.ground));
        storeys::publish(Entry { space: self.base().instance_id(), grid, sheet, ground });
    }

    /// Lays out other cells from now on.
    pub(super) fn set_sheet(&mut self, sheet: CellRect) {
        if sheet == self.sheet {
            return;
        }
        // The grid loses the heights of the former cells.
        self.holder = None;
        self.sheet = sheet;
        // A scan and an import were for other cells.
        (self.scan, self.imported) = (None, None);
        storeys::withdraw(self.base().instance_id());
        self.publish_storey();
        self.hand_heights();
        self.base_mut().update_configuration_warnings();
    }

    /// The cells that an import may change; of a storey, only its own. The region of a grid that has none may
    /// come from the import.
    pub(super) fn cells_for_import(&mut self) -> Result<CellRect, String> {
        let grid = self.resolve_grid().ok_or(NO_GRID)?;
        let whole = state::of(&grid).lock().world.terrain().region();
        if !self.is_storey() {
            return Ok(whole);
        }
        let cells = whole.intersection(self.sheet);
        if cells.is_empty() {
            return Err(format!(
                "floor_region {} has no cells in the grid's region {}; set the region first",
                ShownRegion(self.sheet),
                ShownRegion(whole)
            ));
        }
        Ok(cells)
    }

    /// Between which heights imports count ground, both along the node's y axis: within the storey, if its
    /// height is known, and within the given heights.
    pub(super) fn within_storey(&self, [lowest, highest]: [f64; 2]) -> [f64; 2] {
        if self.height_of_storey <= 0.0 {
            return [lowest, highest];
        }
        let [width, depth] = self.ground.cell_size;
        let below = f64::from(width.min(depth) * BELOW_CELLS);
        [lowest.max(-below), highest.min(f64::from(self.height_of_storey) - NEXT)]
    }

    /// What is wrong with the cells of the storey.
    pub(super) fn storey_problem(&self) -> Option<String> {
        if !self.is_storey() {
            return None;
        }
        let grid = self.link.effective(&self.to_gd().upcast())?;
        let own = ShownRegion(self.sheet);
        let whole = state::of(&grid).lock().world.terrain().region();
        if !whole.is_empty() && !whole.contains_rect(self.sheet) {
            let within = ShownRegion(whole);
            return Some(format!("The floor region {own} lies partly outside the grid's region {within}."));
        }
        self.shared_cells(&grid)
    }

    /// What is said of cells that another storey has as well.
    fn shared_cells(&self, grid: &Gd<PathForgeGrid>) -> Option<String> {
        let (_, house) = storeys::house_of(grid.instance_id())?;
        let id = self.base().instance_id();
        // The last of two says so.
        let others = house.storeys.all().iter().zip(&house.nodes).take_while(|(_, (node, _))| *node != id);
        let mut shared = others.filter(|(other, _)| !other.sheet.intersection(self.sheet).is_empty());
        let (other, (node, _)) = shared.next()?;
        let name = Gd::<Node>::try_from_instance_id(*node).map(|node| node.get_name()).unwrap_or_default();
        Some(format!(
            "The floor region {} shares cells with that of {name}, {}.",
            ShownRegion(self.sheet),
            ShownRegion(other.sheet)
        ))
    }

    /// In each physics frame: what other storeys know of this one is up to date, and a mistake in its cells is
    /// told, once.
    pub(super) fn keep_storey(&mut self) {
        if !self.is_storey() {
            return;
        }
        self.publish_storey();
        if Engine::singleton().is_editor_hint() {
            return;
        }
        let problem = self.storey_problem();
        if problem != self.said_of_storey {
            if let Some(problem) = &problem {
                warn(&self.to_gd().upcast(), problem);
            }
            self.said_of_storey = problem;
        }
    }
}
