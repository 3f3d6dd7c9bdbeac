//! `PathForgeProfile`: a kind of body, as a resource.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use godot::classes::{IResource, Resource};
use godot::meta::GodotImmutable;
use godot::meta::error::ConvertError;
use godot::meta::shape::GodotShape;
use godot::prelude::*;
use pathforge_core::{
    Capability, DiagonalMode, Footprint, INFLUENCES_MAX, InfluenceWeights, Profile, SearchMode, TerrainCosts,
};

use crate::convert;
use crate::errors::reported;

/// A kind of body: its size in cells, the terrains that it may enter, what they cost it, and how it moves.
///
/// A profile is a resource: make one for each kind of unit, save it as a `.tres` file and share it. Hand it to
/// [method PathForgeGrid.find_path] and the other queries. Without a profile, a query is for a body of one cell that may
/// enter every terrain.
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
#[class(tool, base = Resource)]
pub struct PathForgeProfile {
    base: Base<Resource>,

    /// Width and height of the body in cells, 1 to 64 each. The body is anchored at its top-left cell: one of 3×2 that
    /// stands at cell `(5, 5)` covers the cells from `(5, 5)` to `(7, 6)`.
    #[export]
    #[var(get = get_footprint, set = set_footprint, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// When the body may step diagonally: −1 as [member PathForgeGrid.diagonal_mode] says, else one of the grid's
    /// `DIAGONAL_MODE_*` constants.
    #[export]
    #[var(
        get = get_diagonal_mode,
        set = set_diagonal_mode,
        hint = ENUM,
        hint_string = "From Grid:-1,Always:0,Never:1,At Least One Walkable:2,Only If No Obstacles:3"
    )]
    diagonal_mode: PhantomVar<i64>,

    /// How paths are searched: [constant SEARCH_AUTO], [constant SEARCH_OPTIMAL] or [constant SEARCH_HIERARCHICAL].
    ///
    /// A search over clusters of the map answers long ways on huge maps, and ways over weights and terrain costs, many
    /// times as fast as a search over cells. Its paths are some parts in a thousand longer than the cheapest; where
    /// steps cost the same everywhere on maps of up to some 1,000 cells a side, the optimal engine is faster.
    ///
    /// ```gdscript
    /// caravan.search_mode = PathForgeProfile.SEARCH_HIERARCHICAL
    /// var path := grid.find_path(market, harbour, caravan)
    /// print(path.engine, " ", path.cost) # "haa", unless the two are neighbours.
    /// ```
    #[export]
    #[var(get = get_search_mode, set = set_search_mode, hint = ENUM, hint_string = "Auto,Optimal,Hierarchical")]
    #[export_group(name = "Search")]
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

    /// What becomes of [member PathForgePath.positions]: [constant SMOOTH_NONE] or [constant SMOOTH_STRING_PULL]. Cells
    /// and cost stay as they are.
    #[export]
    #[var(get = get_smoothing, set = set_smoothing, hint = ENUM, hint_string = "None,String Pull")]
    smoothing: PhantomVar<i64>,

    /// How much each of [member PathForgeGrid.influences] weighs on the body, by their order there; those beyond the end of
    /// the array do not. What a cell costs is its weight times the terrain's cost, plus each influence times its weight here.
    /// A negative weight draws the body to where influence is high; a sum below zero counts as zero, so a step always costs
    /// something and paths stay the cheapest. Finite numbers, at most 8.
    ///
    /// ```gdscript
    /// profile.influence_weights = [0.5] # Half as afraid as danger says.
    /// ```
    #[export]
    #[var(get = get_influence_weights, set = set_influence_weights)]
    #[export_group(name = "Influence")]
    influence_weights: PhantomVar<PackedFloat32Array>,

    /// What the body pays on each terrain, by terrain id: multiplies the weight of the cell. Terrains beyond the end of
    /// the array cost 1. Finite numbers of 0 or more, at most 32.
    ///
    /// ```gdscript
    /// profile.terrain_costs = [1.0, 4.0] # Terrain 1 is four times as slow.
    /// ```
    #[export]
    #[export_group(name = "Terrain")]
    #[var(get = get_terrain_costs, set = set_terrain_costs)]
    terrain_costs: PhantomVar<PackedFloat32Array>,

    /// The terrains that the body may enter, as bit flags: bit n stands for terrain id n. The default is
    /// [constant PathForgeGrid.CAPABILITY_ALL].
    ///
    /// ```gdscript
    /// profile.capability = (1 << LAND) | (1 << ROAD)
    /// ```
    #[export]
    #[var(
        get = get_capability,
        set = set_capability,
        hint = FLAGS,
        hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
    )]
    capability: PhantomVar<i64>,

    /// The obstacle that the body walks through, usually its own, as [method PathForgeGrid.add_obstacle] named it; −1 for
    /// none.
    #[var(get = get_ignored_obstacle, set = set_ignored_obstacle, usage_flags = [STORAGE])]
    ignored_obstacle: PhantomVar<i64>,

    body: Body,
    search: SearchOptions,
    costs: PackedFloat32Array,
    weights_of_influences: PackedFloat32Array,
    obstacle: i64,
}

/// What decides where the body can stand and what it pays.
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

/// How often any profile has changed.
pub fn profile_changes() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// What a query takes from a profile, or from the want of one.
#[derive(Clone, Copy)]
pub struct Asker {
    /// The body.
    pub profile: Profile,
    /// Most expansions; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// How paths are searched.
    pub search_mode: SearchMode,
    /// Whether positions are to run straight where the body can.
    pub smoothing: bool,
}

/// A profile argument that may be left out.
#[derive(Clone, Debug)]
pub struct ProfileArg(Option<Gd<PathForgeProfile>>);

impl ProfileArg {
    /// What a call without the argument means: a body of one cell that may enter every terrain.
    pub const NONE: Self = Self(None);

    /// The profile, if there is one.
    pub fn into_resource(self) -> Option<Gd<PathForgeProfile>> {
        self.0
    }
}

impl From<Option<Gd<PathForgeProfile>>> for ProfileArg {
    fn from(profile: Option<Gd<PathForgeProfile>>) -> Self {
        Self(profile)
    }
}

impl GodotConvert for ProfileArg {
    type Via = Option<Gd<PathForgeProfile>>;

    fn godot_shape() -> GodotShape {
        Self::Via::godot_shape()
    }
}

impl FromGodot for ProfileArg {
    fn try_from_godot(via: Self::Via) -> Result<Self, ConvertError> {
        Ok(Self(via))
    }
}

impl ToGodot for ProfileArg {
    // By value, as numbers are: the binding does not export the name.
    type Pass = <i64 as ToGodot>::Pass;

    fn to_godot(&self) -> Self::Via {
        self.0.clone()
    }
}

// SAFETY: the trait is asked for default values alone, and the only one is `ProfileArg::NONE`, which has nothing in it
// that could be changed or shared. The binding cannot give an object argument a default without this.
unsafe impl GodotImmutable for ProfileArg {}

/// Counts the changes of all profiles.
static CHANGES: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// What this thread asked for last, so that many queries for one kind of body borrow its profile once: a borrow that
    /// other threads may wait for takes a call of the operating system.
    static LATEST: RefCell<Option<(Known, Asker)>> = const { RefCell::new(None) };
}

/// What makes an asker the same as before.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Known {
    id: InstanceId,
    changes: u64,
    mode: DiagonalMode,
}

impl Asker {
    /// The asker that `profile` describes, on a grid that moves by `grid_mode`.
    pub fn of(profile: &ProfileArg, grid_mode: DiagonalMode) -> Self {
        let Some(profile) = &profile.0 else { return Self::nobody(grid_mode) };
        // Ids are never given twice.
        let known = Known {
            id: profile.instance_id_unchecked(),
            changes: CHANGES.load(Ordering::Acquire),
            mode: grid_mode,
        };
        LATEST.with_borrow_mut(|latest| match latest {
            Some((key, asker)) if *key == known => *asker,
            _ => {
                // Exclusively, as other threads may ask: see `grid`.
                let asker = profile.clone().bind_mut().asker(grid_mode);
                *latest = Some((known, asker));
                asker
            }
        })
    }

    fn nobody(grid_mode: DiagonalMode) -> Self {
        Self {
            profile: Profile { diagonal_mode: grid_mode, ..Profile::default() },
            expansions_max: u32::MAX,
            search_mode: SearchMode::Auto,
            smoothing: false,
        }
    }
}

#[godot_api]
impl IResource for PathForgeProfile {
    fn init(base: Base<Resource>) -> Self {
        Self {
            base,
            footprint: PhantomVar::default(),
            diagonal_mode: PhantomVar::default(),
            capability: PhantomVar::default(),
            terrain_costs: PhantomVar::default(),
            search_mode: PhantomVar::default(),
            max_expansions: PhantomVar::default(),
            smoothing: PhantomVar::default(),
            influence_weights: PhantomVar::default(),
            ignored_obstacle: PhantomVar::default(),
            body: Body::default(),
            search: SearchOptions::default(),
            costs: PackedFloat32Array::new(),
            weights_of_influences: PackedFloat32Array::new(),
            obstacle: -1,
        }
    }
}

#[godot_api]
impl PathForgeProfile {
    /// The fastest optimal engine for the map. The default.
    #[constant]
    pub const SEARCH_AUTO: i64 = 0;
    /// Always an optimal path.
    #[constant]
    pub const SEARCH_OPTIMAL: i64 = 1;
    /// Over clusters of the map first (HAA*), then over the cells along the way: fast over long distances, not always
    /// optimal. A path exists exactly when an optimal one does. Start and goal that lie in one cluster of 32×32 cells, or
    /// in neighbouring ones, are searched as with [constant SEARCH_AUTO] first.
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
    fn get_ignored_obstacle(&self) -> i64 {
        self.obstacle
    }

    #[func]
    fn set_ignored_obstacle(&mut self, obstacle: i64) {
        self.set("PathForgeProfile.ignored_obstacle", Ok::<i64, String>(obstacle), |this, value| {
            this.obstacle = value;
        });
    }
}

impl PathForgeProfile {
    /// The body's size.
    pub fn footprint(&self) -> Footprint {
        self.body.footprint
    }

    fn asker(&self, grid_mode: DiagonalMode) -> Asker {
        let Body { footprint, capability, terrain_costs, diagonal_mode, influence_weights } = self.body;
        let diagonal_mode = diagonal_mode.unwrap_or(grid_mode);
        let ignored_obstacle = convert::obstacle(self.obstacle);
        Asker {
            profile: Profile {
                footprint,
                capability,
                terrain_costs,
                diagonal_mode,
                influence_weights,
                ignored_obstacle,
            },
            expansions_max: if self.search.expansions_max == 0 {
                u32::MAX
            } else {
                self.search.expansions_max
            },
            search_mode: match self.search.mode {
                Self::SEARCH_OPTIMAL => SearchMode::Optimal,
                Self::SEARCH_HIERARCHICAL => SearchMode::Hierarchical,
                _ => SearchMode::Auto,
            },
            smoothing: self.search.smoothing == Self::SMOOTH_STRING_PULL,
        }
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
            CHANGES.fetch_add(1, Ordering::Release);
            self.base_mut().emit_changed();
        }
    }
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
