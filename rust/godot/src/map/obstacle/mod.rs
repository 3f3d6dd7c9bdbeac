//! Obstacles as nodes: things that stand on the map and may move.
//!
//! [`Obstacle`] has where one stands, and lays it onto the grid. [`PathForgeObstacle2D`] and
//! [`PathForgeObstacle3D`] are what scripts see of one; they differ in where their positions lie.

mod form;
mod obstacle_2d;
mod obstacle_3d;

use godot::classes::{Engine, Node};
use godot::obj::{Bounds, Inherits, bounds};
use godot::prelude::*;
use pathforge_core::geometry::{CellRect, Footprint};
use pathforge_core::terrain::ObstacleLayers;

use crate::engine::frames::Frames;
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::map::map_link::{Map, MapLink};
use crate::map::seat::Seat;
use crate::script::convert;
use form::{Form, Outline};
pub use obstacle_2d::PathForgeObstacle2D;
pub use obstacle_3d::PathForgeObstacle3D;

/// What is behind a node that is an obstacle.
pub struct Obstacle {
    seat: Seat,
    link: MapLink,
    size: Footprint,
    outline: Outline,
    layers: ObstacleLayers,
    enabled: bool,
    placed: Option<Placed>,
    frames: Frames,
}

/// Where an obstacle stands.
#[derive(Clone)]
struct Placed {
    grid: InstanceId,
    id: i64,
    form: Form,
    /// The smallest rectangle that holds its cells.
    cells: CellRect,
    layers: ObstacleLayers,
}

/// A class of nodes that are obstacles.
trait ObstacleClass: Bounds<Declarer = bounds::DeclUser> + Inherits<Node> {
    fn obstacle(&mut self) -> &mut Obstacle;
}

impl Obstacle {
    fn new(seat: Seat, link: MapLink) -> Self {
        Self {
            seat,
            link,
            size: Footprint::ONE,
            outline: Outline::default(),
            layers: ObstacleLayers::FIRST,
            enabled: true,
            placed: None,
            frames: Frames::default(),
        }
    }

    fn configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        self.link.warn(&self.seat.node(), &mut warnings);
        warnings.extend(self.outline.problem().map(GString::from));
        warnings
    }

    /// Its id on the grid, −1 while it blocks nothing.
    fn id(&self) -> i64 {
        self.placed.as_ref().map_or(-1, |placed| placed.id)
    }

    /// The smallest region that holds the cells that it covers, an empty one while it blocks nothing.
    fn cells(&self) -> Rect2i {
        self.placed.as_ref().map(|placed| convert::region(placed.cells)).unwrap_or_default()
    }

    /// Covers the cells where the node is now; warns where there is no grid, if `is_loud`.
    fn cover<T: ObstacleClass>(mut this: Gd<T>, is_loud: bool) {
        // Nothing is borrowed while the grid announces the change.
        let (placed, wanted, layers) = {
            let mut node = this.bind_mut();
            let obstacle = node.obstacle();
            let wanted = obstacle.wanted();
            if is_loud && wanted.is_none() {
                obstacle.link.warn_once(&obstacle.seat.node());
            }
            (obstacle.placed.clone(), wanted, obstacle.layers)
        };
        match (placed, wanted) {
            (Some(placed), Some((grid, form)))
                if placed.grid == grid.instance_id() && placed.layers == layers =>
            {
                if placed.form != form {
                    let (id, cells) = (placed.id, form.cells());
                    let moved = Placed { form, cells: cells.bounds(), ..placed };
                    this.bind_mut().obstacle().placed = Some(moved);
                    PathForgeGrid::carry_obstacle(grid, id, cells);
                }
            }
            (_, Some((grid, form))) => {
                Self::lift(this.clone());
                let cells = form.cells();
                let bounds = cells.bounds();
                let id = PathForgeGrid::put_obstacle(grid.clone(), cells, layers);
                let is_there = this.is_instance_valid() && id >= 0;
                if is_there {
                    let placed = Placed { grid: grid.instance_id(), id, form, cells: bounds, layers };
                    this.bind_mut().obstacle().placed = Some(placed);
                }
            }
            (_, None) => Self::lift(this),
        }
    }

    /// Takes the obstacle off its grid, if that is still there.
    fn lift<T: ObstacleClass>(mut this: Gd<T>) {
        let Some(placed) = this.bind_mut().obstacle().placed.take() else { return };
        if let Ok(grid) = Gd::<PathForgeGrid>::try_from_instance_id(placed.grid)
            && grid.bind().knows_obstacle(placed.id)
        {
            PathForgeGrid::remove_obstacle(grid, placed.id);
        }
    }

    /// The grid and what to cover of it; `None` for nothing at all.
    fn wanted(&mut self) -> Option<(Gd<PathForgeGrid>, Form)> {
        let is_out = !self.seat.is_inside_tree() || Engine::singleton().is_editor_hint();
        if is_out || !self.enabled {
            return None;
        }
        let Map { grid, frame, .. } = self.link.resolve(&self.seat.node())?;
        let whole = state::of(&grid).lock().region();
        // On the storey that carries the node, and on its cells only.
        let (frame, sheet) = frame?.at(self.seat.place());
        let form = self.outline.form(&self.seat, &frame, self.size, sheet.unwrap_or(whole))?;
        let form = match sheet {
            Some(sheet) => form.within(sheet),
            None => form,
        };
        Some((grid, form))
    }
}

/// The first child of a node that is an obstacle.
pub fn child_of(node: &Gd<Node>) -> Option<InstanceId> {
    let is_obstacle = |child: &Gd<Node>| {
        child.clone().try_cast::<PathForgeObstacle2D>().is_ok()
            || child.clone().try_cast::<PathForgeObstacle3D>().is_ok()
    };
    node.get_children().iter_shared().find(is_obstacle).map(|child| child.instance_id())
}

/// The id on the grid and the cells of the node of this id, as scripts see them; `None` when it is gone.
pub fn standing(id: InstanceId) -> Option<(i64, Rect2i)> {
    if let Ok(node) = Gd::<PathForgeObstacle2D>::try_from_instance_id(id) {
        let obstacle = &node.bind().obstacle;
        return Some((obstacle.id(), obstacle.cells()));
    }
    let node = Gd::<PathForgeObstacle3D>::try_from_instance_id(id).ok()?;
    let obstacle = &node.bind().obstacle;
    Some((obstacle.id(), obstacle.cells()))
}

/// The API that both classes have. Properties of the class itself come after it, as `class_api` has them.
macro_rules! obstacle_api {
    (impl $Class:ident: $INode:ident($What:ident), $is_move:ident; $($rest:tt)*) => {
        #[godot_api]
        impl $INode for $Class {
            fn on_notification(&mut self, what: $What) {
                if $is_move(what) {
                    self.obstacle.link.forget_found();
                }
                match what {
                    $What::ENTER_TREE => {
                        let node = self.to_gd();
                        let work = |this: Gd<Self>, _: f64| Obstacle::cover(this, true);
                        self.obstacle.frames.enter(&node, Frame::Process, work);
                    }
                    // Right before a script's `_ready`, which finds the cells blocked.
                    $What::POST_ENTER_TREE => frames::unborrowed(self, Self::update_cells),
                    $What::EXIT_TREE => {
                        self.obstacle.frames.exit(&self.to_gd().upcast());
                        frames::unborrowed(self, Obstacle::lift);
                    }
                    _ => {}
                }
            }

            fn get_configuration_warnings(&self) -> PackedStringArray {
                self.obstacle.configuration_warnings()
            }
        }

        class_api! {
            impl $Class;

            /// Returns the id of the obstacle on the grid, −1 while it blocks nothing.
            get get_obstacle_id() -> i64 = |this| this.obstacle.id();
            /// Returns the smallest region that holds the cells that it covers, an empty one while it blocks
            /// nothing.
            get get_cells() -> Rect2i = |this| this.obstacle.cells();

            /// Returns the grid that the node uses, set or found, or `null`.
            get get_effective_grid() -> Option<Gd<PathForgeGrid>> = |this| {
                this.obstacle.link.effective(&this.obstacle.seat.node()).0
            };

            get get_footprint() -> Vector2i = |this| convert::size(this.obstacle.size);
            set set_footprint(footprint: Vector2i) = |this| {
                this.obstacle.size = convert::footprint(footprint.value)?;
            };

            get get_radius() -> f64 = |this| f64::from(this.obstacle.outline.radius);
            set set_radius(radius: f64) = |this| {
                this.obstacle.outline.radius = radius.named().single_precision().at_least_zero()?;
            };

            get get_obstacle_layers() -> i64 = |this| i64::from(this.obstacle.layers.0);
            set set_obstacle_layers(obstacle_layers: i64) = |this| {
                this.obstacle.layers = ObstacleLayers(obstacle_layers.named().flags()?);
            };

            get get_enabled() -> bool = |this| this.obstacle.enabled;
            set set_enabled(enabled: bool) = |this| this.obstacle.enabled = enabled.value;

            $($rest)*
        }

        impl ObstacleClass for $Class {
            fn obstacle(&mut self) -> &mut Obstacle {
                &mut self.obstacle
            }
        }

        #[godot_api(secondary)]
        impl $Class {
            /// Blocks the cells where the node is now. It does so in every frame by itself; call this when a
            /// query of the same frame needs it.
            #[func(gd_self)]
            fn update_cells(this: Gd<Self>) {
                Obstacle::cover(this, false);
            }
        }
    };
}

use obstacle_api;
