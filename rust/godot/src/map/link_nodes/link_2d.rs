//! `PathForgeLink2D`: a link on the grid's own plane.

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{CanvasItem, INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::terrain::Capability;

use super::{LinkClass, LinkNode, Shown, link_api};
use crate::engine::frames::{self, Frame};
use crate::map::grid::{PathForgeGrid, flat, upright};
use crate::map::grid_link::{GridLink, is_move};
use crate::map::map_link::MapLink;
use crate::map::seat::Seat;
use crate::overlay::{ground, links as drawing};
use crate::script::convert;
use crate::script::given::given;
use crate::script::link_values;
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;

/// Links two cells of a grid that need not be neighbours, as `NavigationLink2D` links two polygons: a ladder, a
/// portal, a ferry.
///
/// The node adds a link from the cell at [member start_position] to the cell at [member end_position], see
/// [method PathForgeGrid.add_link]. It does so while it is in the running game's scene tree and there is a
/// grid. It looks where it is in every frame, so the link follows a node that moves, and removes the link when
/// it leaves. If a script removes the link, the node adds it again: set [member enabled].
///
/// The editor draws the node. In the running game, the grid's overlay draws its link: see [member
/// PathForgeGrid.debug_enabled].
///
/// ```gdscript
/// var ladder := PathForgeLink2D.new()
/// ladder.start_position = Vector2(72, 152)
/// ladder.end_position = Vector2(72, 56)
/// ladder.tag = &"ladder"
/// grid.add_child(ladder)
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct PathForgeLink2D {
    base: Base<Node2D>,

    /// The grid to link cells of. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// If [code]true[/code], bodies can take the link. A disabled link keeps its id.
    #[export]
    #[var(get, set)]
    enabled: PhantomVar<bool>,

    /// If [code]true[/code], the link leads both ways, else only from start to end.
    #[export]
    #[var(get, set)]
    bidirectional: PhantomVar<bool>,

    /// Where the link begins, in the node's own space: in the cell that holds this position.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:px")]
    start_position: PhantomVar<Vector2>,

    /// Where the link ends, in the node's own space: in the cell that holds this position.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:px")]
    end_position: PhantomVar<Vector2>,

    /// What the link costs, in cell widths, from 1/70 to 100000. −1 is what the straight way over open cells
    /// costs. `NavigationLink2D` has `enter_cost` and `travel_cost` instead.
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

    #[init(val = LinkNode::new(Seat::Plane(base.to_init_gd()), MapLink::Plane(GridLink::default())))]
    link: LinkNode,
}

link_api! {
    impl PathForgeLink2D: INode2D(CanvasItemNotification), is_move;

    get get_start_position() -> Vector2 = |this| flat(this.link.ends[0]);
    set set_start_position(start_position: Vector2) = |this| {
        this.link.ends[0] = upright(start_position.finite()?);
    };

    get get_end_position() -> Vector2 = |this| flat(this.link.ends[1]);
    set set_end_position(end_position: Vector2) = |this| {
        this.link.ends[1] = upright(end_position.finite()?);
    };

    get get_grid() -> NodeArg<PathForgeGrid> = |this| this.link.map.named_grid().into();
    set set_grid(grid: NodeArg<PathForgeGrid>) = |this| {
        this.link.map.name_grid(grid.node()?.as_ref());
    };
}

#[godot_api(secondary)]
impl PathForgeLink2D {
    /// Returns [member start_position] in global space.
    #[func]
    fn get_global_start_position(&self) -> Vector2 {
        flat(self.link.global_end(0))
    }

    /// Sets [member start_position] from a position in global space.
    #[func]
    fn set_global_start_position(&mut self, position: Vector2) {
        let method = "PathForgeLink2D.set_global_start_position";
        self.link.set_global_end(0, method, given("position", position).finite().map(upright));
    }

    /// Returns [member end_position] in global space.
    #[func]
    fn get_global_end_position(&self) -> Vector2 {
        flat(self.link.global_end(1))
    }

    /// Sets [member end_position] from a position in global space.
    #[func]
    fn set_global_end_position(&mut self, position: Vector2) {
        let method = "PathForgeLink2D.set_global_end_position";
        self.link.set_global_end(1, method, given("position", position).finite().map(upright));
    }
}

impl PathForgeLink2D {
    fn on_draw(this: &mut Self, what: CanvasItemNotification) {
        let Some(Shown { ends, is_two_way, is_enabled, scale }) =
            this.link.shown.filter(|_| what == CanvasItemNotification::DRAW)
        else {
            return;
        };
        let link = drawing::Drawn { ends: ends.map(flat), is_two_way, is_enabled };
        drawing::draw(&mut this.to_gd().upcast(), &[link], 1.0 / scale);
    }

    fn show_in_editor(mut this: Gd<Self>, _shown: Option<Shown>) {
        this.queue_redraw();
    }

    fn pixels_a_unit(this: &Self) -> f32 {
        let item = this.to_gd().upcast::<CanvasItem>();
        let scale =
            ground::pixels_of(&item).map_or(1.0, |(to_screen, _)| to_screen.determinant().abs().sqrt());
        if scale.is_finite() && scale > 0.0 { scale } else { 1.0 }
    }
}
