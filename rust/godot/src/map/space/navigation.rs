//! Cells and heights from the meshes that Godot's own navigation walks on.

use godot::builtin::AnyArray;
use godot::classes::{Geometry2D, NavigationMesh, NavigationRegion3D};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Facet, Ground, cells_around, ground_of, is_convex};
use pathforge_core::terrain::check_region;

use super::{PathForgeSpace3D, global_transform};
use crate::engine::errors::{report_warning, reported};
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::map::grid::navigation_links::links_3d;
use crate::map::navigation_cells::{self, Part, corners_of, named, parts_of, warn_of_import};

/// A triangle, its corners as x, z and height in the node's space, and the highest step of the mesh's agent
/// there.
struct Triangle {
    corners: [[f64; 3]; 3],
    step: f64,
}

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// Opens the cells that a navigation polygon of `regions` overlaps, and makes all other cells solid.
    /// `regions` is an array of `NavigationRegion3D` with baked meshes, which are seen along the node's y
    /// axis. Returns [code]true[/code] on success; after an error nothing has changed.
    ///
    /// - An open cell gets the height of the polygon at its centre, or at the polygon's nearest point. Its
    ///   weight is the region's `travel_cost`.
    /// - A solid cell becomes as high as the nearest open cell. Terrains stay as they are.
    /// - If two neighbouring cells differ by more than a step, the lower one becomes solid, so that bodies do
    ///   not walk off the side of a bridge. A step is the mesh's `agent_max_climb` and the rise of the
    ///   polygons' slopes there.
    ///
    /// If polygons lie above each other, the highest counts, and one warning names the cells. Polygons below
    /// `lowest` or above `highest` are left out. Both are along the node's y axis, from the node. A floor of a
    /// house, see [member floor_region], imports into its own cells only, and its [member storey_height] cuts
    /// the range: so one mesh serves all floors.
    ///
    /// The polygons are where an agent's centre may be: a bake has taken its radius off already. So a body of
    /// one cell walks wherever the agent walked, and up to a cell beyond the polygons' borders. Set [member
    /// cell_size] before: [method propose_cell_size] returns a suitable size. Polygons that are apart may lie
    /// in neighbouring cells, which joins them: one warning says how many, and where.
    ///
    /// A [member PathForgeGrid.region] that was set is kept, and polygons outside of it are left out. An
    /// empty region becomes the smallest that holds all polygons. Regions that are not enabled are left out;
    /// their `enter_cost` and all `navigation_layers` do not count. Each `NavigationLink3D` on the navigation
    /// map of one of `regions` becomes a link, by the rules of [method
    /// PathForgeGrid.import_navigation_regions], if both ends are between `lowest` and `highest`. The import
    /// needs no physics and no navigation map, and may be called in `_ready`.
    ///
    /// ```gdscript
    /// func _ready() -> void:
    ///     space.cell_size = space.propose_cell_size([$NavigationRegion3D])
    ///     grid.cell_size = space.cell_size # Speeds and radii are in metres.
    ///     space.import_navigation_regions([$NavigationRegion3D])
    /// ```
    #[func(gd_self)]
    fn import_navigation_regions(
        mut this: Gd<Self>,
        regions: AnyArray,
        #[opt(default = f64::NEG_INFINITY)] lowest: f64,
        #[opt(default = f64::INFINITY)] highest: f64,
    ) -> bool {
        let method = "PathForgeSpace3D.import_navigation_regions";
        let parts = {
            let space = this.bind();
            let Some(to_local) = space.to_local(method) else { return false };
            of_regions(&regions, to_local)
        };
        let is_done = Self::import_meshes(this.clone(), method, parts, [lowest, highest]);
        if is_done && this.is_instance_valid() {
            let (grid, frame, to_local) = {
                let mut space = this.bind_mut();
                (space.resolve_grid(), space.frame(), space.to_local(method))
            };
            if let (Some(grid), Some(frame), Some(to_local)) = (grid, frame, to_local) {
                let mut links = links_3d(&regions);
                let is_within = |end: Vector3| (lowest..=highest).contains(&f64::from((to_local * end).y));
                // The other end of stairs is on another storey.
                let has_storeys = this.bind().is_storey();
                links.retain(|link| {
                    let [from, to] = link.ends().map(is_within);
                    from && to || has_storeys && (from || to)
                });
                PathForgeGrid::import_links(grid, method, (this.instance_id(), &frame), &links);
            }
        }
        is_done
    }

    /// Opens the cells that a polygon of `mesh` overlaps, with weight 1, gives them heights, and makes all
    /// other cells solid, as [method import_navigation_regions] does for regions. `transform` leads from the
    /// mesh's space to the node's. Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// space.import_navigation_mesh(load("res://castle_navigation.tres"))
    /// ```
    #[func(gd_self)]
    fn import_navigation_mesh(
        this: Gd<Self>,
        mesh: Option<Gd<NavigationMesh>>,
        #[opt(default = Transform3D::IDENTITY)] transform: Transform3D,
        #[opt(default = f64::NEG_INFINITY)] lowest: f64,
        #[opt(default = f64::INFINITY)] highest: f64,
    ) -> bool {
        let method = "PathForgeSpace3D.import_navigation_mesh";
        let parts = read(mesh, transform).map(|part| vec![part]);
        Self::import_meshes(this, method, parts, [lowest, highest])
    }

    /// Returns a cell size for [method import_navigation_regions]. It is [member cell_size], halved until a
    /// cell is no wider than half of the smallest `agent_radius` of the regions' meshes. If polygons that are
    /// apart would still be joined, it is halved up to three times more. Only polygons between `lowest` and
    /// `highest` count, as in the import. Changes nothing. After an error it is `Vector2(0, 0)`.
    ///
    /// With such cells, walls lie between the cells that are opened on both sides of them. Bodies that stand
    /// up to a cell beyond the polygons stay out of the walls. An `agent_radius` of 0 sets no limit.
    ///
    /// ```gdscript
    /// space.cell_size = space.propose_cell_size([$NavigationRegion3D])
    /// ```
    #[func]
    fn propose_cell_size(
        &self,
        regions: AnyArray,
        #[opt(default = f64::NEG_INFINITY)] lowest: f64,
        #[opt(default = f64::INFINITY)] highest: f64,
    ) -> Vector2 {
        let method = "PathForgeSpace3D.propose_cell_size";
        let Some(to_local) = self.to_local(method) else { return Vector2::ZERO };
        let [width, depth] = self.ground().cell_size;
        let proposed = range(lowest, highest).and_then(|heights| {
            let parts = of_regions(&regions, to_local)?;
            navigation_cells::proposed_cell_size(Vector2::new(width, depth), &parts, |size| {
                let (facets, _) = facets_of(&parts, [size.x, size.y], heights)?;
                let region = region_of(&facets);
                check_region(region).map_err(|problem| problem.to_string())?;
                Ok(!ground_of(&facets, region).joined.is_empty())
            })
        });
        reported(method, proposed).unwrap_or_default()
    }
}

impl PathForgeSpace3D {
    fn import_meshes(
        this: Gd<Self>,
        method: &str,
        parts: Result<Vec<Part<Triangle>>, String>,
        [lowest, highest]: [f64; 2],
    ) -> bool {
        let heights = this.bind().within_storey([lowest, highest]);
        let read = parts.and_then(|parts| Ok((parts, range(heights[0], heights[1])?)));
        let Some((parts, heights)) = reported(method, read) else { return false };
        let (grid, kept, cell_size, is_storey) = {
            let mut this = this.clone();
            let mut space = this.bind_mut();
            let Some(grid) = space.some_grid(method) else { return false };
            let Some(region) = reported(method, space.cells_for_import()) else { return false };
            (grid, region, space.ground().cell_size, space.is_storey())
        };
        let facets = facets_of(&parts, cell_size, heights);
        let Some((facets, weights)) = reported(method, facets) else { return false };
        let region = if kept.is_empty() { region_of(&facets) } else { kept };
        let Some(()) = reported(method, check_region(region)) else { return false };
        let Ground { facets, heights, covered, joined } = ground_of(&facets, region);
        let open: Vec<Option<f32>> = facets.into_iter().map(|facet| facet.map(|n| weights[n])).collect();
        warn_of_import(method, region, &open, &joined);
        if !covered.is_empty() {
            let cells = named(&covered);
            report_warning(
                method,
                format!(
                    "polygons lie above each other, at {cells}; the highest counts: see lowest and highest"
                ),
            );
        }
        let mut is_done = false;
        Self::raise(this, region, region, &heights, || {
            let (region, open) = if is_storey { with_others(&grid, region, &open) } else { (region, open) };
            is_done = PathForgeGrid::open_only(grid, method, region, &open);
        });
        is_done
    }
}

/// The cells of a whole grid, of which only those of `part` become what an import tells.
fn with_others(
    grid: &Gd<PathForgeGrid>,
    part: CellRect,
    open: &[Option<f32>],
) -> (CellRect, Vec<Option<f32>>) {
    let map = state::of(grid);
    let map = map.lock();
    let terrain = map.world.terrain();
    let told = |cell: Cell| open[((cell.y - part.y) * part.w + cell.x - part.x) as usize];
    let kept = |cell: Cell| (!terrain.is_solid(cell)).then(|| terrain.weight(cell));
    let cell = |cell| if part.contains(cell) { told(cell) } else { kept(cell) };
    let whole = terrain.region();
    (whole, whole.cells().map(cell).collect())
}

fn range(lowest: f64, highest: f64) -> Result<[f64; 2], String> {
    if lowest < highest {
        Ok([lowest, highest])
    } else {
        Err(format!("lowest {lowest} is not below highest {highest}"))
    }
}

fn of_regions(regions: &AnyArray, to_local: Transform3D) -> Result<Vec<Part<Triangle>>, String> {
    parts_of(
        regions,
        |region: &Gd<NavigationRegion3D>| (region.is_enabled(), region.get_travel_cost()),
        |region| read(region.get_navigation_mesh(), to_local * global_transform(&region.clone().upcast())),
    )
}

fn read(mesh: Option<Gd<NavigationMesh>>, to_space: Transform3D) -> Result<Part<Triangle>, String> {
    let mesh = mesh.ok_or("there is no NavigationMesh")?;
    let scale = to_space.basis.col_a().length().min(to_space.basis.col_c().length());
    let step = f64::from(mesh.get_agent_max_climb() * to_space.basis.col_b().y.abs());
    let triangles = triangles_of(&mesh, to_space)?;
    let polygons = triangles.into_iter().map(|corners| Triangle { corners, step }).collect();
    Ok(Part { polygons, weight: 1.0, agent_radius: mesh.get_agent_radius() * scale })
}

/// The polygons of a mesh as triangles, which are flat, in the node's space.
fn triangles_of(mesh: &Gd<NavigationMesh>, to_space: Transform3D) -> Result<Vec<[[f64; 3]; 3]>, String> {
    let vertices: Vec<[f64; 3]> = mesh
        .get_vertices()
        .as_slice()
        .iter()
        .map(|&vertex| {
            let Vector3 { x, y, z } = to_space * vertex;
            [x, z, y].map(f64::from)
        })
        .collect();
    let is_finite = |vertex: &[f64; 3]| vertex.iter().all(|value| value.is_finite());
    let (count, indices) = (mesh.get_polygon_count(), |at| mesh.get_polygon(at));
    let mut triangles = Vec::new();
    for corners in corners_of("NavigationMesh", &vertices, is_finite, count, indices)? {
        let flat: Vec<[f64; 2]> = corners.iter().map(|&[x, y, _]| [x, y]).collect();
        if is_convex(&flat) {
            // From its first corner, as the navigation server does.
            triangles.extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
        } else {
            let points = flat.iter().map(|&[x, y]| Vector2::new(x as f32, y as f32)).collect();
            let ends = Geometry2D::singleton().triangulate_polygon(&points);
            let corner = |&index: &i32| corners[index as usize];
            triangles
                .extend(ends.as_slice().as_chunks::<3>().0.iter().map(|ends| ends.each_ref().map(corner)));
        }
    }
    Ok(triangles)
}

/// What lies between two heights of all triangles, in cells, and the weight of each.
fn facets_of(
    parts: &[Part<Triangle>],
    [width, depth]: [f32; 2],
    heights: [f64; 2],
) -> Result<(Vec<Facet>, Vec<f32>), String> {
    let in_cells = |[x, z, height]: [f64; 3]| [x / f64::from(width), z / f64::from(depth), height];
    let facets: (Vec<Facet>, Vec<f32>) = parts
        .iter()
        .flat_map(|part| part.polygons.iter().map(|triangle| (triangle, part.weight)))
        .filter_map(|(Triangle { corners, step }, weight)| {
            Some((Facet::new(&corners.map(in_cells), heights, *step)?, weight))
        })
        .unzip();
    if facets.0.is_empty() {
        let [lowest, highest] = heights;
        return Err(format!("no polygon has an area between lowest {lowest} and highest {highest}"));
    }
    Ok(facets)
}

fn region_of(facets: &[Facet]) -> CellRect {
    cells_around(&facets.iter().flat_map(Facet::corners))
}
