//! `FlowField`: one field that leads any number of bodies to the same goals.
//!
//! This file has the class: properties and what the engine calls. How it is kept up to date is in `upkeep`,
//! what scripts ask in `queries` and `sampling`.

mod overlay;
mod queries;
mod sampling;
mod upkeep;

use std::sync::Arc;

use godot::classes::{INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_core::world::GoalMode;

use crate::engine::frames::{Frame, Frames};
use crate::engine::state::{HasState, Own, Rank, State};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{GridLink, grid_node};
use crate::overlay::Overlay;
use crate::script::array_of::CellArray;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::node_arg;
use crate::script::profile::PathForgeProfile;
use crate::script::properties::class_api;
use overlay::FieldOverlay;
use upkeep::Upkeep;

/// Leads every body of a kind to the nearest of some goals, from any cell.
///
/// If a thousand units go to one place, a thousand searches are a waste. A flow field is computed once, for
/// all cells. It holds the direction to walk, and what it costs to get from each cell to the nearest goal,
/// exactly as [method PathForgeGrid.find_path] would find it. A unit then asks for the direction at its
/// place, which takes some nanoseconds.
///
/// The field follows its grid and its [member goals]. In each frame in which one of them has changed, it
/// repairs itself where the change reaches. For large changes it builds a successor, within [member
/// budget_usec] a frame, or on another thread when it is [member threaded]. The field in use stays whole
/// until its successor is complete. For a large body, cells are positions of its top-left cell, and positions
/// are its centre.
///
/// ```gdscript
/// @onready var field: FlowField = $FlowField
///
/// func _ready() -> void:
///     field.profile = soldier
///     field.goals = [Vector2i(40, 12), Vector2i(41, 12)]
///
/// func _physics_process(delta: float) -> void:
///     var directions := field.sample_batch(positions)
///     for unit: int in positions.size():
///         positions[unit] += directions[unit] * SPEED * delta
/// ```
///
/// Directions never lead into a wall within one cell. If a goal can be walked to in a straight line, they
/// point straight at it.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct FlowField {
    base: Base<Node2D>,

    /// The grid to walk on. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// The kind of body that walks by the field. Without one, it is a body of one cell that may enter every
    /// terrain.
    #[export]
    profile: Option<Gd<PathForgeProfile>>,

    /// The cells to get to; the field leads to the one of least cost. Those where the body cannot stand are
    /// left out. Assign a whole array: what the property gives is a copy. Equal goals change nothing.
    ///
    /// ```gdscript
    /// func _physics_process(_delta: float) -> void:
    ///     field.goals = [grid.global_to_cell(player.global_position)] # Follows the player.
    /// ```
    #[export]
    #[var(get, set)]
    goals: PhantomVar<CellArray>,

    /// What counts as being at a goal: [constant PathForgeGrid.GOAL_EXACT], [constant
    /// PathForgeGrid.GOAL_COVER] or [constant PathForgeGrid.GOAL_NEAREST]. With the last, each goal means the
    /// nearest places where the body fits, so a target beside a wall has a field, too.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Exact,Cover,Nearest")]
    goal_mode: PhantomVar<Constant<enumeration::GoalMode>>,

    /// If [code]true[/code], the field follows its grid and its goals by itself, once in each
    /// frame that changes something. Otherwise it changes with [method rebuild] only.
    #[export]
    #[export_group(name = "Updates")]
    #[init(val = true)]
    auto_update: bool,

    /// How often in a second the field follows at most, 0 for as often as something changes.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,60,0.1,or_greater,suffix:/s")]
    max_updates_per_second: f64,

    /// How much of a frame the building of a field may take, in microseconds. With 0 there is no limit, and
    /// every change is there in the next frame. The budget decides when a field arrives, never what is in it.
    /// Repairs, which take less than a fifth of a build, are made at once.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,16000,100,or_greater,suffix:µs")]
    #[init(val = 2000)]
    budget_usec: i64,

    /// If [code]true[/code], fields are built on another thread, which takes no time of the frames and not a
    /// budget either. The field in use stays until its successor is complete; what is edited meanwhile is
    /// repaired right after. Repairs and [method rebuild] stay on the game's thread. Builds of Godot without
    /// threads keep to [member budget_usec].
    #[export]
    threaded: bool,

    /// The largest cost of the field, in cell widths, 0 for the whole map. Cells from which a goal costs more
    /// are not reached, and cost no time.
    #[export]
    #[export_group(name = "Extent")]
    #[var(set, hint = RANGE, hint_string = "0,1000,0.1,or_greater,suffix:cells")]
    max_cost: f64,

    /// If [code]true[/code], the overlay is drawn in the running game.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay has an arrow in each cell or, where cells are small on the screen,
    /// in some of them.
    #[export]
    #[init(val = true)]
    debug_arrows: bool,

    /// If [code]true[/code], the overlay has the cost as heat: warm near the goals, cold far away.
    #[export]
    #[init(val = true)]
    debug_heat: bool,

    /// If [code]true[/code], the overlay has lines of equal cost.
    #[export]
    #[init(val = true)]
    debug_contours: bool,

    goal_cells: Vec<Cell>,
    mode: GoalMode,
    link: GridLink,
    #[init(val = Own::new(Rank::Field, Upkeep::default()))]
    upkeep: Own<Upkeep>,
    overlay: FieldOverlay,
    frames: Frames,
}

impl HasState for FlowField {
    type State = Upkeep;

    fn state(&self) -> &Arc<State<Upkeep>> {
        &self.upkeep
    }
}

grid_node!(FlowField);

impl FlowField {
    fn process(mut this: Gd<Self>, delta: f64) {
        let message = {
            let mut field = this.bind_mut();
            let message = field.keep_up(delta);
            field.refresh_overlay();
            message
        };
        Self::announce(&this, message);
    }
}

class_api! {
    impl FlowField;

    {
        /// Emitted when the field in use has changed, with a region that holds all cells whose cost or
        /// direction changed. An edit of the grid or a change of this node's properties causes it.
        #[signal]
        fn field_changed(region: Rect2i);

        /// Emitted once when the field comes to lead nowhere: there are no goals, or none where the body can
        /// stand. The field is ready then, and every cost is `INF`. Emitted again when other goals have none
        /// either.
        #[signal]
        fn goals_became_unreachable();
    }

    grid in link;

    get get_goals() -> CellArray = |this| CellArray::of_cells(&this.goal_cells);
    set set_goals(goals: CellArray) = |this| this.goal_cells = goals.value.cells("goals")?;

    get get_goal_mode() -> Constant<enumeration::GoalMode> = |this| Constant::of(this.mode as i64);
    set set_goal_mode(goal_mode: Constant<enumeration::GoalMode>) = |this| this.mode = convert::goal_mode(goal_mode.value)?;

    set set_max_updates_per_second(max_updates_per_second: f64) = |this| {
        this.max_updates_per_second = max_updates_per_second.at_least_zero()?;
    };
    set set_budget_usec(budget_usec: i64) = |this| {
        this.budget_usec = budget_usec.at_least(0)?;
    };
    set set_max_cost(max_cost: f64) = |this| {
        this.max_cost = max_cost.at_least_zero()?;
        this.base_mut().update_configuration_warnings();
    };
}
