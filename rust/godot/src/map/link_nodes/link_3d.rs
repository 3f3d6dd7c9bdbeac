//! `PathForgeLink3D`: a link where a space lays out the grid.

use godot::classes::base_material_3d::{Flags, ShadingMode};
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::node::InternalMode;
use godot::classes::notify::Node3DNotification;
use godot::classes::{ArrayMesh, INode3D, MeshInstance3D, Node3D, StandardMaterial3D};
use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::terrain::Capability;

use super::{LinkClass, LinkNode, Shown, link_api};
use crate::engine::frames::{self, Frame};
use crate::engine::weak::Weak;
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{Link, is_move_3d};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::map::space::PathForgeSpace3D;
use crate::overlay::palette;
use crate::script::convert;
use crate::script::given::given;
use crate::script::link_values;
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;

/// How much darker a disabled link is.
const DARKER: f64 = 0.6;
/// The length of an arrow head and of the crosses at both ends, in parts of the link's length, and at most in
/// metres.
const HEAD: f32 = 0.12;
const HEAD_MAX: f32 = 0.6;

/// Links two cells of a grid in 3D that need not be neighbours, as `NavigationLink3D` links two polygons: a
/// ladder, a portal, a ferry.
///
/// It is the counterpart of [PathForgeLink2D] on the ground of a [PathForgeSpace3D]. The node adds a link from
/// the cell below [member start_position] to the cell below [member end_position], see [method
/// PathForgeGrid.add_link]. In a house, the height of an end says on which floor it is. The grid has the link
/// while the node is in the running game's scene tree and there is a space with a grid. The node looks where it
/// is in every frame, so the link follows a node that moves, and removes the link when it leaves. If a script
/// removes the link, the node adds it again: set [member enabled].
///
/// The editor draws the node. In the running game, the overlay of the space draws its link: see [member
/// PathForgeSpace3D.debug_enabled].
///
/// ```gdscript
/// var ladder := PathForgeLink3D.new()
/// ladder.start_position = Vector3(4.5, 0.0, 9.5)
/// ladder.end_position = Vector3(4.5, 3.0, 3.5)
/// ladder.tag = &"ladder"
/// space.add_child(ladder)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node3D)]
pub struct PathForgeLink3D {
    base: Base<Node3D>,

    /// The space to link cells of, and its grid. Unset, it is the nearest [PathForgeSpace3D]: an ancestor, a
    /// child of one, or a child of a [PathForgeGrid] that is a child of one.
    #[export]
    #[var(get, set)]
    space: node_arg::PhantomVar<PathForgeSpace3D>,

    /// If [code]true[/code], bodies can take the link. A disabled link keeps its id.
    #[export]
    #[var(get, set)]
    enabled: PhantomVar<bool>,

    /// If [code]true[/code], the link leads both ways, else only from start to end.
    #[export]
    #[var(get, set)]
    bidirectional: PhantomVar<bool>,

    /// Where the link begins, in the node's own space: in the cell below or above this position.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:m")]
    start_position: PhantomVar<Vector3>,

    /// Where the link ends, in the node's own space: in the cell below or above this position.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:m")]
    end_position: PhantomVar<Vector3>,

    /// What the link costs, in cell widths, from 1/70 to 100000. −1 is what the straight way over open cells
    /// costs or, between floors of a house, the straight line in space. `NavigationLink3D` has `enter_cost` and
    /// `travel_cost` instead.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "-1,1000,0.01,or_greater,hide_slider,suffix:cells")]
    cost: PhantomVar<f64>,

    /// The terrains of the link, as bit flags: bodies take it that may enter at least one of them, see [member
    /// PathForgeProfile.terrain_mask].
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31")]
    terrains: PhantomVar<i64>,

    /// The largest footprint that takes the link, 1 to 64 cells each way.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    max_footprint: PhantomVar<Vector2i>,

    /// How many bodies are on the link at a time, 0 for any number.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,64,1,or_greater")]
    capacity: PhantomVar<i64>,

    /// How long a body is on the link, from 0 to 600 s. −1 is the time that the straight line takes at the
    /// body's own speed.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "-1,600,0.01,hide_slider")]
    seconds: PhantomVar<f64>,

    /// What the link is to the game, such as `&"ladder"`: at most 255 bytes. See [method
    /// PathForgeGrid.get_link_tag].
    #[export]
    #[var(get, set)]
    tag: PhantomVar<StringName>,

    #[init(val = LinkNode::new(Seat::Space(base.to_init_gd()), MapLink::Space(Link::default())))]
    link: LinkNode,

    /// What the editor shows, an internal child.
    mesh: Option<Weak<Gd<MeshInstance3D>>>,
}

link_api! {
    impl PathForgeLink3D: INode3D(Node3DNotification), is_move_3d;

    /// Returns the space that counts now, set or found, or `null`.
    get get_effective_space() -> Option<Gd<PathForgeSpace3D>> = |this| {
        this.link.map.effective(&this.link.seat.node()).1
    };

    get get_start_position() -> Vector3 = |this| this.link.ends[0];
    set set_start_position(start_position: Vector3) = |this| this.link.ends[0] = start_position.finite()?;

    get get_end_position() -> Vector3 = |this| this.link.ends[1];
    set set_end_position(end_position: Vector3) = |this| this.link.ends[1] = end_position.finite()?;

    get get_space() -> NodeArg<PathForgeSpace3D> = |this| this.link.map.named_space().into();
    set set_space(space: NodeArg<PathForgeSpace3D>) = |this| {
        this.link.map.name_space(space.node()?.as_ref());
    };
}

#[godot_api(secondary)]
impl PathForgeLink3D {
    /// Returns [member start_position] in global space.
    #[func]
    fn get_global_start_position(&self) -> Vector3 {
        self.link.global_end(0)
    }

    /// Sets [member start_position] from a position in global space.
    #[func]
    fn set_global_start_position(&mut self, position: Vector3) {
        let method = "PathForgeLink3D.set_global_start_position";
        self.link.set_global_end(0, method, given("position", position).finite());
    }

    /// Returns [member end_position] in global space.
    #[func]
    fn get_global_end_position(&self) -> Vector3 {
        self.link.global_end(1)
    }

    /// Sets [member end_position] from a position in global space.
    #[func]
    fn set_global_end_position(&mut self, position: Vector3) {
        let method = "PathForgeLink3D.set_global_end_position";
        self.link.set_global_end(1, method, given("position", position).finite());
    }
}

impl PathForgeLink3D {
    /// Nothing: nodes of 3D do not draw.
    fn on_draw(_: &mut Self, _: Node3DNotification) {}

    fn pixels_a_unit(_: &Self) -> f32 {
        1.0
    }

    fn show_in_editor(mut this: Gd<Self>, shown: Option<Shown>) {
        let Some(shown) = shown else { return };
        let known = this.bind_mut().mesh.as_ref().and_then(Weak::get);
        let mut mesh = known.unwrap_or_else(|| {
            let mesh = MeshInstance3D::new_alloc();
            this.bind_mut().mesh = Some(Weak::of(mesh.clone()));
            // Nothing is borrowed while nodes hear of their children.
            this.add_child_ex(&mesh).internal(InternalMode::BACK).done();
            mesh
        });
        let mut material = StandardMaterial3D::new_gd();
        material.set_shading_mode(ShadingMode::UNSHADED);
        material.set_flag(Flags::DISABLE_DEPTH_TEST, true);
        let color = palette::LINK;
        material.set_albedo(if shown.is_enabled { color } else { color.darkened(DARKER) });
        mesh.set_material_override(&material);
        mesh.set_mesh(&drawn(&shown));
    }
}

/// The line of a link, crosses at its ends, and an arrow head where it leads.
fn drawn(&Shown { ends: [from, to], is_two_way, .. }: &Shown) -> Gd<ArrayMesh> {
    let along = to - from;
    let head = (along.length() * HEAD).clamp(0.02, HEAD_MAX);
    let mut points = vec![from, to];
    for end in [from, to] {
        for axis in [Vector3::RIGHT, Vector3::BACK] {
            points.extend([end - axis * head / 2.0, end + axis * head / 2.0]);
        }
    }
    if along.length() > head {
        let forward = along.normalized();
        let up = if forward.cross(Vector3::UP).length() > 0.1 { Vector3::UP } else { Vector3::RIGHT };
        let side = forward.cross(up).normalized() * head * 0.5;
        let mut add_head = |tip: Vector3, back: Vector3| {
            points.extend([tip, tip + back * head + side, tip, tip + back * head - side]);
        };
        add_head(to, -forward);
        if is_two_way {
            add_head(from, forward);
        }
    }
    let vertices: PackedVector3Array = points.into_iter().collect();
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &vertices.to_variant());
    let mut mesh = ArrayMesh::new_gd();
    mesh.add_surface_from_arrays(PrimitiveType::LINES, &arrays);
    mesh
}
