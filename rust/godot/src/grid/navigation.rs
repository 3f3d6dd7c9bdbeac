//! Cells from the polygons that Godot's own navigation walks on.

use godot::builtin::AnyArray;
use godot::classes::{NavigationPolygon, NavigationRegion2D};
use godot::prelude::*;
use pathforge_core::geometry::cells_around;
use pathforge_core::terrain::check_region;

use super::PathForgeGrid;
use crate::errors::reported;
use crate::geometry::CellGeometry;
use crate::node_arg;
use crate::state;

/// Navigation polygons in cell space, and the weight of the cells in them.
struct Walkable {
    polygons: Vec<Vec<[f64; 2]>>,
    weight: f32,
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Opens the cells whose centre lies in a navigation polygon of one of `regions`, an array of `NavigationRegion2D`,
    /// and makes all other cells solid. Open cells get the region's `travel_cost` as their weight, the last region's
    /// where several overlap. Terrains stay as they are. Returns [code]true[/code] if it could; after an error nothing
    /// has changed.
    ///
    /// The polygons are where an agent's centre may be: a bake has taken its radius off already. So a body of one cell
    /// walks where the agent walked.
    ///
    /// A [member region] that was set is kept, and polygons outside of it are left out. An empty one becomes the
    /// smallest that holds all polygons. Set [member cell_size] before: cells about as wide as the agent, or half as
    /// wide where passages are narrow. Regions that are not enabled are left out; `enter_cost` and `navigation_layers`
    /// do not count.
    ///
    /// ```gdscript
    /// grid.cell_size = Vector2(16, 16)
    /// grid.import_navigation_regions([$Island, $Bridge])
    /// ```
    #[func(gd_self)]
    fn import_navigation_regions(this: Gd<Self>, regions: AnyArray) -> bool {
        let method = "PathForgeGrid.import_navigation_regions";
        let walkable = {
            let (to_global, geometry) = Self::place_of_cells(this.clone());
            Walkable::of_regions(&regions, to_global, &geometry)
        };
        match reported(method, walkable) {
            Some(walkable) => Self::import_walkable(this, method, &walkable),
            None => false,
        }
    }

    /// Opens the cells whose centre lies in `polygon`, with weight 1, and makes all other cells solid, as
    /// [method import_navigation_regions] does for regions. `transform` leads from the polygon's space to the grid's
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
        let polygons = polygons_of(polygon, transform, &geometry);
        match reported(method, polygons) {
            Some(polygons) => Self::import_walkable(this, method, &[Walkable { polygons, weight: 1.0 }]),
            None => false,
        }
    }
}

impl PathForgeGrid {
    fn place_of_cells(mut this: Gd<Self>) -> (Transform2D, CellGeometry) {
        let mut grid = this.bind_mut();
        (grid.global_transform(), grid.cell_geometry())
    }

    fn import_walkable(this: Gd<Self>, method: &str, walkable: &[Walkable]) -> bool {
        let old = state::of(&this).lock().region();
        let region = if old.is_empty() {
            cells_around(&walkable.iter().flat_map(|part| part.polygons.iter().flatten()))
        } else {
            old
        };
        let Some(()) = reported(method, check_region(region)) else { return false };
        let parts = walkable.iter().map(|part| (part.polygons.as_slice(), part.weight));
        if region == old {
            Self::make(this, method, |terrain| terrain.set_walkable(parts));
            return true;
        }
        let resized = state::of(&this).lock().world.terrain().resized(region);
        let Some(mut terrain) = reported(method, resized) else { return false };
        let Some(_) = reported(method, terrain.set_walkable(parts)) else { return false };
        Self::replace(this, terrain);
        true
    }
}

impl Walkable {
    fn of_regions(
        regions: &AnyArray,
        grid_to_global: Transform2D,
        geometry: &CellGeometry,
    ) -> Result<Vec<Self>, String> {
        if grid_to_global.determinant() == 0.0 || !grid_to_global.is_finite() {
            return Err("the grid is scaled to nothing".to_owned());
        }
        let to_grid = grid_to_global.affine_inverse();
        let mut walkable = Vec::new();
        for (index, region) in
            node_arg::all::<NavigationRegion2D>("regions", regions)?.into_iter().enumerate()
        {
            if !region.is_enabled() {
                continue;
            }
            let named = |problem: String| format!("regions[{index}]: {problem}");
            let transform = to_grid * region.get_global_transform();
            let polygons =
                polygons_of(region.get_navigation_polygon(), transform, geometry).map_err(named)?;
            let weight = region.get_travel_cost();
            if !weight.is_finite() || weight < 0.0 {
                return Err(named(format!("travel_cost {weight} is not a finite number of 0 or more")));
            }
            walkable.push(Self { polygons, weight });
        }
        if walkable.is_empty() {
            return Err("no region is enabled".to_owned());
        }
        Ok(walkable)
    }
}

/// The convex parts of a navigation polygon, in cell space.
fn polygons_of(
    polygon: Option<Gd<NavigationPolygon>>,
    transform: Transform2D,
    geometry: &CellGeometry,
) -> Result<Vec<Vec<[f64; 2]>>, String> {
    let polygon = polygon.ok_or("there is no NavigationPolygon")?;
    let vertices: Vec<[f64; 2]> = polygon
        .get_vertices()
        .as_slice()
        .iter()
        .map(|&vertex| <[f64; 2]>::from(geometry.cell_space_of(transform * vertex)))
        .collect();
    if let Some(at) = vertices.iter().position(|[x, y]| !x.is_finite() || !y.is_finite()) {
        return Err(format!("vertex {at} of the NavigationPolygon does not lie at a finite place"));
    }
    let count = polygon.get_polygon_count();
    if count == 0 {
        return Err("the NavigationPolygon has no polygons; bake it first".to_owned());
    }
    let corners_of = |at: i32| -> Option<Vec<[f64; 2]>> {
        let corners = polygon.get_polygon(at);
        corners.as_slice().iter().map(|&at| vertices.get(usize::try_from(at).ok()?).copied()).collect()
    };
    (0..count)
        .map(|at| {
            corners_of(at).ok_or_else(|| {
                format!("polygon {at} of the NavigationPolygon names a vertex that it has not")
            })
        })
        .collect()
}
