//! What agents look like: the multimesh, written once a frame.

use godot::classes::base_material_3d::Flags;
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::multi_mesh::TransformFormat;
use godot::classes::{ArrayMesh, CapsuleMesh, Engine, Mesh, MultiMesh, StandardMaterial3D};
use godot::prelude::*;
use pathforge_core::crowd::AgentState;
use pathforge_core::instances::{self, Bounds, COLOR, Colors, Facings, Stage, TRANSFORM_2D, TRANSFORM_3D};

use super::PathForgeCrowd;
use super::overlay::STATES;

/// The multimesh, and what it shows.
#[derive(Default)]
pub struct Look {
    multimesh: Option<Gd<MultiMesh>>,
    is_written: bool,
    /// `true` if the game was told that the multimesh cannot be written.
    is_told: bool,
    pub overlay_shown: bool,
    facings: Facings,
}

impl Look {
    pub fn multimesh(&self) -> Option<Gd<MultiMesh>> {
        self.multimesh.clone()
    }

    pub fn set_multimesh(&mut self, multimesh: Option<Gd<MultiMesh>>) {
        self.multimesh = multimesh;
        (self.is_written, self.is_told) = (false, false);
    }

    /// An agent moved, was added or was removed.
    pub fn moved(&mut self) {
        self.is_written = false;
    }

    /// Why the multimesh cannot be written.
    pub fn problem(&self, has_space: bool) -> Option<&'static str> {
        let is_3d = self.multimesh.as_ref()?.get_transform_format() == TransformFormat::TRANSFORM_3D;
        match (is_3d, has_space) {
            (true, false) => Some(
                "The multimesh has 3D transforms. Set its Transform Format to 2D, or Space to the PathForgeSpace3D of its grid.",
            ),
            (false, true) => {
                Some("The multimesh has 2D transforms and the crowd a Space. Set its Transform Format to 3D.")
            }
            _ => None,
        }
    }

    /// The same in the running game, once for each multimesh.
    pub fn new_problem(&mut self, has_space: bool) -> Option<&'static str> {
        if self.is_told || Engine::singleton().is_editor_hint() {
            return None;
        }
        let problem = self.problem(has_space);
        self.is_told = problem.is_some();
        problem
    }
}

/// What the instances lie within, for a mesh that comes as far as `reach` from its middle.
fn aabb(bounds: &Bounds, reach: f32) -> Aabb {
    let [low, high, scale] = [bounds.low, bounds.high, bounds.scale].map(|[x, y, z]| Vector3::new(x, y, z));
    let margin = scale * reach;
    Aabb::new(low - margin, high - low + margin * 2.0)
}

/// How far a mesh of these bounds comes from its origin, along an axis.
fn reach(mesh: Aabb) -> f32 {
    let (low, high) = (mesh.position.abs(), mesh.end().abs());
    let far = low.coord_max(high);
    far.x.max(far.y).max(far.z)
}

/// Corners of the disc that is drawn where the game gives no mesh.
const CORNERS: i32 = 24;

/// A disc of one pixel across whose edge fades out.
fn disc() -> Gd<Mesh> {
    let mut vertices = PackedVector2Array::new();
    let mut uvs = PackedVector2Array::new();
    let mut colors = PackedColorArray::new();
    let mut triangles = PackedInt32Array::new();
    let mut add = |at: Vector2, alpha: f32| {
        vertices.push(at);
        uvs.push(at + Vector2::ONE * 0.5);
        colors.push(Color::from_rgba(1.0, 1.0, 1.0, alpha));
    };
    add(Vector2::ZERO, 1.0);
    for n in 0..CORNERS {
        let direction = Vector2::from_angle(n as f32 * std::f32::consts::TAU / CORNERS as f32);
        add(direction * 0.48, 1.0);
        add(direction * 0.52, 0.0);
        let (inner, next) = (1 + n * 2, 1 + (n + 1) % CORNERS * 2);
        triangles.extend([0, inner, next, inner, inner + 1, next, next, inner + 1, next + 1]);
    }
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &vertices.to_variant());
    arrays.set(ArrayType::TEX_UV.ord() as usize, &uvs.to_variant());
    arrays.set(ArrayType::COLOR.ord() as usize, &colors.to_variant());
    arrays.set(ArrayType::INDEX.ord() as usize, &triangles.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh.upcast()
}

/// A pillar of one metre across and two high on the ground, in the colours of the instances, where the game
/// gives no mesh in 3D.
fn pillar() -> Gd<Mesh> {
    let mut material = StandardMaterial3D::new_gd();
    material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
    let mut arrays = CapsuleMesh::new_gd().get_mesh_arrays();
    let vertex = ArrayType::VERTEX.ord() as usize;
    let vertices = arrays.at(vertex).to::<PackedVector3Array>();
    // A capsule has its origin in its middle, a body at its feet.
    let raised: PackedVector3Array = vertices.as_slice().iter().map(|&at| at + Vector3::UP).collect();
    arrays.set(vertex, &raised.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::TRIANGLES, &arrays);
    mesh.surface_set_material(0, &material);
    mesh.upcast()
}

/// How long what is `half` as wide and high comes out along x and along y of the transform: a disc as long as
/// its ellipse.
pub(super) fn extent(frame: Transform2D, half: [f32; 2]) -> Vector2 {
    let (a, b) = (frame.a * half[0], frame.b * half[1]);
    Vector2::new(a.x.hypot(b.x), a.y.hypot(b.y))
}

/// Colours by state, unless a game sets others. Agents that walk are white, so their own colours come out as
/// they are.
pub(super) const STATE_COLORS: [Color; 6] = [
    Color::from_rgb(0.72, 0.75, 0.8),
    Color::from_rgb(1.0, 1.0, 1.0),
    Color::from_rgb(1.0, 0.82, 0.45),
    Color::from_rgb(0.62, 0.86, 0.66),
    Color::from_rgb(1.0, 0.42, 0.38),
    Color::from_rgb(0.86, 0.55, 0.95),
];

impl PathForgeCrowd {
    /// The colour that an agent in `state` has.
    pub(super) fn color_of(&self, state: AgentState) -> Color {
        self.state_colors.get(state as usize).unwrap_or(Color::WHITE)
    }

    /// Writes all agents into the multimesh, unless it has them already.
    pub(super) fn write_multimesh(&mut self) {
        let is_due = !self.look.is_written && !Engine::singleton().is_editor_hint();
        let space = self.space();
        if !is_due || self.look.problem(space.is_some()).is_some() {
            return;
        }
        let Some(mut multimesh) = self.look.multimesh() else { return };
        self.look.is_written = true;
        let mesh = multimesh.get_mesh().unwrap_or_else(|| {
            let mesh = if space.is_some() { pillar() } else { disc() };
            multimesh.set_mesh(&mesh);
            mesh
        });
        let count = self.crowd.len() - self.node_agents.len().min(self.crowd.len());
        if (multimesh.get_instance_count() as usize) < count {
            // Its size changes seldom, as that makes its memory anew.
            multimesh.set_instance_count(count.next_power_of_two() as i32);
        }
        let instances = multimesh.get_instance_count() as usize;
        let has_colors = multimesh.is_using_colors();
        let custom = if multimesh.is_using_custom_data() { COLOR } else { 0 };
        let transform = if space.is_some() { TRANSFORM_3D } else { TRANSFORM_2D };
        let stride = transform + if has_colors { COLOR } else { 0 } + custom;
        // One buffer for all: a call of the engine for each instance takes far longer than all numbers here.
        let mut buffer = PackedFloat32Array::new();
        buffer.resize(instances * stride);
        let space = space.as_ref().map(Gd::bind);
        let house = space.as_ref().and_then(|space| space.house()).map(|(_, house)| house);
        let stage = match (&space, &house) {
            (Some(space), Some(house)) => Stage::House(&house.storeys, space.stage_of_crowd()),
            (Some(space), None) => Stage::Ground(space.ground()),
            (None, _) => Stage::Plane(self.geometry.affine()),
        };
        let of_states = STATES.map(|(state, _)| {
            let color = self.color_of(state);
            [color.r, color.g, color.b, color.a]
        });
        let colors = has_colors.then_some(Colors { of_states, own: &self.colors });
        let facings = &mut self.look.facings;
        let bounds =
            instances::write(&self.crowd, stage, facings, colors.as_ref(), stride, buffer.as_mut_slice());
        if instances > 0 {
            multimesh.set_buffer(&buffer);
        }
        multimesh.set_visible_instance_count(count as i32);
        if count > 0 {
            // The engine draws a MultiMeshInstance2D while the bounds that its mesh had when it was drawn
            // last are in view. Setting them here has the instance drawn with them.
            multimesh.set_custom_aabb(aabb(&bounds, reach(mesh.get_aabb())));
        }
    }
}
