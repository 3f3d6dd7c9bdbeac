//! Cells from the polygons that Godot's own navigation walks on.

use godot::builtin::AnyArray;
use godot::classes::{Geometry2D, NavigationPolygon, NavigationRegion2D};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, cells_around, is_convex, joined_islands, open_cells};
use pathforge_core::terrain::check_region;

use super::navigation_links::links_2d;
use super::{CellFrame, PathForgeGrid};
use crate::engine::errors::reported;
use crate::engine::state;
use crate::map::navigation_cells::{self, Part, corners_of, parts_of, warn_of_import};
use crate::script::geometry::CellGeometry;

/// Convex navigation polygons in cell space.
type Walkable = Part<Vec<[f64; 2]>>;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Opens the cells that a navigation polygon of one of `regions`, an array of `NavigationRegion2D`,
    /// overlaps, and makes all other cells solid. Open cells get the region's `travel_cost` as their weight,
    /// the last region's where several overlap. Terrains stay as they are. Returns [code]true[/code] on
    /// success; after an error nothing has changed.
    ///
    /// The polygons are where an agent's centre may be: a bake has taken its radius off already. So a body of
    /// one cell walks wherever the agent walked, also through the thinnest passage, and up to a cell beyond
    /// the polygons' borders. Set [member cell_size] before: [method propose_cell_size] returns a suitable
    /// size. Polygons that are apart may lie in neighbouring cells, which joins them: one warning says how
    /// many, and where.
    ///
    /// A [member region] that was set is kept, and polygons outside of it are left out. An empty region
    /// becomes the smallest that holds all polygons. Regions that are not enabled are left out; their
    /// `enter_cost` and all `navigation_layers` do not count.
    ///
    /// Each `NavigationLink2D` in the scene tree that is on the navigation map of one of `regions` becomes a
    /// link, see [method add_link]:
    ///
    /// - It joins the open cells nearest to its ends, at most 2 cells away. One warning names links without two
    ///   such cells.
    /// - `bidirectional` and `enabled` are taken over. The tag is the node's name.
    /// - The cost is `travel_cost` times what the straight way over open cells costs, plus `enter_cost`, a
    ///   distance, in cell widths.
    ///
    /// Another import changes these links, and removes those whose nodes are gone.
    ///
    /// ```gdscript
    /// grid.cell_size = grid.propose_cell_size([$Island, $Bridge])
    /// grid.import_navigation_regions([$Island, $Bridge])
    /// ```
    #[func(gd_self)]
    fn import_navigation_regions(this: Gd<Self>, regions: AnyArray) -> bool {
        let method = "PathForgeGrid.import_navigation_regions";
        let walkable = {
            let (to_global, geometry) = Self::place_of_cells(this.clone());
            of_regions(&regions, to_global, &geometry)
        };
        let Some(walkable) = reported(method, walkable) else { return false };
        let is_done = Self::import_walkable(this.clone(), method, &walkable);
        if let Some(frame) = (is_done && this.is_instance_valid()).then(|| CellFrame::of(&this)).flatten() {
            let importer = this.instance_id();
            Self::import_links(this, method, (importer, &frame), &links_2d(&regions));
        }
        is_done
    }

    /// Opens the cells that `polygon` overlaps, with weight 1, and makes all other cells solid, as [method
    /// import_navigation_regions] does for regions. `transform` leads from the polygon's space to the grid's
    /// local space. Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// grid.import_navigation_polygon(load("res://cave_floor.tres"))
    /// ```
    #[func(gd_self)]
    fn import_navigation_polygon(
        this: Gd<Self>,
        polygon: Option<Gd<NavigationPolygon>>,
        #[opt(default = Transform2D::IDENTITY)] transform: Transform2D,
    ) -> bool {
        let method = "PathForgeGrid.import_navigation_polygon";
        let (_, geometry) = Self::place_of_cells(this.clone());
        match reported(method, read(polygon, transform, &geometry)) {
            Some(walkable) => Self::import_walkable(this, method, &[walkable]),
            None => false,
        }
    }

    /// Returns a cell size for [method import_navigation_regions]. It is [member cell_size], halved until a
    /// cell is no wider than half of the smallest `agent_radius` of the regions' navigation polygons. If
    /// polygons that are apart would still be joined, it is halved up to three times more. Changes nothing.
    /// After an error it is `Vector2(0, 0)`.
    ///
    /// With such cells, walls lie between the cells that are opened on both sides of them. Bodies that stand
    /// up to a cell beyond the polygons stay out of the walls. An `agent_radius` of 0 sets no limit.
    ///
    /// ```gdscript
    /// grid.cell_size = grid.propose_cell_size([$NavigationRegion2D])
    /// ```
    #[func(gd_self)]
    fn propose_cell_size(this: Gd<Self>, regions: AnyArray) -> Vector2 {
        let (to_global, geometry) = Self::place_of_cells(this);
        let proposed = proposed_cell_size(&regions, to_global, geometry);
        reported("PathForgeGrid.propose_cell_size", proposed).unwrap_or_default()
    }
}

fn proposed_cell_size(
    regions: &AnyArray,
    grid_to_global: Transform2D,
    geometry: CellGeometry,
) -> Result<Vector2, String> {
    let walkable = of_regions(regions, grid_to_global, &geometry)?;
    navigation_cells::proposed_cell_size(geometry.cell_size, &walkable, |cell_size| {
        let walkable = of_regions(regions, grid_to_global, &CellGeometry { cell_size, ..geometry })?;
        let region = region_of(&walkable);
        check_region(region).map_err(|problem| problem.to_string())?;
        Ok(!joined_by_cells(&walkable, region).is_empty())
    })
}

fn region_of(walkable: &[Walkable]) -> CellRect {
    cells_around(&walkable.iter().flat_map(|part| part.polygons.iter().flatten()))
}

/// The cells at which polygons that are apart become one.
fn joined_by_cells(walkable: &[Walkable], region: CellRect) -> Vec<Cell> {
    let polygons: Vec<_> = walkable.iter().flat_map(|part| part.polygons.iter().map(Vec::as_slice)).collect();
    joined_islands(&polygons, region)
}

impl PathForgeGrid {
    fn place_of_cells(mut this: Gd<Self>) -> (Transform2D, CellGeometry) {
        let mut grid = this.bind_mut();
        (grid.global_transform(), grid.cell_geometry())
    }

    fn import_walkable(this: Gd<Self>, method: &str, walkable: &[Walkable]) -> bool {
        let old = state::of(&this).lock().region();
        let region = if old.is_empty() { region_of(walkable) } else { old };
        let Some(()) = reported(method, check_region(region)) else { return false };
        let parts = walkable.iter().map(|part| (part.polygons.as_slice(), part.weight));
        let open = open_cells(parts, region);
        warn_of_import(method, region, &open, &joined_by_cells(walkable, region));
        Self::open_only(this, method, region, &open)
    }

    /// Opens the cells of `region` that have a weight, and makes all others solid. Returns `true` if it
    /// could.
    pub fn open_only(this: Gd<Self>, method: &str, region: CellRect, open: &[Option<f32>]) -> bool {
        let old = state::of(&this).lock().region();
        if region == old {
            Self::make(this, method, |terrain| terrain.set_open(open));
            return true;
        }
        let resized = state::of(&this).lock().world.terrain().resized(region);
        let Some(mut terrain) = reported(method, resized) else { return false };
        let Some(_) = reported(method, terrain.set_open(open)) else { return false };
        Self::replace(this, terrain);
        true
    }
}

fn read(
    polygon: Option<Gd<NavigationPolygon>>,
    transform: Transform2D,
    geometry: &CellGeometry,
) -> Result<Walkable, String> {
    let polygon = polygon.ok_or("there is no NavigationPolygon")?;
    let scale = transform.a.length().min(transform.b.length());
    Ok(Walkable {
        polygons: polygons_of(&polygon, transform, geometry)?,
        weight: 1.0,
        agent_radius: polygon.get_agent_radius() * scale,
    })
}

fn of_regions(
    regions: &AnyArray,
    grid_to_global: Transform2D,
    geometry: &CellGeometry,
) -> Result<Vec<Walkable>, String> {
    if grid_to_global.determinant() == 0.0 || !grid_to_global.is_finite() {
        return Err("the grid is scaled to nothing".to_owned());
    }
    let to_grid = grid_to_global.affine_inverse();
    parts_of(
        regions,
        |region: &Gd<NavigationRegion2D>| (region.is_enabled(), region.get_travel_cost()),
        |region| read(region.get_navigation_polygon(), to_grid * region.get_global_transform(), geometry),
    )
}

/// The polygons of a navigation polygon as convex ones, in cell space.
fn polygons_of(
    polygon: &Gd<NavigationPolygon>,
    transform: Transform2D,
    geometry: &CellGeometry,
) -> Result<Vec<Vec<[f64; 2]>>, String> {
    let vertices = polygon.get_vertices();
    let to_cells = |&vertex: &Vector2| <[f64; 2]>::from(geometry.cell_space_of(transform * vertex));
    let is_finite = |vertex: &Vector2| to_cells(vertex).iter().all(|value| value.is_finite());
    let (count, indices) = (polygon.get_polygon_count(), |at| polygon.get_polygon(at));
    let mut polygons = Vec::new();
    for corners in corners_of("NavigationPolygon", vertices.as_slice(), is_finite, count, indices)? {
        let corners = PackedVector2Array::from(corners);
        let in_cells = |corners: &PackedVector2Array| corners.as_slice().iter().map(to_cells).collect();
        let whole: Vec<_> = in_cells(&corners);
        if is_convex(&whole) {
            polygons.push(whole);
        } else {
            let parts = Geometry2D::singleton().decompose_polygon_in_convex(&corners);
            polygons.extend(parts.iter_shared().map(|part| in_cells(&part)));
        }
    }
    Ok(polygons)
}
