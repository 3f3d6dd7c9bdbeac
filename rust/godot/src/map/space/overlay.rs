//! What the grid and the nodes below it draw, laid onto the ground of the running game.
//!
//! The grid's canvas item, which carries those of the nodes below it, draws into a viewport of its own
//! instead of into that of the screen. Its picture lies on a mesh through the centres of the cells. So each
//! overlay is drawn once, by the code that draws it in 2D.
//!
//! The storeys of a house share what is drawn: their viewports show one canvas, each its own cells.

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::classes::base_material_3d::{BlendMode, CullMode, ShadingMode, TextureParam, Transparency};
use godot::classes::geometry_instance_3d::ShadowCastingSetting;
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::node::InternalMode;
use godot::classes::sub_viewport::UpdateMode;
use godot::classes::{
    ArrayMesh, CanvasItem, Engine, MeshInstance3D, RenderingServer, StandardMaterial3D, SubViewport,
};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::height_field::HeightField;

use super::{PathForgeSpace3D, vector};
use crate::engine::state;
use crate::engine::weak::{Freeable, Weak};
use crate::map::grid::PathForgeGrid;
use crate::overlay::ground::{self, Canvas};

/// The longest side of the picture, in pixels.
const SIDE_MAX: f32 = 2048.0;
/// The side of a cell on it, at most: enough to read numbers.
const CELL_PX_MAX: f32 = 32.0;
/// Rows and columns of the mesh, about; on larger maps it goes through the centre of every second, third …
/// cell.
const ROWS_MAX: i32 = 512;
/// How high the mesh is above the ground, in sides of a cell, so that a ground that the game draws does not
/// hide it.
const LIFT: f32 = 0.05;

/// The viewports that show the canvas of a grid, in the order in which they came.
static SHOWN: Mutex<Vec<(InstanceId, InstanceId)>> = Mutex::new(Vec::new());

fn shown() -> MutexGuard<'static, Vec<(InstanceId, InstanceId)>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What of a grid's drawings a space shows.
struct Part {
    cells: CellRect,
    /// From the grid's local space to the pixels of its picture.
    to_pixels: Transform2D,
    /// Of the picture.
    size: Vector2i,
    /// Where all drawings of the grid go.
    canvas: Canvas,
}

/// The viewport and the mesh, both internal children.
pub struct Look {
    viewport: Weak<Gd<SubViewport>>,
    mesh: Weak<Gd<MeshInstance3D>>,
    /// The grid that draws there.
    grid: Weak<Gd<PathForgeGrid>>,
    /// What the mesh was made from.
    ground: Option<(CellRect, HeightField)>,
}

impl PathForgeSpace3D {
    /// Once a frame: lays the overlay out, or takes it away.
    pub(super) fn lay_overlay(mut this: Gd<Self>, _delta: f64) {
        let wanted = this.bind_mut().wanted_overlay();
        let serves = |look: &Look| {
            let grid = wanted.as_ref().map(|(grid, ..)| grid.id());
            look.children().is_some() && grid == Some(look.grid.id())
        };
        let is_laid = this.bind().look.as_ref().is_some_and(serves);
        if !is_laid {
            this.bind_mut().end_overlay();
        }
        let Some((grid, part)) = wanted else { return };
        if !is_laid {
            let (look, viewport, mesh) = Look::new(&grid);
            this.bind_mut().look = Some(look);
            // Nothing is borrowed while nodes hear of their children, and may free the space.
            this.add_child_ex(&viewport).internal(InternalMode::BACK).done();
            if !this.is_there() {
                return mesh.free();
            }
            this.add_child_ex(&mesh).internal(InternalMode::BACK).done();
            if !this.is_there() {
                return;
            }
        }
        let mut space = this.bind_mut();
        let corner = space.shift();
        let Self { look, ground, .. } = &mut *space;
        if let Some(look) = look {
            look.show(&grid, &part, corner, ground);
        }
    }

    /// Lets the grid draw on the screen again.
    pub(super) fn end_overlay(&mut self) {
        let Some(Look { viewport, mesh, grid, .. }) = self.look.take() else { return };
        let is_shown_elsewhere = {
            let mut shown = shown();
            shown.retain(|&(_, other)| other != viewport.id());
            shown.iter().any(|&(other, _)| other == grid.id())
        };
        if !is_shown_elsewhere {
            ground::draw_on(grid.id(), None);
        }
        if let Some(grid) = grid.get().filter(|grid| grid.is_inside_tree() && !is_shown_elsewhere) {
            let item = grid.upcast::<CanvasItem>();
            let parent = item.get_parent().and_then(|parent| parent.try_cast::<CanvasItem>().ok());
            let parent = parent.map_or_else(|| item.get_canvas(), |parent| parent.get_canvas_item());
            RenderingServer::singleton().canvas_item_set_parent(item.get_canvas_item(), parent);
            item.clone().queue_redraw();
        }
        if let Some(mut viewport) = viewport.get() {
            viewport.queue_free();
        }
        if let Some(mut mesh) = mesh.get() {
            mesh.queue_free();
        }
    }

    /// The grid whose overlay lies on the ground and what of it is to be shown, if there is one.
    fn wanted_overlay(&mut self) -> Option<(Gd<PathForgeGrid>, Part)> {
        if !self.debug_enabled || Engine::singleton().is_editor_hint() {
            return None;
        }
        let grid = self.link.resolve(&self.to_gd().upcast()).filter(|grid| grid.is_inside_tree())?;
        let whole = state::of(&grid).lock().world.terrain().region();
        let cells = if self.is_storey() { whole.intersection(self.sheet) } else { whole };
        if cells.is_empty() {
            return None;
        }
        // All drawings of a grid are for pixels of one size, also where storeys show parts of them.
        let cell_px = (SIDE_MAX / whole.w.max(whole.h) as f32).min(CELL_PX_MAX);
        let pixels = |cells: i32| ((cells as f32 * cell_px).ceil() as i32).max(2);
        let size = |cells: CellRect| Vector2i::new(pixels(cells.w), pixels(cells.h));
        let to_cells = PathForgeGrid::geometry_of(&grid).transform().affine_inverse();
        let to_pixels = |cells: CellRect| {
            let corner = Vector2::new(cells.x as f32, cells.y as f32);
            let sides = [Vector2::new(cell_px, 0.0), Vector2::new(0.0, cell_px)];
            Transform2D::from_cols(sides[0], sides[1], corner * -cell_px) * to_cells
        };
        let canvas = Canvas { to_pixels: to_pixels(whole), size: size(whole) };
        Some((grid, Part { cells, to_pixels: to_pixels(cells), size: size(cells), canvas }))
    }
}

impl Look {
    /// The children, while both are there.
    fn children(&self) -> Option<(Gd<SubViewport>, Gd<MeshInstance3D>)> {
        self.viewport.get().zip(self.mesh.get())
    }

    fn new(grid: &Gd<PathForgeGrid>) -> (Self, Gd<SubViewport>, Gd<MeshInstance3D>) {
        let mut viewport = SubViewport::new_alloc();
        viewport.set_disable_3d(true);
        viewport.set_transparent_background(true);
        viewport.set_disable_input(true);
        viewport.set_update_mode(UpdateMode::ALWAYS);
        // Another storey shows the grid already: both show one canvas.
        let other = shown().iter().find(|&&(of, _)| of == grid.instance_id()).map(|&(_, other)| other);
        let other = other.and_then(|other| Gd::<SubViewport>::try_from_instance_id(other).ok());
        if let Some(world) = other.and_then(|other| other.find_world_2d()) {
            viewport.set("world_2d", &world.to_variant());
        }
        shown().push((grid.instance_id(), viewport.instance_id()));
        let mut material = StandardMaterial3D::new_gd();
        material.set_shading_mode(ShadingMode::UNSHADED);
        material.set_transparency(Transparency::ALPHA);
        // What is drawn onto nothing has its alpha in its colours.
        material.set_blend_mode(BlendMode::PREMULT_ALPHA);
        material.set_cull_mode(CullMode::DISABLED);
        if let Some(texture) = viewport.get_texture() {
            material.set_texture(TextureParam::ALBEDO, &texture);
        }
        let mut mesh = MeshInstance3D::new_alloc();
        mesh.set_cast_shadows_setting(ShadowCastingSetting::OFF);
        mesh.set_material_override(&material);
        let look = Self {
            viewport: Weak::of(viewport.clone()),
            mesh: Weak::of(mesh.clone()),
            grid: Weak::of(grid.clone()),
            ground: None,
        };
        (look, viewport, mesh)
    }

    fn show(&mut self, grid: &Gd<PathForgeGrid>, part: &Part, corner: Vector3, ground: &HeightField) {
        let &Part { cells: region, to_pixels, size, canvas } = part;
        // What has just been added may have been freed by what heard of it.
        let Some((mut viewport, mut mesh)) = self.children().filter(|_| grid.is_there()) else { return };
        ground::draw_on(grid.id(), Some(canvas));
        if viewport.get_size() != size {
            viewport.set_size(size);
        }
        let to_item = grid.get_transform().affine_inverse();
        viewport.set_canvas_transform(to_pixels * to_item);
        if let Some(world) = viewport.find_world_2d() {
            // The engine puts it back as the grid moves in the tree.
            let item = grid.get_canvas_item();
            RenderingServer::singleton().canvas_item_set_parent(item, world.get_canvas());
        }
        if self.ground.as_ref().is_none_or(|(old, heights)| *old != region || heights != ground) {
            // A child of the node, whose space is not the plane where it is a storey.
            mesh.set_position(corner);
            mesh.set_mesh(&draped(region, ground));
            self.ground = Some((region, ground.clone()));
        }
    }
}

/// A mesh on the ground of some cells, with the picture of these on it.
fn draped(region: CellRect, ground: &HeightField) -> Gd<ArrayMesh> {
    let (columns, rows) = (marks(region.x, region.w), marks(region.y, region.h));
    let lift = ground.cell_size[0].min(ground.cell_size[1]) * LIFT;
    let mut vertices = PackedVector3Array::new();
    let mut places = PackedVector2Array::new();
    let mut indices = PackedInt32Array::new();
    for &y in &rows {
        for &x in &columns {
            vertices.push(vector(ground.point(x, y)) + Vector3::UP * lift);
            let part = |at: f64, start: i32, side: i32| ((at - f64::from(start)) / f64::from(side)) as f32;
            places.push(Vector2::new(part(x, region.x, region.w), part(y, region.y, region.h)));
        }
    }
    let width = columns.len() as i32;
    for y in 0..rows.len() as i32 - 1 {
        for x in 0..width - 1 {
            let at = y * width + x;
            for index in [at, at + 1, at + width, at + 1, at + width + 1, at + width] {
                indices.push(index);
            }
        }
    }
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &vertices.to_variant());
    arrays.set(ArrayType::TEX_UV.ord() as usize, &places.to_variant());
    arrays.set(ArrayType::INDEX.ord() as usize, &indices.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh
}

/// The edges of a row of cells, and the centres between them.
fn marks(start: i32, side: i32) -> Vec<f64> {
    let start = f64::from(start);
    let step = (side + ROWS_MAX - 1) / ROWS_MAX;
    let centres = (0..side).step_by(step.max(1) as usize).map(|n| start + f64::from(n) + 0.5);
    std::iter::once(start).chain(centres).chain([start + f64::from(side)]).collect()
}
