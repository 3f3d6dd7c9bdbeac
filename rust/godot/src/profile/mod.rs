//! `PathForgeProfile`: a kind of body, as a resource.

mod asker;

use godot::classes::Resource;
use godot::prelude::*;
use pathforge_core::geometry::{DiagonalMode, Footprint};
use pathforge_core::passability::{INFLUENCES_MAX, InfluenceWeights, TerrainCosts};
use pathforge_core::terrain::{Capability, IGNORED_OBSTACLES_MAX, IgnoredObstacles, ObstacleLayers};

use crate::convert;
use crate::errors::reported;
pub use asker::{Asker, ProfileArg, profile_changes};

/// A kind of body: its size in cells, the terrains that it may enter, what they cost it, and how it moves.
///
/// A profile is a resource: make one for each kind of unit, save it as a `.tres` file and share it. Hand it to
/// [method PathForgeGrid.find_path] and the other queries. Without a profile, a query is for a body of one cell that
/// may enter every terrain.
///
/// ```gdscript
/// var barge := PathForgeProfile.new()
/// barge.footprint = Vector2i(4, 2)
/// barge.capability = 1 << 1 # Only terrain 1, which this game calls water.
///
/// var path := grid.find_path(Vector2i(2, 3), Vector2i(40, 12), barge)
/// if path.is_complete():
///     follow(path.get_global_positions())
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct PathForgeProfile {
    base: Base<Resource>,

    /// Width and height of the body in cells, 1 to 64 each. The body is anchored at its top-left cell: one of 3×2 that
    /// stands at cell `(5, 5)` covers the cells from `(5, 5)` to `(7, 6)`.
    #[export]
    #[var(get = get_footprint, set = set_footprint, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// The terrains that the body may enter, as bit flags: bit n stands for terrain id n. The default is
    /// [constant PathForgeGrid.CAPABILITY_ALL].
    ///
    /// ```gdscript
    /// profile.capability = (1 << LAND) | (1 << ROAD)
    /// ```
    #[export]
    #[export_group(name = "Terrain and Costs")]
    #[var(
        get = get_capability,
        set = set_capability,
        hint = FLAGS,
        hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
    )]
    capability: PhantomVar<i64>,

    /// What the body pays on each terrain, by terrain id: multiplies the weight of the cell. Terrains beyond the end of
    /// the array cost 1. Finite numbers of 0 or more, at most 32.
    ///
    /// ```gdscript
    /// profile.terrain_costs = [1.0, 4.0] # A step onto terrain 1 costs four times as much.
    /// ```
    #[export]
    #[var(get = get_terrain_costs, set = set_terrain_costs)]
    terrain_costs: PhantomVar<PackedFloat32Array>,

    /// When the body may step diagonally: −1 as [member PathForgeGrid.diagonal_mode] says, else one of the grid's
    /// `DIAGONAL_MODE_*` constants.
    #[export]
    #[export_group(name = "Movement")]
    #[var(
        get = get_diagonal_mode,
        set = set_diagonal_mode,
        hint = ENUM,
        hint_string = "From Grid:-1,Always:0,Never:1,At Least One Walkable:2,Only If No Obstacles:3"
    )]
    diagonal_mode: PhantomVar<i64>,

    /// What becomes of [member PathForgePath.positions]: [constant SMOOTH_NONE] or [constant SMOOTH_STRING_PULL]. Cells
    /// and cost stay as they are.
    #[export]
    #[var(get = get_smoothing, set = set_smoothing, hint = ENUM, hint_string = "None,String Pull")]
    smoothing: PhantomVar<i64>,

    /// How paths are searched: [constant SEARCH_AUTO], [constant SEARCH_OPTIMAL] or [constant SEARCH_HIERARCHICAL].
    ///
    /// A search over clusters of the map answers long paths on huge maps, and paths over weights and terrain costs,
    /// many times as fast as a search over cells. Its paths are some parts in a thousand more expensive than the
    /// optimum; where steps cost the same everywhere on maps of up to some 1,000 cells a side, the optimal engine is
    /// faster.
    ///
    /// ```gdscript
    /// caravan.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
    /// var path := grid.find_path(market, harbour, caravan)
    /// print(path.engine, " ", path.cost) # "haa", unless the two are neighbours.
    /// ```
    #[export]
    #[export_group(name = "Search")]
    #[var(get = get_search_mode, set = set_search_mode, hint = ENUM, hint_string = "Auto,Optimal,Hierarchical")]
    search_mode: PhantomVar<i64>,

    /// The most nodes that one search may expand, 0 for no limit. A search that meets the limit gives up with
    /// [constant PathForgePath.STATUS_LIMIT].
    #[export]
    #[var(
        get = get_max_expansions,
        set = set_max_expansions,
        hint = RANGE,
        hint_string = "0,100000,1,or_greater,suffix:nodes"
    )]
    max_expansions: PhantomVar<i64>,

    /// How much each of [member PathForgeGrid.influences] weighs on the body, by their order there; those beyond the
    /// end of the array do not. What a cell costs is its weight times the terrain's cost, plus each influence times its
    /// weight here. A negative weight draws the body to where influence is high; a sum below zero counts as zero, so a
    /// step always costs something and paths stay optimal. Finite numbers, at most 8.
    ///
    /// ```gdscript
    /// profile.influence_weights = [0.5] # Half as afraid as danger says.
    /// ```
    #[export]
    #[export_group(name = "Influence")]
    #[var(get = get_influence_weights, set = set_influence_weights)]
    influence_weights: PhantomVar<PackedFloat32Array>,

    /// The layers whose obstacles the body walks through, as 32 bit flags: an obstacle does not block it if all of its
    /// [member PathForgeObstacle2D.obstacle_layer] are among them. Friends that pass through each other ignore the layer
    /// of their side. With all 32, no obstacle blocks the body; solid cells do.
    ///
    /// ```gdscript
    /// const OURS := 1 << 1
    /// grid.add_obstacle(Rect2i(knight_cell, Vector2i.ONE), OURS)
    /// soldier.ignored_obstacle_layers = OURS # Walks through the knight.
    /// ```
    #[export]
    #[export_group(name = "Obstacles")]
    #[var(
        get = get_ignored_obstacle_layers,
        set = set_ignored_obstacle_layers,
        hint = FLAGS,
        hint_string = "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32"
    )]
    ignored_obstacle_layers: PhantomVar<i64>,

    /// The obstacles that the body walks through, usually its own, by the ids of [method PathForgeGrid.add_obstacle]; at
    /// most 16. Ids of obstacles that are gone do no harm. The default is none.
    ///
    /// ```gdscript
    /// knight.ignored_obstacles = [knight_obstacle, horse_obstacle] # Its own, and what it may step over.
    /// ```
    #[var(get = get_ignored_obstacles, set = set_ignored_obstacles, usage_flags = [STORAGE])]
    ignored_obstacles: PhantomVar<PackedInt32Array>,

    body: Body,
    search: SearchOptions,
    costs: PackedFloat32Array,
    weights_of_influences: PackedFloat32Array,
    obstacle_layers: ObstacleLayers,
    obstacles: PackedInt32Array,
    /// What both properties of obstacles come to.
    ignored: IgnoredObstacles,
}

/// The most ids that a profile lists; that of an agent's own obstacle comes on top.
const IGNORED_MAX: usize = IGNORED_OBSTACLES_MAX - 1;

/// What decides where the body fits and what its steps cost.
#[derive(Clone, Copy, Default)]
struct Body {
    footprint: Footprint,
    capability: Capability,
    terrain_costs: TerrainCosts,
    /// The grid's when there is none.
    diagonal_mode: Option<DiagonalMode>,
    influence_weights: InfluenceWeights,
}

#[derive(Clone, Copy, Default)]
struct SearchOptions {
    mode: i64,
    expansions_max: u32,
    smoothing: i64,
}

#[godot_api]
impl PathForgeProfile {
    /// The fastest optimal engine for the map. The default.
    #[constant]
    pub const SEARCH_AUTO: i64 = 0;
    /// Always an optimal path.
    #[constant]
    pub const SEARCH_OPTIMAL: i64 = 1;
    /// Over clusters of the map first (HAA*), then over the cells along the path: fast over long distances, not always
    /// optimal. A path exists exactly when an optimal one does. Start and goal that lie in one cluster of 32×32 cells,
    /// or in neighbouring ones, are searched as with [constant SEARCH_AUTO] first.
    #[constant]
    pub const SEARCH_HIERARCHICAL: i64 = 2;
    /// [member PathForgePath.positions] has one position for each cell. The default.
    #[constant]
    pub const SMOOTH_NONE: i64 = 0;
    /// [member PathForgePath.positions] runs straight where the body can walk straight.
    #[constant]
    pub const SMOOTH_STRING_PULL: i64 = 1;

    #[func]
    fn get_footprint(&self) -> Vector2i {
        Vector2i::new(self.body.footprint.w(), self.body.footprint.h())
    }

    #[func]
    fn set_footprint(&mut self, footprint: Vector2i) {
        let checked = convert::footprint(footprint);
        self.set("PathForgeProfile.footprint", checked, |this, value| this.body.footprint = value);
    }

    #[func]
    fn get_diagonal_mode(&self) -> i64 {
        self.body.diagonal_mode.map_or(-1, |mode| mode as i64)
    }

    #[func]
    fn set_diagonal_mode(&mut self, mode: i64) {
        let checked = convert::choice("diagonal_mode", mode, -1..=3);
        self.set("PathForgeProfile.diagonal_mode", checked, |this, value| {
            this.body.diagonal_mode = DiagonalMode::from_number(value);
        });
    }

    #[func]
    fn get_capability(&self) -> i64 {
        i64::from(self.body.capability.0)
    }

    #[func]
    fn set_capability(&mut self, capability: i64) {
        let checked = convert::capability(capability);
        self.set("PathForgeProfile.capability", checked, |this, value| this.body.capability = value);
    }

    #[func]
    fn get_terrain_costs(&self) -> PackedFloat32Array {
        self.costs.clone()
    }

    #[func]
    fn set_terrain_costs(&mut self, costs: PackedFloat32Array) {
        let checked = terrain_costs(costs.as_slice());
        self.set("PathForgeProfile.terrain_costs", checked, |this, value| {
            this.body.terrain_costs = value;
            this.costs = costs;
        });
    }

    #[func]
    fn get_search_mode(&self) -> i64 {
        self.search.mode
    }

    #[func]
    fn set_search_mode(&mut self, mode: i64) {
        let checked = convert::choice("search_mode", mode, 0..=2);
        self.set("PathForgeProfile.search_mode", checked, |this, value| this.search.mode = value);
    }

    #[func]
    fn get_max_expansions(&self) -> i64 {
        i64::from(self.search.expansions_max)
    }

    #[func]
    fn set_max_expansions(&mut self, expansions: i64) {
        let checked = convert::choice("max_expansions", expansions, 0..=i64::from(u32::MAX));
        self.set("PathForgeProfile.max_expansions", checked, |this, value| {
            this.search.expansions_max = value as u32;
        });
    }

    #[func]
    fn get_smoothing(&self) -> i64 {
        self.search.smoothing
    }

    #[func]
    fn set_smoothing(&mut self, smoothing: i64) {
        let checked = convert::choice("smoothing", smoothing, 0..=1);
        self.set("PathForgeProfile.smoothing", checked, |this, value| this.search.smoothing = value);
    }

    #[func]
    fn get_influence_weights(&self) -> PackedFloat32Array {
        self.weights_of_influences.clone()
    }

    #[func]
    fn set_influence_weights(&mut self, weights: PackedFloat32Array) {
        let checked = influence_weights(weights.as_slice());
        self.set("PathForgeProfile.influence_weights", checked, |this, value| {
            this.body.influence_weights = value;
            this.weights_of_influences = weights;
        });
    }

    #[func]
    fn get_ignored_obstacle_layers(&self) -> i64 {
        i64::from(self.obstacle_layers.0)
    }

    #[func]
    fn set_ignored_obstacle_layers(&mut self, layers: i64) {
        let checked = convert::obstacle_layers("ignored_obstacle_layers", layers);
        self.set("PathForgeProfile.ignored_obstacle_layers", checked, |this, value| {
            this.obstacle_layers = value;
            this.gather_ignored();
        });
    }

    #[func]
    fn get_ignored_obstacles(&self) -> PackedInt32Array {
        self.obstacles.clone()
    }

    #[func]
    fn set_ignored_obstacles(&mut self, obstacles: PackedInt32Array) {
        let checked = ignored_obstacles(obstacles.as_slice());
        self.set("PathForgeProfile.ignored_obstacles", checked, |this, ()| {
            this.obstacles = obstacles;
            this.gather_ignored();
        });
    }
}

impl PathForgeProfile {
    /// The body's size.
    pub fn footprint(&self) -> Footprint {
        self.body.footprint
    }

    fn gather_ignored(&mut self) {
        let ids = self.obstacles.as_slice().iter().filter_map(|&id| convert::obstacle(i64::from(id)));
        self.ignored = IgnoredObstacles::new(ids).unwrap_or_default().on_layers(self.obstacle_layers);
    }

    /// Stores a checked value and says that the resource has changed, or reports what is wrong with it.
    fn set<T, E: std::fmt::Display>(
        &mut self,
        property: &str,
        checked: Result<T, E>,
        store: impl FnOnce(&mut Self, T),
    ) {
        if let Some(value) = reported(property, checked) {
            store(self, value);
            asker::note_change();
            self.base_mut().emit_changed();
        }
    }
}

fn ignored_obstacles(ids: &[i32]) -> Result<(), String> {
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

fn influence_weights(weights: &[f32]) -> Result<InfluenceWeights, String> {
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(format!("influence weight {weight} is not finite"));
    }
    let count = weights.len();
    InfluenceWeights::new(weights)
        .ok_or_else(|| format!("influence_weights has {count} elements, a grid has at most {INFLUENCES_MAX}"))
}

fn terrain_costs(costs: &[f32]) -> Result<TerrainCosts, String> {
    convert::at_most_terrains("terrain_costs", costs.len())?;
    if let Some((id, cost)) = costs.iter().enumerate().find(|(_, cost)| !(cost.is_finite() && **cost >= 0.0))
    {
        return Err(format!("terrain_costs[{id}] {cost} is not a finite number of at least 0"));
    }
    TerrainCosts::new(costs).ok_or_else(|| "terrain_costs are not usable".to_owned())
}
