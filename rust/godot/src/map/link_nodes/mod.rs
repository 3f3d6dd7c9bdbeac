//! Links as nodes, which are used as Godot's `NavigationLink2D` and `NavigationLink3D` are.
//!
//! [`LinkNode`] has where one begins and ends, and keeps its link in the grid. [`PathForgeLink2D`] and
//! [`PathForgeLink3D`] are what scripts see of one; they differ in where their positions lie.

mod link_2d;
mod link_3d;

use godot::classes::{Engine, Node};
use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;
use pathforge_core::cost::Cost;
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::{Link, LinkError};
use pathforge_core::walker::Point;

use crate::engine::errors::{report, reported, warn};
use crate::engine::frames::Frames;
use crate::engine::state;
use crate::map::grid::links::NO_LINK;
use crate::map::grid::{CellFrame, PathForgeGrid};
use crate::map::map_link::{Map, MapLink};
use crate::map::seat::Seat;
pub use link_2d::PathForgeLink2D;
pub use link_3d::PathForgeLink3D;

/// What is behind a node that is a link.
pub struct LinkNode {
    seat: Seat,
    map: MapLink,
    /// In the node's own space.
    ends: [Vector3; 2],
    /// `None` for what the straight way costs.
    cost: Option<Cost>,
    /// What else the link is: its cells and its cost follow from the ends.
    wish: Link,
    placed: Option<Placed>,
    /// `true` after a warning that the grid takes no such link, until it takes one.
    is_refused: bool,
    frames: Frames,
    /// What the editor shows.
    shown: Option<Shown>,
    /// What the editor was last told that is wrong.
    warned: Option<PackedStringArray>,
}

/// The link in the grid.
#[derive(Clone)]
struct Placed {
    grid: InstanceId,
    id: i64,
    link: Link,
}

/// What a drawing depends on.
#[derive(Clone, Copy, PartialEq)]
struct Shown {
    ends: [Vector3; 2],
    is_two_way: bool,
    is_enabled: bool,
    /// Pixels on the screen for one unit of the node's space.
    scale: f32,
}

/// A class of nodes that are links.
trait LinkClass: Bounds<Declarer = bounds::DeclUser> + Inherits<Node> {
    fn link(&mut self) -> &mut LinkNode;

    /// Draws the link in the editor, or takes the drawing away.
    fn show(this: Gd<Self>, shown: Option<Shown>);

    /// Pixels on the screen for one unit of the node's space; 1 where a drawing looks alike at any zoom.
    fn scale(&self) -> f32;
}

impl LinkNode {
    fn new(seat: Seat, map: MapLink) -> Self {
        Self {
            seat,
            map,
            ends: [Vector3::ZERO; 2],
            cost: None,
            wish: Link::new(Cell::default(), Cell::default()),
            placed: None,
            is_refused: false,
            frames: Frames::default(),
            shown: None,
            warned: None,
        }
    }

    fn configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let node = self.seat.node();
        self.map.warn(&node, &mut warnings);
        let (grid, space) = self.map.effective(&node);
        let ends = grid.as_ref().and_then(|grid| self.cells(&self.map.frame_of(grid, space.as_ref())?));
        if self.ends[0] == self.ends[1] || ends.is_some_and(|[from, to]| from == to) {
            warnings.push("Start and end are in one cell. Set Start Position and End Position.");
        }
        let is_outside = |grid: Gd<PathForgeGrid>, ends: [Cell; 2]| {
            let region = state::of(&grid).lock().region();
            !region.is_empty() && ends.iter().any(|&end| !region.contains(end))
        };
        if grid.zip(ends).is_some_and(|(grid, ends)| is_outside(grid, ends)) {
            warnings.push("Start or end is outside of the grid's region.");
        }
        if self.wish.terrains.0 == 0 {
            warnings.push("No body takes the link: set Terrains.");
        }
        warnings
    }

    /// The id of its link in the grid, [`NO_LINK`] while it has none.
    fn id(&self) -> i64 {
        self.placed.as_ref().map_or(NO_LINK, |placed| placed.id)
    }

    /// In global space.
    fn global_end(&self, end: usize) -> Vector3 {
        self.seat.to_global() * self.ends[end]
    }

    fn set_global_end(&mut self, end: usize, method: &str, position: Result<Vector3, String>) {
        let to_global = self.seat.to_global();
        let Some(position) = reported(method, position) else { return };
        if to_global.basis.determinant() == 0.0 {
            report(method, "the node is scaled to nothing");
        } else {
            self.ends[end] = to_global.affine_inverse() * position;
        }
    }

    /// Once a frame: keeps the grid's link as the node is; warns where there is no grid.
    fn follow<T: LinkClass>(mut this: Gd<T>) {
        if !Engine::singleton().is_editor_hint() {
            return Self::lay(this, true);
        }
        let (shown, is_news, is_warning_news) = {
            let mut node = this.bind_mut();
            let scale = node.scale();
            let link = node.link();
            let Link { is_two_way, is_enabled, .. } = link.wish;
            let shown = Some(Shown { ends: link.ends, is_two_way, is_enabled, scale });
            // Reasons for warnings may be elsewhere, as in the grid's region.
            let warnings = link.configuration_warnings();
            let is_warning_news = link.warned.as_ref() != Some(&warnings);
            link.warned = Some(warnings);
            (shown, std::mem::replace(&mut link.shown, shown) != shown, is_warning_news)
        };
        if is_warning_news {
            this.clone().upcast::<Node>().update_configuration_warnings();
        }
        if is_news {
            T::show(this, shown);
        }
    }

    /// Has the grid's link be as the node is now; warns where there is no grid, if `is_loud`.
    fn lay<T: LinkClass>(mut this: Gd<T>, is_loud: bool) {
        // Nothing is borrowed while the grid announces the change.
        let (placed, wanted) = {
            let mut node = this.bind_mut();
            let link = node.link();
            let wanted = link.wanted();
            if is_loud && wanted.is_none() {
                link.map.warn_once(&link.seat.node());
            }
            (link.placed.clone(), wanted)
        };
        let me = this.instance_id();
        // It is not there any more after it was removed, the region was made smaller, or others were loaded.
        let is_there = |placed: &Placed| {
            let grid = Gd::<PathForgeGrid>::try_from_instance_id(placed.grid).ok();
            grid.is_some_and(|grid| state::of(&grid).lock().link_owner(placed.id) == Some(me))
        };
        let placed = placed.filter(is_there);
        match (placed, wanted) {
            (Some(placed), Some((grid, link))) if placed.grid == grid.instance_id() => {
                if placed.link != link {
                    let changed = PathForgeGrid::change_owned_link(grid, placed.id, link.clone());
                    Self::note(&mut this, changed.map(|()| Placed { link, ..placed }), is_loud);
                }
            }
            (_, Some((grid, link))) => {
                Self::lift(this.clone());
                if this.is_instance_valid() {
                    let at = grid.instance_id();
                    let added = PathForgeGrid::add_owned_link(grid, link.clone(), me);
                    let placed = |id| Placed { grid: at, id, link };
                    Self::note(&mut this, added.map(placed), is_loud);
                }
            }
            (_, None) => Self::lift(this),
        }
    }

    /// Takes down what the grid made of the link; warns where it refused it, once, if `is_loud`.
    fn note<T: LinkClass>(this: &mut Gd<T>, placed: Result<Placed, LinkError>, is_loud: bool) {
        if !this.is_instance_valid() {
            return;
        }
        let problem = {
            let mut node = this.bind_mut();
            let link = node.link();
            match placed {
                Ok(placed) => {
                    link.is_refused = false;
                    link.placed = Some(placed);
                    return;
                }
                Err(problem) => {
                    let is_told = !is_loud || std::mem::replace(&mut link.is_refused, true);
                    (!is_told).then(|| (link.seat.node(), problem))
                }
            }
        };
        if let Some((node, problem)) = problem {
            warn(&node, format_args!("the grid takes no such link: {problem}"));
        }
        Self::lift(this.clone());
    }

    /// Removes the link from its grid, if both are still there.
    fn lift<T: LinkClass>(mut this: Gd<T>) {
        let me = this.instance_id();
        let Some(placed) = this.bind_mut().link().placed.take() else { return };
        if let Ok(grid) = Gd::<PathForgeGrid>::try_from_instance_id(placed.grid) {
            let is_mine = state::of(&grid).lock().link_owner(placed.id) == Some(me);
            if is_mine {
                PathForgeGrid::remove_link(grid, placed.id);
            }
        }
    }

    /// The grid and the link that it is to have; `None` for none at all.
    fn wanted(&mut self) -> Option<(Gd<PathForgeGrid>, Link)> {
        if !self.seat.is_inside_tree() || Engine::singleton().is_editor_hint() {
            return None;
        }
        let Map { grid, frame, .. } = self.map.resolve(&self.seat.node())?;
        let frame = frame?;
        let [from, to] = self.cells(&frame)?;
        let cost = self.cost.unwrap_or_else(|| frame.straight_cost(from, to));
        let link = Link { from, to, cost, ..self.wish.clone() };
        Some((grid, link))
    }

    /// The cells that hold both ends; `None` where an end is nowhere.
    fn cells(&self, frame: &CellFrame) -> Option<[Cell; 2]> {
        let to_global = self.seat.to_global();
        let points = self.ends.map(|end| frame.point(to_global * end));
        // A float cast saturates.
        let cell = |point: Point| Cell::new(point.x.floor() as i32, point.y.floor() as i32);
        points.iter().all(|point| point.is_finite()).then(|| points.map(cell))
    }
}

/// The API that both classes have. Properties of the class itself come after it, as `class_api` has them.
macro_rules! link_api {
    (impl $Class:ident: $INode:ident($What:ident), $is_move:ident; $($rest:tt)*) => {
        #[godot_api]
        impl $INode for $Class {
            fn on_notification(&mut self, what: $What) {
                if $is_move(what) {
                    self.link.map.forget_found();
                }
                match what {
                    $What::ENTER_TREE => {
                        let node = self.to_gd();
                        self.link.frames.enter(&node, Frame::Process, |this: Gd<Self>, _| LinkNode::follow(this));
                    }
                    // Right before a script's `_ready`, which finds the link.
                    $What::POST_ENTER_TREE => frames::unborrowed(self, Self::update_link),
                    $What::EXIT_TREE => {
                        self.link.frames.exit(&self.to_gd().upcast());
                        frames::unborrowed(self, LinkNode::lift);
                    }
                    _ => Self::on_draw(self, what),
                }
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.link.configuration_warnings()
            }
        }

        class_api! {
            impl $Class then |this| this.base_mut().update_configuration_warnings();

            /// Returns the id of the link in the grid, −1 while the node has none.
            get get_link_id() -> i64 = |this| this.link.id();

            /// Returns the grid that the node uses, set or found, or `null`.
            get get_effective_grid() -> Option<Gd<PathForgeGrid>> = |this| {
                this.link.map.effective(&this.link.seat.node()).0
            };

            get get_enabled() -> bool = |this| this.link.wish.is_enabled;
            set set_enabled(enabled: bool) = |this| this.link.wish.is_enabled = enabled.value;

            get get_bidirectional() -> bool = |this| this.link.wish.is_two_way;
            set set_bidirectional(bidirectional: bool) = |this| this.link.wish.is_two_way = bidirectional.value;

            get get_cost() -> f64 = |this| this.link.cost.map_or(link_values::BY_LENGTH, Cost::cells);
            set set_cost(cost: f64) = |this| this.link.cost = link_values::given_cost(cost)?;

            get get_terrains() -> i64 = |this| i64::from(this.link.wish.terrains.0);
            set set_terrains(terrains: i64) = |this| this.link.wish.terrains = Capability(terrains.named().flags()?);

            get get_max_footprint() -> Vector2i = |this| convert::size(this.link.wish.footprint_max);
            set set_max_footprint(max_footprint: Vector2i) = |this| {
                this.link.wish.footprint_max = convert::footprint(max_footprint.value)?;
            };

            get get_capacity() -> i64 = |this| i64::from(this.link.wish.bodies_max);
            set set_capacity(capacity: i64) = |this| {
                this.link.wish.bodies_max = capacity.within_u32(0..=u32::MAX)?;
            };

            get get_seconds() -> f64 = |this| this.link.wish.seconds.map_or(link_values::BY_LENGTH, f64::from);
            set set_seconds(seconds: f64) = |this| this.link.wish.seconds = link_values::given_seconds(seconds)?;

            get get_tag() -> StringName = |this| StringName::from(&*this.link.wish.tag);
            set set_tag(tag: StringName) = |this| this.link.wish.tag = link_values::given_tag(&tag.value)?;

            $($rest)*
        }

        impl LinkClass for $Class {
            fn link(&mut self) -> &mut LinkNode {
                &mut self.link
            }

            fn show(this: Gd<Self>, shown: Option<Shown>) {
                Self::show_in_editor(this, shown);
            }

            fn scale(&self) -> f32 {
                Self::pixels_a_unit(self)
            }
        }

        #[godot_api(secondary)]
        impl $Class {
            /// Has the grid's link be as the node is now. It does so in every frame by itself; call this when a
            /// query of the same frame needs it.
            #[func(gd_self)]
            fn update_link(this: Gd<Self>) {
                LinkNode::lay(this, false);
            }
        }
    };
}

use link_api;
