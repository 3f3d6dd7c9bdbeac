//! `PathForgeDiagnosis`: why a route is what it is.

use godot::classes::IRefCounted;
use godot::prelude::*;
use pathforge_core::diagnose::{CostSplit, Diagnosis};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{LargestFootprint, Reason, Status};

use crate::answers::path::reason_number;
use crate::script::convert::{self, NO_CELL, vector, vector_or_none};
use crate::script::enumeration::{self, Constant};
use crate::script::properties::class_api;

/// Holds why there is no route, or what the route costs and why it leads where it leads.
///
/// [method PathForgeGrid.explain] and similar methods return a diagnosis, never `null`. A property without a
/// value has cells `Vector2i.MIN`, steps −1, costs `INF` or 0, and empty lists. After an error
/// in the call, [member status] is [constant PathForgePath.STATUS_INVALID] and [member text] the error.
///
/// ```gdscript
/// var diagnosis := grid.explain(hauler.cell, dock, hauler.profile)
/// if diagnosis.reason != PathForgePath.REASON_NONE:
///     advisor.say(diagnosis.text)
///     highlight(diagnosis.cells)
/// ```
#[derive(GodotClass, Default)]
#[class(no_init, base = RefCounted)]
pub struct PathForgeDiagnosis {
    /// What became of the query: one of the `STATUS_*` constants of [PathForgePath].
    #[var(get, no_set)]
    status: PhantomVar<Constant<enumeration::Status>>,

    /// Why there is no complete path: one of the `REASON_*` constants of [PathForgePath].
    #[var(get, no_set)]
    reason: PhantomVar<Constant<enumeration::Reason>>,

    /// The numbers of both.
    outcome: (i64, i64),

    /// The answer in words.
    #[var(no_set)]
    text: GString,

    /// The cells that show the answer on the map: what closes an end, what lies between two components, the
    /// starts that would be cut off, or the path.
    #[var(no_set)]
    cells: Array<Vector2i>,

    /// The end at which the body cannot be.
    #[var(no_set)]
    cell: Vector2i,

    /// The clearance at [member cell]. Where the body only has to cover the goal, the side of the largest
    /// square that can, and [member cells] are the closed ones around the goal.
    #[var(no_set)]
    clearance: i64,

    /// The footprint that the body needs at [member cell].
    #[var(no_set)]
    needed: Vector2i,

    /// The number of steps between both components where they come nearest to each other; for a character
    /// that jumps, between the grounds whose jump is missing.
    #[var(no_set)]
    gap_steps: i64,

    /// The place in the start's component that is nearest to the goal's.
    #[var(no_set)]
    gap_start: Vector2i,

    /// The place in the goal's component that is nearest to the start's.
    #[var(no_set)]
    gap_goal: Vector2i,

    /// The side of the widest square body that could make the trip, in cells; 0 if not even one of a single
    /// cell could.
    #[var(no_set)]
    largest_side: i64,

    /// The cell that stops a body wider than [member largest_side].
    #[var(no_set)]
    bottleneck: Vector2i,

    /// The ids of the terrains that the body may not enter and that bar its path.
    #[var(no_set)]
    barring_terrains: PackedInt32Array,

    /// The cells under obstacles that bar the body between two ends where it fits; without these obstacles it
    /// could go. [member cells] are the same then.
    #[var(no_set)]
    barring_cells: Array<Vector2i>,

    /// The closed edges that part two ends between which the body could go without them, from the start on.
    /// They are blocked, or the ground is too steep for the body. They lie on the straight way, so a gate that
    /// was shut need not be among them. An edge takes two cells of the array: the step from the first to the
    /// second is closed. [member cells] are the same then.
    ///
    /// ```gdscript
    /// for n: int in range(0, diagnosis.barring_edges.size(), 2):
    ///     mark_fence(diagnosis.barring_edges[n]) # The cell before the edge; n + 1 is the one behind it.
    /// ```
    #[var(no_set)]
    barring_edges: Array<Vector2i>,

    /// The ids of the links that would join the two ends if the body could take them, from the start on. They are
    /// disabled, lead the other way only, take smaller bodies, or are for other terrains. [member cells] are their
    /// ends then.
    #[var(no_set)]
    barring_links: PackedInt32Array,

    /// The cells of the latest edit without which there would be a path, as far as the grid remembers. What
    /// sets every cell ([method PathForgeGrid.set_from_text], [method PathForgeGrid.set_solid_data] and their
    /// like) makes the map and is no edit of it.
    #[var(no_set)]
    closed_by: Rect2i,

    /// What the path costs, in cell widths; `INF` without a path.
    #[var(no_set)]
    cost: f64,

    /// The part of [member cost] that is for distance.
    #[var(no_set)]
    cost_distance: f64,

    /// The part of [member cost] that is for weights.
    #[var(no_set)]
    cost_weight: f64,

    /// The part of [member cost] that is for terrain.
    #[var(no_set)]
    cost_terrain: f64,

    /// The part of [member cost] that is for influence.
    #[var(no_set)]
    cost_influence: f64,

    /// The part of [member cost] that is for links: see [method PathForgeGrid.add_link].
    #[var(no_set)]
    cost_links: f64,

    /// The shortest path, if the path is a detour: its cost with the parts of [member cost], and as [member
    /// cells] the cells that cost more than their length. The detour avoids these. `null` if the path is the
    /// shortest one.
    ///
    /// ```gdscript
    /// if diagnosis.shortest != null:
    ///     print("The detour saves ", diagnosis.shortest.cost - diagnosis.cost)
    /// ```
    #[var(no_set)]
    shortest: Option<Gd<PathForgeDiagnosis>>,

    /// Where a path with [constant PathForgeGrid.GOAL_NEAREST] ends that does not cover the goal. [member
    /// cost] is that path's.
    #[var(no_set)]
    nearest: Vector2i,

    /// How far the nearest cell of a body at [member nearest] is from the goal, in cells.
    #[var(no_set)]
    nearest_distance_cells: f64,

    /// The goal that the path leads to, of several.
    #[var(no_set)]
    goal: Vector2i,

    /// The diagnosis of each of several goals when there is no path to any, in their order, of the first 16.
    /// [member text] has all of their texts, and every other property says what it says of the first.
    #[var(no_set)]
    goals: Array<Gd<PathForgeDiagnosis>>,

    /// The indices in `starts` of the starts that [method PathForgeGrid.explain_block] finds cut off.
    #[var(no_set)]
    cut_off: PackedInt32Array,
}

#[godot_api]
impl IRefCounted for PathForgeDiagnosis {
    fn to_string(&self) -> GString {
        let text = format!("<PathForgeDiagnosis: {}>", self.text);
        GString::from(&text)
    }
}

class_api! {
    impl PathForgeDiagnosis;

    get get_status() -> Constant<enumeration::Status> = |this| Constant::of(this.outcome.0);
    get get_reason() -> Constant<enumeration::Reason> = |this| Constant::of(this.outcome.1);
}

impl PathForgeDiagnosis {
    /// An answer that says nothing besides `text`.
    fn saying(status: Status, reason: Option<Reason>, text: &str) -> Self {
        Self {
            outcome: (status as i64, reason_number(reason)),
            text: GString::from(text),
            cell: NO_CELL,
            gap_steps: -1,
            gap_start: NO_CELL,
            gap_goal: NO_CELL,
            bottleneck: NO_CELL,
            cost: f64::INFINITY,
            nearest: NO_CELL,
            goal: NO_CELL,
            ..Self::default()
        }
    }

    /// The answer to a question that makes no sense, which `problem` says.
    pub fn refused(problem: &str) -> Gd<Self> {
        Gd::from_object(Self::saying(Status::Invalid, None, problem))
    }

    /// What the core says of a route, in words too.
    pub fn of(diagnosis: &Diagnosis, text: &str) -> Gd<Self> {
        let outcome = &diagnosis.outcome;
        let mut told = Self::saying(outcome.status, outcome.reason, text);
        told.cells = cells(&diagnosis.cells);
        if let Some(refusal) = &diagnosis.refusal {
            told.cell = vector(refusal.anchor);
            told.clearance = i64::from(refusal.clearance);
            told.needed = Vector2i::new(refusal.needed.w(), refusal.needed.h());
        }
        if let Some(gap) = &diagnosis.gap {
            told.gap_steps = i64::from(gap.steps);
            told.gap_start = vector(gap.near_start);
            told.gap_goal = vector(gap.near_goal);
        }
        if let Some(widest) = diagnosis.widest {
            told.largest_side = i64::from(widest.side);
            told.bottleneck = vector_or_none(widest.bottleneck);
        }
        told.barring_terrains = diagnosis.barring_terrains.iter().map(|&id| i32::from(id)).collect();
        told.barring_cells = cells(&diagnosis.barring_obstacles);
        let edges = diagnosis.barring_edges.iter();
        let pairs: Vec<Cell> = edges.flat_map(|edge| [edge.cell, edge.side.beyond(edge.cell)]).collect();
        told.barring_edges = cells(&pairs);
        told.barring_links = diagnosis.barring_links.iter().map(|link| link.id as i32).collect();
        told.closed_by = diagnosis.closed_by.map(convert::region).unwrap_or_default();
        if let Some(costs) = diagnosis.costs {
            told.take_costs(costs);
        }
        if let Some(detour) = &diagnosis.detour {
            let mut shortest = Self::saying(outcome.status, None, "");
            shortest.take_costs(detour.costs);
            shortest.cells = cells(&detour.avoided);
            told.shortest = Some(Gd::from_object(shortest));
        }
        if let Some(nearest) = diagnosis.nearest {
            told.nearest = vector(nearest.anchor);
            told.nearest_distance_cells = nearest.distance;
        }
        Gd::from_object(told)
    }

    fn take_costs(&mut self, costs: CostSplit) {
        self.cost = CostSplit::cells(costs.total());
        self.cost_distance = CostSplit::cells(costs.distance);
        self.cost_weight = CostSplit::cells(costs.weight);
        self.cost_terrain = CostSplit::cells(costs.terrain);
        self.cost_influence = CostSplit::cells(costs.influence);
        self.cost_links = CostSplit::cells(costs.links);
    }

    /// What became of a path that jumps, and the jump that is missing between two grounds.
    pub fn of_jumps(
        status: Status,
        reason: Option<Reason>,
        gap: Option<(Cell, Cell)>,
        text: &str,
    ) -> Gd<Self> {
        let mut told = Self::saying(status, reason, text);
        if let Some((near_start, near_goal)) = gap {
            told.gap_steps =
                i64::from(near_start.x.abs_diff(near_goal.x) + near_start.y.abs_diff(near_goal.y));
            (told.gap_start, told.gap_goal) = (vector(near_start), vector(near_goal));
            told.cells = cells(&[near_start, near_goal]);
        }
        Gd::from_object(told)
    }

    /// How wide a body can make a trip, for which one of a single cell was answered with `status` and
    /// `reason`.
    pub fn of_widest(
        widest: LargestFootprint,
        status: Status,
        reason: Option<Reason>,
        text: &str,
    ) -> Gd<Self> {
        let mut told = Self::saying(status, reason, text);
        told.largest_side = i64::from(widest.side);
        told.bottleneck = vector_or_none(widest.bottleneck);
        told.cells = cells(widest.bottleneck.as_slice());
        Gd::from_object(told)
    }

    /// Which starts would be cut off: their cells, and their indices in the starts of the query.
    pub fn of_block(reason: Option<Reason>, cut: &[Cell], cut_off: &[usize], text: &str) -> Gd<Self> {
        let status = reason.map_or(Status::Complete, Reason::status);
        let mut told = Self::saying(status, reason, text);
        told.cells = cells(cut);
        told.cut_off = cut_off.iter().map(|&place| place as i32).collect();
        Gd::from_object(told)
    }

    /// The answer in words.
    pub fn text(&self) -> String {
        self.text.to_string()
    }

    /// Adds what was asked of several goals.
    pub fn add_goals(&mut self, goal: Option<Cell>, each: &Array<Gd<Self>>, text: Option<&str>) {
        self.goal = vector_or_none(goal);
        self.goals = each.clone();
        if let Some(text) = text {
            self.text = GString::from(text);
        }
    }
}

fn cells(cells: &[Cell]) -> Array<Vector2i> {
    let cells: Vec<Vector2i> = cells.iter().copied().map(vector).collect();
    Array::from(cells.as_slice())
}
