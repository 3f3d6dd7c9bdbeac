//! What was baked, as the engine takes it: navigation polygons, and a region for each chunk.

use std::collections::HashMap;

use godot::classes::{NavigationPolygon, NavigationRegion2D, NavigationServer2D, Node, Node2D};
use godot::prelude::*;
use pathforge_navmesh::{NavMesh, TileIndex};

/// The part of a navigation map's cell size that corners are told apart by: fine enough for 1/64 pixel.
const MERGE_SCALE: f64 = 0.01;

/// The baker's regions.
#[derive(Default)]
pub struct Regions {
    nodes: HashMap<TileIndex, InstanceId>,
}

impl Regions {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Removes all. Handlers of what the tree emits may run meanwhile.
    pub fn clear(&mut self) {
        for (_, id) in self.nodes.drain() {
            release(id);
        }
    }

    /// Removes those of chunks that are not among `chunks`.
    pub fn retain(&mut self, chunks: &[(TileIndex, NavMesh)]) {
        let wanted: std::collections::HashSet<TileIndex> = chunks.iter().map(|(chunk, _)| *chunk).collect();
        let gone: Vec<_> = self.nodes.keys().copied().filter(|chunk| !wanted.contains(chunk)).collect();
        for chunk in gone {
            self.remove(chunk);
        }
    }

    /// The regions of these chunks.
    pub fn of_chunks<'a>(&self, chunks: impl Iterator<Item = &'a TileIndex>) -> Vec<InstanceId> {
        chunks.filter_map(|chunk| self.nodes.get(chunk).copied()).collect()
    }

    /// Gives a chunk its mesh.
    pub fn show(&mut self, parent: &mut Gd<Node2D>, chunk: TileIndex, mesh: &NavMesh, style: &Style) {
        if mesh.is_empty() {
            self.remove(chunk);
            return;
        }
        let kept =
            self.nodes.get(&chunk).and_then(|&id| Gd::<NavigationRegion2D>::try_from_instance_id(id).ok());
        let kept = kept.filter(|region| !region.is_queued_for_deletion());
        let polygon = navigation_polygon(mesh, style.cell_size);
        if let Some(mut region) = kept {
            region.set_transform(style.transform);
            region.set_navigation_layers(style.layers);
            region.set_navigation_polygon(&polygon);
            return;
        }
        let mut region = NavigationRegion2D::new_alloc();
        let [x, y] = chunk;
        region.set_name(&format!("Chunk_{x}_{y}"));
        // Neighbours have the same corners along their border, so that the server need not look for edges
        // that are near.
        region.set_use_edge_connections(false);
        region.set_transform(style.transform);
        region.set_navigation_layers(style.layers);
        region.set_navigation_polygon(&polygon);
        if parent.is_node_ready() || !parent.is_inside_tree() {
            parent.add_child(&region);
        } else {
            // It is still setting up its children.
            parent.call_deferred("add_child", vslice![region]);
        }
        self.nodes.insert(chunk, region.instance_id());
    }

    fn remove(&mut self, chunk: TileIndex) {
        if let Some(id) = self.nodes.remove(&chunk) {
            release(id);
        }
    }
}

/// Frees a region at once, or with the frame where its parent cannot give it away.
fn release(id: InstanceId) {
    let Ok(mut region) = Gd::<NavigationRegion2D>::try_from_instance_id(id) else { return };
    if let Some(mut parent) = region.get_parent() {
        // A parent that enters or leaves the tree refuses to give children away, and one whose child is
        // freed nevertheless keeps a pointer to it.
        let is_settled = parent.is_node_ready() || !parent.is_inside_tree();
        if is_settled && !is_going(&parent) {
            parent.remove_child(&region);
        }
    }
    // A handler of the removal may have freed it, or given it a new parent.
    if !region.is_instance_valid() {
        return;
    }
    if region.get_parent().is_none() {
        region.free();
    } else {
        region.queue_free();
    }
}

/// Returns `true` if the node or a node above it is about to be freed.
fn is_going(node: &Gd<Node>) -> bool {
    let up = std::iter::successors(Some(node.clone()), |node| node.get_parent());
    up.into_iter().any(|node| node.is_queued_for_deletion())
}

/// How regions are made.
pub struct Style {
    pub transform: Transform2D,
    pub layers: u32,
    pub cell_size: f32,
}

/// The cell size of the map that a node's regions are on.
pub fn map_cell_size(node: &Gd<Node2D>) -> f32 {
    let map = node.is_inside_tree().then(|| node.get_world_2d()).flatten();
    map.map_or(1.0, |world| NavigationServer2D::singleton().map_get_cell_size(world.get_navigation_map()))
}

/// Has the map tell corners apart that are a 64th of a pixel away from each other, where the engine can.
pub fn refine_map(node: &Gd<Node2D>) {
    let Some(world) = node.is_inside_tree().then(|| node.get_world_2d()).flatten() else { return };
    let map = world.get_navigation_map();
    let mut server = NavigationServer2D::singleton();
    let (get, set) = ("map_get_merge_rasterizer_cell_scale", "map_set_merge_rasterizer_cell_scale");
    if !server.has_method(set) {
        return;
    }
    let scale = server.call(get, vslice![map]).try_to::<f64>().unwrap_or(1.0);
    if scale > MERGE_SCALE * 1.5 {
        server.call(set, vslice![map, MERGE_SCALE]);
    }
}

/// The mesh as a resource.
pub fn navigation_polygon(mesh: &NavMesh, cell_size: f32) -> Gd<NavigationPolygon> {
    let mut polygon = NavigationPolygon::new_gd();
    polygon.set_cell_size(cell_size);
    let vertices: PackedVector2Array = mesh.vertices().iter().map(|&[x, y]| Vector2::new(x, y)).collect();
    polygon.set_vertices(&vertices);
    let corners = |polygon: &[u32]| polygon.iter().map(|&corner| corner as i32).collect::<PackedInt32Array>();
    let polygons: Array<PackedInt32Array> = mesh.polygons().map(corners).collect();
    polygon.set("polygons", &polygons.to_variant());
    let outlines: Array<PackedVector2Array> =
        mesh.outlines().iter().map(|outline| points(&outline.points)).collect();
    polygon.set("outlines", &outlines.to_variant());
    polygon
}

/// Points for a script.
pub fn points(points: &[[f32; 2]]) -> PackedVector2Array {
    points.iter().map(|&[x, y]| Vector2::new(x, y)).collect()
}
