//! What agents look like: the multimesh, written once a frame.

use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::multi_mesh::TransformFormat;
use godot::classes::{ArrayMesh, Engine, Mesh, MultiMesh};
use godot::prelude::*;
use pathforge_core::crowd::AgentState;

use super::PathForgeCrowd;

/// Floats of a transform in two dimensions.
const TRANSFORM: usize = 8;
const COLOR: usize = 4;

/// The multimesh, and what it shows.
#[derive(Default)]
pub struct Look {
    multimesh: Option<Gd<MultiMesh>>,
    is_written: bool,
    /// `true` if the game was told that the multimesh cannot be written.
    is_told: bool,
    pub overlay_shown: bool,
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
    pub fn problem(&self) -> Option<&'static str> {
        let multimesh = self.multimesh.as_ref()?;
        (multimesh.get_transform_format() != TransformFormat::TRANSFORM_2D)
            .then_some("The multimesh has 3D transforms. Set its Transform Format to 2D.")
    }

    /// The same in the running game, once for each multimesh.
    pub fn new_problem(&mut self) -> Option<&'static str> {
        if self.is_told || Engine::singleton().is_editor_hint() {
            return None;
        }
        let problem = self.problem();
        self.is_told = problem.is_some();
        problem
    }
}

/// What the instances lie within.
struct Bounds {
    low: Vector2,
    high: Vector2,
    /// The largest scale.
    size: Vector2,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { low: Vector2::INF, high: -Vector2::INF, size: Vector2::ZERO }
    }
}

impl Bounds {
    fn add(&mut self, at: Vector2, size: Vector2) {
        self.low = self.low.coord_min(at);
        self.high = self.high.coord_max(at);
        self.size = self.size.coord_max(size);
    }

    /// For a mesh that comes as far as `reach` from its middle.
    fn aabb(&self, reach: f32) -> Aabb {
        let margin = self.size * reach;
        let (low, size) = (self.low - margin, self.high - self.low + margin * 2.0);
        Aabb::new(Vector3::new(low.x, low.y, 0.0), Vector3::new(size.x, size.y, 0.0))
    }
}

/// How far a mesh of these bounds comes from its origin, along an axis of the plane.
fn reach(mesh: Aabb) -> f32 {
    let (low, high) = (mesh.position, mesh.end());
    [low.x, low.y, high.x, high.y].into_iter().map(f32::abs).fold(0.0, f32::max)
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

/// How long what is `half` as wide and high comes out along x and along y of the transform: a disc as long as its ellipse.
pub(super) fn extent(frame: Transform2D, half: [f32; 2]) -> Vector2 {
    let (a, b) = (frame.a * half[0], frame.b * half[1]);
    Vector2::new(a.x.hypot(b.x), a.y.hypot(b.y))
}

impl PathForgeCrowd {
    /// The colour that an agent in `state` has.
    pub(super) fn color_of(&self, state: AgentState) -> Color {
        match state {
            AgentState::Idle => self.color_idle,
            AgentState::Moving => self.color_moving,
            AgentState::Waiting => self.color_waiting,
            AgentState::Arrived => self.color_arrived,
            AgentState::Stuck => self.color_stuck,
            AgentState::Blocked => self.color_blocked,
        }
    }

    /// Writes all agents into the multimesh, unless it has them already.
    pub(super) fn write_multimesh(&mut self) {
        let is_due = !self.look.is_written && !Engine::singleton().is_editor_hint();
        if !is_due || self.look.problem().is_some() {
            return;
        }
        let Some(mut multimesh) = self.look.multimesh() else { return };
        self.look.is_written = true;
        let mesh = multimesh.get_mesh().unwrap_or_else(|| {
            let disc = disc();
            multimesh.set_mesh(&disc);
            disc
        });
        let count = self.crowd.len() - self.node_agents.len().min(self.crowd.len());
        if (multimesh.get_instance_count() as usize) < count {
            // Its size changes seldom, as that makes its memory anew.
            multimesh.set_instance_count(count.next_power_of_two() as i32);
        }
        let instances = multimesh.get_instance_count() as usize;
        let has_colors = multimesh.is_using_colors();
        let custom = if multimesh.is_using_custom_data() { COLOR } else { 0 };
        let stride = TRANSFORM + if has_colors { COLOR } else { 0 } + custom;
        // One buffer for all: a call of the engine for each instance takes far longer than all numbers here.
        let mut buffer = PackedFloat32Array::new();
        buffer.resize(instances * stride);
        let geometry = self.geometry;
        let frame = geometry.transform();
        let mut bounds = Bounds::default();
        // Nodes draw themselves.
        let drawn = self.crowd.views_unordered().filter(|view| !view.is_driven);
        for (view, slot) in drawn.zip(buffer.as_mut_slice().chunks_exact_mut(stride)) {
            let at = geometry.local_of(view.x, view.y);
            let size = extent(frame, view.half) * 2.0;
            slot[..TRANSFORM].copy_from_slice(&[size.x, 0.0, 0.0, at.x, 0.0, size.y, 0.0, at.y]);
            bounds.add(at, size);
            if has_colors {
                let own = self.colors.get(view.id as usize).copied().unwrap_or(Color::WHITE);
                let color = if self.mix_state_colors { self.color_of(view.state) * own } else { own };
                slot[TRANSFORM..TRANSFORM + COLOR].copy_from_slice(&[color.r, color.g, color.b, color.a]);
            }
        }
        if instances > 0 {
            multimesh.set_buffer(&buffer);
        }
        multimesh.set_visible_instance_count(count as i32);
        if count > 0 {
            // The engine draws a MultiMeshInstance2D while the bounds that its mesh had when it was drawn last are in
            // view. Setting them here has the instance drawn with them.
            multimesh.set_custom_aabb(bounds.aabb(reach(mesh.get_aabb())));
        }
    }
}
