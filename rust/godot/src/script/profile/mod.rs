//! `PathForgeProfile`: a kind of body, as a resource.

mod asker;

use std::ops::RangeInclusive;

use godot::classes::Resource;
use godot::prelude::*;
use pathforge_core::cost::is_weight_within;
use pathforge_core::crowd::OutlineForm;
use pathforge_core::geometry::{DiagonalMode, Footprint};
use pathforge_core::passability::{INFLUENCES_MAX, InfluenceWeights, TerrainCosts};
use pathforge_core::terrain::{
    Capability, ClimbLimit, IGNORED_OBSTACLES_MAX, IgnoredObstacles, ObstacleLayers,
};

use crate::engine::after_call;
use crate::engine::errors::report_warning;
use crate::script::convert;
use crate::script::enumeration::{self, Constant};
use crate::script::given::given;
use crate::script::properties::class_api;
pub use asker::{Asker, ProfileArg, expansions_max, profile_changes};

/// A kind of body: its size in cells, the terrains that it may enter, what they cost it, and how it moves.
///
/// A profile is a resource: make one for each kind of unit, save it as a `.tres` file and share it. Hand it
/// to [method PathForgeGrid.find_path] and the other queries. Without a profile, a query is for a body of one
/// cell that may enter every terrain.
///
/// ```gdscript
/// var barge := PathForgeProfile.new()
/// barge.footprint = Vector2i(4, 2)
/// barge.terrain_mask = 1 << 1 # Only terrain 1, which this game calls water.
///
/// var path := grid.find_path(Vector2i(2, 3), Vector2i(40, 12), barge)
/// if path.is_complete():
///     follow(path.get_global_positions())
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct PathForgeProfile {
    base: Base<Resource>,

    /// Width and height of the body in cells, 1 to 64 each. The body is anchored at its top-left cell: one of
    /// 3×2 that stands at cell `(5, 5)` covers the cells from `(5, 5)` to `(7, 6)`.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// The terrains that the body may enter, as bit flags: bit n stands for terrain id n. The default is
    /// all of them.
    ///
    /// ```gdscript
    /// profile.terrain_mask = (1 << LAND) | (1 << ROAD)
    /// ```
    #[export]
    #[export_group(name = "Terrain and Costs")]
    #[var(get, set, hint = FLAGS, hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31")]
    terrain_mask: PhantomVar<i64>,

    /// What the body pays on each terrain, by terrain id: multiplies the weight of the cell. Terrains beyond
    /// the end of the array cost 1. Finite numbers of 0 or more, at most 32. What a whole step costs is
    /// rounded to 1/70 and lies within 1/70 and 936.
    ///
    /// ```gdscript
    /// profile.terrain_costs = [1.0, 4.0] # A step onto terrain 1 costs four times as much.
    /// ```
    #[export]
    #[var(set)]
    terrain_costs: PackedFloat32Array,

    /// If [code]true[/code], the body walks slower where steps cost more: over a weight of 4, or on a terrain
    /// that costs 4, a quarter as fast. The most expensive cell under the body counts, and influences do not.
    /// It never walks faster than its speed. This is for agents of a [PathForgeCrowd] and for [method
    /// PathForgeAgent2D.get_next_velocity].
    ///
    /// ```gdscript
    /// profile.terrain_costs = [1.0, 4.0] # Terrain 1 is swamp:
    /// profile.slowed_by_weight = true # paths avoid it, and a body that wades through it takes as long as the path says.
    /// ```
    #[export]
    #[var(get, set)]
    slowed_by_weight: PhantomVar<bool>,

    /// When the body may step diagonally: −1 as [member PathForgeGrid.diagonal_mode] says, else one of the
    /// grid's `DIAGONAL_MODE_*` constants.
    #[export]
    #[export_group(name = "Movement")]
    #[var(get, set, hint = ENUM, hint_string = "From Grid:-1,Always:0,Never:1,At Least One Walkable:2,Only If No Obstacles:3")]
    diagonal_mode: PhantomVar<i64>,

    /// By which outline the body keeps clear of others in a crowd: [constant OUTLINE_ROUND] or [constant
    /// OUTLINE_BOX]. Either is as wide and as high as the footprint less a tenth of a cell on each side; see
    /// [member PathForgeAgent2D.radius] for other widths. Bodies do not turn: what is drawn may.
    ///
    /// ```gdscript
    /// barge.footprint = Vector2i(4, 2) # A capsule: others pass beside it as close as beside a body of 2×2.
    /// crate.footprint = Vector2i(2, 2)
    /// crate.outline = PathForgeProfile.OUTLINE_BOX # Crates stand side by side, corner by corner.
    /// ```
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Round,Box")]
    outline: PhantomVar<Constant<enumeration::Outline>>,

    /// The largest difference of heights that the body steps over, in metres; 0 is no limit. The step between
    /// two cells beside each other is closed, both ways, if the ground at their centres differs by more. With
    /// [member slope_limit_degrees], the limit that allows more counts.
    ///
    /// The heights are those of the [PathForgeSpace3D] of the grid; without one, this does nothing. Paths,
    /// flow fields, agents and crowds heed it as a blocked edge: see [method PathForgeGrid.set_edge_blocked].
    /// A larger body does not stand across such an edge. [method PathForgeGrid.explain] says where the ground
    /// is too steep.
    ///
    /// ```gdscript
    /// goat.step_height = 1.2
    /// cart.step_height = 0.2 # Takes the ramp.
    /// ```
    #[export]
    #[export_group(name = "Climbing")]
    #[var(set, hint = RANGE, hint_string = "0,4,0.01,or_greater,suffix:m")]
    step_height: f64,

    /// The steepest slope that the body climbs, up or down, in degrees from 0 to below 90; 0 is no limit. It is
    /// the slope of the line between the centres of two cells beside each other. See [member step_height] for
    /// what it closes.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,89.9,0.1,suffix:°")]
    slope_limit_degrees: f64,

    /// What becomes of [member PathForgePath.positions]: [constant SMOOTH_NONE] or [constant
    /// SMOOTH_STRING_PULL]. Cells and cost stay as they are.
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "None,String Pull")]
    smoothing: PhantomVar<Constant<enumeration::Smoothing>>,

    /// How paths are searched: [constant SEARCH_OPTIMAL] or [constant SEARCH_HIERARCHICAL].
    ///
    /// A search over clusters is many times as fast as a search over cells for long paths on huge maps, and
    /// over weights and terrain costs. Where all steps cost the same, on maps of up to some 1,000 cells a
    /// side, the optimal search is faster.
    ///
    /// Paths over clusters cost some parts in a thousand more than the optimum on average, and up to a tenth
    /// more on small maps. They can cost more than that where costs differ widely.
    ///
    /// ```gdscript
    /// caravan.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
    /// var path := grid.find_path(market, harbour, caravan)
    /// print(path.engine, " ", path.cost) # "haa", unless the two are neighbours.
    /// ```
    #[export]
    #[export_group(name = "Search")]
    #[var(get, set, hint = ENUM, hint_string = "Optimal,Hierarchical")]
    search_mode: PhantomVar<Constant<enumeration::SearchMode>>,

    /// The most nodes that one search may expand, 0 for no limit. A search that meets the limit gives up with
    /// [constant PathForgePath.STATUS_LIMIT].
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,100000,1,or_greater,suffix:nodes")]
    max_expansions: i64,

    /// How much each of [member PathForgeGrid.influences] weighs on the body, by their order there; those
    /// beyond the end of the array do not. What a cell costs is its weight times the terrain's cost, plus
    /// each influence times its weight here. A negative weight draws the body to where influence is high; a
    /// sum below zero counts as zero, so a step always costs something and paths stay optimal. Finite
    /// numbers, at most 8.
    ///
    /// ```gdscript
    /// profile.influence_weights = [0.5] # Half as afraid as danger says.
    /// ```
    #[export]
    #[export_group(name = "Influence")]
    #[var(set)]
    influence_weights: PackedFloat32Array,

    /// The layers whose obstacles the body walks through, as 32 bit flags: an obstacle does not block it if
    /// all of its [member PathForgeObstacle2D.obstacle_layers] are among them. Friends that pass through each
    /// other ignore the layer of their side. With all 32, no obstacle blocks the body; solid cells do.
    ///
    /// ```gdscript
    /// const OURS := 1 << 1
    /// grid.add_obstacle(Rect2i(knight_cell, Vector2i.ONE), OURS)
    /// soldier.ignored_obstacle_layers = OURS # Walks through the knight.
    /// ```
    #[export]
    #[export_group(name = "Obstacles")]
    #[var(get, set, hint = FLAGS, hint_string = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32")]
    ignored_obstacle_layers: PhantomVar<i64>,

    /// The obstacles that the body walks through, usually its own, by the ids of [method
    /// PathForgeGrid.add_obstacle]; at most 16. Ids of obstacles that are gone do no harm. The default is
    /// none.
    ///
    /// ```gdscript
    /// knight.ignored_obstacles = [knight_obstacle, horse_obstacle] # Its own, and what it may step over.
    /// ```
    #[var(set, usage_flags = [STORAGE])]
    ignored_obstacles: PackedInt32Array,

    search_number: i64,
    smooths: bool,
    body: Body,
    obstacle_layers: ObstacleLayers,
    /// What both properties of obstacles come to.
    ignored: IgnoredObstacles,
}

/// The most ids that a profile lists; that of an agent's own obstacle comes on top.
const IGNORED_MAX: usize = IGNORED_OBSTACLES_MAX - 1;

/// How many nodes a search may expand, with 0 for no limit.
pub const EXPANSIONS: RangeInclusive<i64> = 0..=u32::MAX as i64;

/// What decides where the body fits and what its steps cost.
#[derive(Clone, Copy, Default)]
struct Body {
    footprint: Footprint,
    capability: Capability,
    terrain_costs: TerrainCosts,
    climb: ClimbLimit,
    /// The grid's when there is none.
    diagonal_mode: Option<DiagonalMode>,
    influence_weights: InfluenceWeights,
    slowed_by_weight: bool,
    outline: OutlineForm,
}

class_api! {
    impl PathForgeProfile then |this| this.tell_change();

    /// The fastest engine that finds a path of the least cost. The default.
    const SEARCH_OPTIMAL = 0;
    /// Over clusters of the map first (HAA*), then over the cells along the path: fast over long distances,
    /// not always optimal. A path exists exactly when an optimal one does. Start and goal that lie in one
    /// cluster of 32×32 cells, or in neighbouring ones, are searched as with [constant SEARCH_OPTIMAL] first.
    const SEARCH_HIERARCHICAL = 1;
    /// Rounded by half of its width: a disc for a square footprint, a capsule for any other. Slips through
    /// crowds most easily. The default.
    const OUTLINE_ROUND = 0;
    /// A rectangle whose corners are rounded a little: by an eighth of half its width, where it is narrow.
    const OUTLINE_BOX = 1;
    /// [member PathForgePath.positions] has one position for each cell. The default.
    const SMOOTH_NONE = 0;
    /// [member PathForgePath.positions] runs straight where the body can walk straight.
    const SMOOTH_STRING_PULL = 1;

    get get_footprint() -> Vector2i = |this| convert::size(this.body.footprint);
    set set_footprint(footprint: Vector2i) = |this| {
        this.body.footprint = convert::footprint(footprint.value)?;
    };

    get get_diagonal_mode() -> i64 = |this| this.body.diagonal_mode.map_or(-1, |mode| mode as i64);
    set set_diagonal_mode(diagonal_mode: i64) = |this| {
        let mode = diagonal_mode.named().within(-1..=3)?;
        this.body.diagonal_mode = DiagonalMode::from_number(mode);
    };

    get get_terrain_mask() -> i64 = |this| i64::from(this.body.capability.0);
    set set_terrain_mask(terrain_mask: i64) = |this| {
        this.body.capability = Capability(terrain_mask.named().flags()?);
    };

    set set_terrain_costs(terrain_costs: PackedFloat32Array) = |this| {
        this.body.terrain_costs = checked_costs(terrain_costs.value.as_slice())?;
        warn_of_costs(terrain_costs.value.as_slice());
        this.terrain_costs = terrain_costs.value;
    };
    set set_step_height(step_height: f64) = |this| {
        let metres = step_height.value;
        step_height.single_precision().at_least_zero()?;
        this.step_height = metres;
        this.gather_climb();
    };
    set set_slope_limit_degrees(slope_limit_degrees: f64) = |this| {
        let wanted = "at least 0 and below 90";
        let in_limits = |degrees: &f64| (0.0..90.0).contains(degrees).then_some(*degrees);
        this.slope_limit_degrees = slope_limit_degrees.read(wanted, in_limits)?;
        this.gather_climb();
    };

    get get_slowed_by_weight() -> bool = |this| this.body.slowed_by_weight;
    set set_slowed_by_weight(slowed_by_weight: bool) = |this| this.body.slowed_by_weight = slowed_by_weight.value;
    get get_outline() -> Constant<enumeration::Outline> = |this| Constant::of(this.body.outline as i64);
    set set_outline(outline: Constant<enumeration::Outline>) = |this| {
        let outline = outline.number().named().within(0..=1)?;
        this.body.outline = if outline == Self::OUTLINE_BOX { OutlineForm::Box } else { OutlineForm::Round };
    };
    get get_search_mode() -> Constant<enumeration::SearchMode> = |this| Constant::of(this.search_number);
    set set_search_mode(search_mode: Constant<enumeration::SearchMode>) = |this| {
        this.search_number = search_mode.number().named().within(0..=1)?;
    };
    set set_max_expansions(max_expansions: i64) = |this| {
        this.max_expansions = max_expansions.named().within(EXPANSIONS)?;
    };
    get get_smoothing() -> Constant<enumeration::Smoothing> = |this| Constant::of(i64::from(this.smooths));
    set set_smoothing(smoothing: Constant<enumeration::Smoothing>) = |this| {
        this.smooths = smoothing.number().named().within(0..=1)? == Self::SMOOTH_STRING_PULL;
    };
    set set_influence_weights(influence_weights: PackedFloat32Array) = |this| {
        this.body.influence_weights = checked_weights(influence_weights.value.as_slice())?;
        this.influence_weights = influence_weights.value;
    };

    get get_ignored_obstacle_layers() -> i64 = |this| i64::from(this.obstacle_layers.0);
    set set_ignored_obstacle_layers(ignored_obstacle_layers: i64) = |this| {
        this.obstacle_layers = ObstacleLayers(ignored_obstacle_layers.named().flags()?);
        this.gather_ignored();
    };
    set set_ignored_obstacles(ignored_obstacles: PackedInt32Array) = |this| {
        check_ignored(ignored_obstacles.value.as_slice())?;
        this.ignored_obstacles = ignored_obstacles.value;
        this.gather_ignored();
    };
}

impl PathForgeProfile {
    fn gather_ignored(&mut self) {
        let ids = self.ignored_obstacles.as_slice().iter().filter_map(|&id| convert::obstacle(i64::from(id)));
        self.ignored = IgnoredObstacles::new(ids).unwrap_or_default().on_layers(self.obstacle_layers);
    }

    fn gather_climb(&mut self) {
        let slope = self.slope_limit_degrees.to_radians().tan();
        // Both are checked when they are set.
        self.body.climb = ClimbLimit::new(self.step_height as f32, slope as f32).unwrap_or_default();
    }

    fn tell_change(&self) {
        asker::note_change();
        after_call::emit_changed(self.base().instance_id());
    }
}

fn check_ignored(ids: &[i32]) -> Result<(), String> {
    if let Some((index, id)) = ids.iter().enumerate().find(|(_, id)| **id < 0) {
        return Err(format!("ignored_obstacles[{index}] is {id}, ids of obstacles are above 0"));
    }
    let count = ids.len();
    if count > IGNORED_MAX {
        return Err(format!(
            "ignored_obstacles has {count} elements, at most {IGNORED_MAX} are allowed; see ignored_obstacle_layers"
        ));
    }
    Ok(())
}

fn checked_weights(weights: &[f32]) -> Result<InfluenceWeights, String> {
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(format!("influence weight {weight} is not finite"));
    }
    let count = weights.len();
    InfluenceWeights::new(weights)
        .ok_or_else(|| format!("influence_weights has {count} elements, a grid has at most {INFLUENCES_MAX}"))
}

/// A step costs no less and no more than these, whatever its cell and its terrain say.
fn warn_of_costs(costs: &[f32]) {
    if let Some((id, cost)) = costs.iter().enumerate().find(|(_, cost)| !is_weight_within(**cost)) {
        let problem = format_args!("[{id}] is {cost}; a step costs at least 1/70 and at most 936");
        report_warning("PathForgeProfile.terrain_costs", problem);
    }
}

fn checked_costs(costs: &[f32]) -> Result<TerrainCosts, String> {
    convert::at_most_terrains("terrain_costs", costs.len())?;
    for (id, cost) in costs.iter().enumerate() {
        given(format!("terrain_costs[{id}]"), *cost).at_least_zero()?;
    }
    TerrainCosts::new(costs).ok_or_else(|| "terrain_costs are not usable".to_owned())
}
