//! `PathForgeJumpProfile`: how a character jumps, as a resource.

use godot::classes::{CollisionShape2D, Resource};
use godot::prelude::*;
use pathforge_core::cost::STRAIGHT;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_platformer::{
    AIR_LIMIT_MAX, BodyPhysics, JUMP_HEIGHT_MAX, JumpProfile, JumpProfileError, PlatformerQuery,
};

use crate::answers::trip::{BodyCells, Jumper};
use crate::engine::after_call;
use crate::engine::errors::reported;
use crate::script::convert;
use crate::script::given::Given;
use crate::script::node_arg::NodeArg;
use crate::script::optional_arg::ResourceArg;
use crate::script::profile::{EXPANSIONS, expansions_max};
use crate::script::properties::class_api;
use crate::side_view::body::Body;

/// What a property of cost may be at most, in cells.
const COST_MAX: f64 = 100.0;

/// How a character of a [PathForgePlatformer] jumps: its size, how high and how far it gets, and what that
/// costs it besides the steps.
///
/// Say its size and its jump in cells. Or take the size from its collision shape, and let the jump be
/// computed from the numbers that its script moves by.
///
/// ```gdscript
/// var profile := PathForgeJumpProfile.new()
/// profile.set_body($CollisionShape2D) # A child of the CharacterBody2D.
/// profile.use_physics = true
/// profile.gravity = 980.0
/// profile.jump_speed = 330.0 # The script sets velocity.y = -330.0 to jump,
/// profile.run_speed = 180.0 # and velocity.x = ±180.0 to run.
/// print(profile.get_jump_height(grid.cell_size)) # 3 cells of 16 px.
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Resource)]
pub struct PathForgeJumpProfile {
    base: Base<Resource>,

    /// Width and height of the character in cells, 1 to 64 each; it is anchored at its top-left cell. With
    /// a [member body_size] it is not used: the character takes as few cells as its body fits in.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// Width and height of the character's collision shape, in pixels of the grid, above 0. Zero stands for
    /// the [member footprint], two pixels smaller on each axis, around the character's position. See [method
    /// set_body].
    #[export]
    #[export_group(name = "Body", prefix = "body_")]
    #[var(get, set, hint = NONE, hint_string = "suffix:px")]
    body_size: PhantomVar<Vector2>,

    /// From the character's position to the centre of its collision shape, in pixels: half the height upwards
    /// for a character whose position is at its feet.
    #[export]
    #[var(get, set, hint = NONE, hint_string = "suffix:px")]
    body_offset: PhantomVar<Vector2>,

    /// If [code]true[/code], the shape's lower end is round, as of a capsule. Such a body slides off an edge
    /// before its middle is a whole radius beyond it.
    #[export]
    #[var(get, set)]
    body_is_round: PhantomVar<bool>,

    /// How many cells a jump rises, 0 to 64. Not used with [member use_physics].
    #[export]
    #[export_group(name = "Jump")]
    #[var(get, set, hint = RANGE, hint_string = "0,64,1,suffix:cells")]
    max_jump_height_cells: PhantomVar<i64>,

    /// The most cells that the character moves sideways through the air, from one ground to the next, up to
    /// 4095; 0 for no limit but the jump's own. Not used with [member use_physics].
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,4095,1,suffix:cells")]
    max_air_run_cells: PhantomVar<i64>,

    /// The most cells that the character falls at once, up to 4095; 0 for no limit.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,4095,1,suffix:cells")]
    max_fall_cells: PhantomVar<i64>,

    /// How much of its jump a character that starts in the air has used up. With −1 it has used up all of it
    /// and can only fall; 0 is nothing; each cell risen counts 2.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "-1,128,1")]
    air_start_value: PhantomVar<i64>,

    /// If [code]true[/code], a goal in the air becomes the ground below it. Otherwise the character jumps or
    /// falls through the goal.
    #[export]
    #[var(set)]
    goal_on_ground: bool,

    /// If [code]true[/code], the jump is computed from [member gravity], [member jump_speed] and [member
    /// run_speed], for cells of the grid's size. Such a character takes off from the ground; otherwise it may
    /// do so one cell beyond an edge.
    #[export]
    #[export_group(name = "Physics")]
    #[var(set)]
    use_physics: bool,

    /// Downward acceleration in pixels per second squared, above 0.
    #[export]
    #[var(set, hint = RANGE, hint_string = "1,10000,0.1,or_greater,suffix:px/s²")]
    #[init(val = 980.0)]
    gravity: f64,

    /// Upward speed at take-off in pixels a second, above 0.
    #[export]
    #[var(set, hint = RANGE, hint_string = "1,5000,0.1,or_greater,suffix:px/s")]
    #[init(val = 330.0)]
    jump_speed: f64,

    /// Sideways speed on ground and in the air in pixels a second, above 0.
    #[export]
    #[var(set, hint = RANGE, hint_string = "1,5000,0.1,or_greater,suffix:px/s")]
    #[init(val = 180.0)]
    run_speed: f64,

    /// How fast the character comes to its [member run_speed] and to a stop, in pixels per second squared; 0
    /// for at once. With it a [PathForgePlatformFollower] slows down in time.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,20000,0.1,or_greater,suffix:px/s²")]
    acceleration: f64,

    /// The cost of each take-off, in cells of a path, 0 to 100. With a higher cost, longer walks are
    /// preferred to jumps.
    #[export]
    #[export_group(name = "Costs")]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.01")]
    jump_cost: PhantomVar<f64>,

    /// What each step through the air costs beside its length, in cells of a path, 0 to 100.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.01")]
    air_cost: PhantomVar<f64>,

    /// What each step down through the air costs on top of that, in cells of a path, 0 to 100.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,100,0.01")]
    fall_cost: PhantomVar<f64>,

    /// The most states that one search may expand, 0 for no limit. A search that meets the limit gives up
    /// with [constant PathForgePath.STATUS_LIMIT].
    #[export]
    #[export_group(name = "Search")]
    #[var(set, hint = RANGE, hint_string = "0,100000,1,or_greater,suffix:nodes")]
    max_expansions: i64,

    jump: JumpProfile,
    body: Body,
}

/// A jump profile as an argument; none is the default of queries.
pub type JumperArg = ResourceArg<PathForgeJumpProfile>;

/// The cells of a character; one cell without a profile, and the footprint's if the body is too large.
pub fn cells_of(profile: &JumperArg, cell_size: Vector2) -> BodyCells {
    let cells = |profile: &Gd<PathForgeJumpProfile>| profile.clone().bind_mut().body_cells(cell_size);
    profile.0.as_ref().map_or_else(|| BodyCells::of_footprint(Footprint::ONE), cells)
}

impl Jumper {
    /// What a query on cells of `cell_size` takes from a profile, or from the want of one.
    pub fn of(profile: &JumperArg, cell_size: Vector2) -> Result<Self, JumpProfileError> {
        // Exclusively, as other threads may ask: see `grid`.
        let jumper = |profile: &Gd<PathForgeJumpProfile>| profile.clone().bind_mut().jumper(cell_size);
        profile.0.as_ref().map_or_else(|| Ok(Self::without_profile()), jumper)
    }

    /// The query for a path of this character.
    pub const fn query(&self, start: Cell, goal: Cell) -> PlatformerQuery {
        let Self { profile, goal_on_ground, expansions_max, .. } = *self;
        PlatformerQuery { start, goal, profile, goal_on_ground, expansions_max }
    }

    /// The default of queries without a profile: one cell, three cells high, no limits.
    pub fn without_profile() -> Self {
        Self {
            profile: JumpProfile::default(),
            goal_on_ground: false,
            expansions_max: u32::MAX,
            carries_cells: 0.0,
            cells: BodyCells::of_footprint(Footprint::ONE),
            run_speed_px: 0.0,
            gravity_px: 0.0,
            acceleration_px: 0.0,
        }
    }
}

class_api! {
    impl PathForgeJumpProfile then |this| after_call::emit_changed(this.base().instance_id());

    get get_footprint() -> Vector2i = |this| convert::size(this.jump.footprint);
    set set_footprint(footprint: Vector2i) = |this| {
        this.jump.footprint = convert::footprint(footprint.value)?;
    };

    get get_body_size() -> Vector2 = |this| this.body.size;
    set set_body_size(body_size: Vector2) = |this| {
        let is_size = |size: &Vector2| {
            *size == Vector2::ZERO || size.is_finite() && size.x > 0.0 && size.y > 0.0
        };
        this.body.size = body_size.named().read("above 0 on both axes, or zero", |size| is_size(size).then_some(*size))?;
    };

    get get_body_offset() -> Vector2 = |this| this.body.offset;
    set set_body_offset(body_offset: Vector2) = |this| this.body.offset = body_offset.named().finite()?;

    get get_body_is_round() -> bool = |this| this.body.is_round;
    set set_body_is_round(body_is_round: bool) = |this| this.body.is_round = body_is_round.value;

    get get_max_jump_height_cells() -> i64 = |this| i64::from(this.jump.max_jump_height);
    set set_max_jump_height_cells(max_jump_height_cells: i64) = |this| {
        let height = max_jump_height_cells.named();
        this.jump.max_jump_height = height.within_u32(0..=JUMP_HEIGHT_MAX)?;
    };

    get get_max_air_run_cells() -> i64 = |this| i64::from(this.jump.max_air_run);
    set set_max_air_run_cells(max_air_run_cells: i64) = |this| {
        this.jump.max_air_run = max_air_run_cells.named().within_u32(0..=AIR_LIMIT_MAX)?;
    };

    get get_max_fall_cells() -> i64 = |this| i64::from(this.jump.max_fall);
    set set_max_fall_cells(max_fall_cells: i64) = |this| {
        this.jump.max_fall = max_fall_cells.named().within_u32(0..=AIR_LIMIT_MAX)?;
    };

    get get_air_start_value() -> i64 = |this| this.jump.air_start_value.map_or(-1, i64::from);
    set set_air_start_value(air_start_value: i64) = |this| {
        let value = air_start_value.named().within(-1..=2 * i64::from(JUMP_HEIGHT_MAX))?;
        this.jump.air_start_value = u32::try_from(value).ok();
    };

    set set_goal_on_ground(goal_on_ground: bool) = |this| this.goal_on_ground = goal_on_ground.value;
    set set_use_physics(use_physics: bool) = |this| this.use_physics = use_physics.value;
    set set_gravity(gravity: f64) = |this| this.gravity = gravity.named().above_zero()?;
    set set_jump_speed(jump_speed: f64) = |this| this.jump_speed = jump_speed.named().above_zero()?;
    set set_run_speed(run_speed: f64) = |this| this.run_speed = run_speed.named().above_zero()?;

    set set_acceleration(acceleration: f64) = |this| {
        this.acceleration = acceleration.named().at_least_zero()?;
    };

    get get_jump_cost() -> f64 = |this| cells(this.jump.jump_cost);
    set set_jump_cost(jump_cost: f64) = |this| this.jump.jump_cost = units(jump_cost.named())?;

    get get_air_cost() -> f64 = |this| cells(this.jump.air_cost);
    set set_air_cost(air_cost: f64) = |this| this.jump.air_cost = units(air_cost.named())?;

    get get_fall_cost() -> f64 = |this| cells(this.jump.fall_cost);
    set set_fall_cost(fall_cost: f64) = |this| this.jump.fall_cost = units(fall_cost.named())?;

    set set_max_expansions(max_expansions: i64) = |this| {
        this.max_expansions = max_expansions.named().within(EXPANSIONS)?;
    };
}

#[godot_api(secondary)]
impl PathForgeJumpProfile {
    /// Sets [member body_size], [member body_offset] and [member body_is_round] from a collision shape that
    /// is a child of the character. It may be a rectangle, a capsule, a circle or a convex polygon, unrotated
    /// or turned by quarter turns. Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// profile.set_body($CollisionShape2D)
    /// ```
    #[func(gd_self)]
    fn set_body(mut this: Gd<Self>, shape: NodeArg<CollisionShape2D>) -> bool {
        let Some(body) = reported("PathForgeJumpProfile.set_body", Body::of_shape(&shape)) else {
            return false;
        };
        this.bind_mut().body = body;
        after_call::emit_changed(this.instance_id());
        true
    }

    /// How many cells a jump rises on a map with cells of `cell_size` pixels: [member max_jump_height_cells],
    /// or what the physics give. 0 and an error when those make no sense.
    #[func]
    fn get_jump_height(&self, cell_size: Vector2) -> i64 {
        let jumper = reported("PathForgeJumpProfile.get_jump_height", self.jumper(cell_size));
        jumper.map_or(0, |jumper| i64::from(jumper.profile.max_jump_height))
    }

    /// Returns how many cells the character gets sideways through the air, on a map with cells of `cell_size`
    /// pixels: [member max_air_run_cells], or the value of the physics. It is 0 if only the jump's height is
    /// a limit. After an error, when the physics make no sense, it is 0, too.
    #[func]
    fn get_air_run(&self, cell_size: Vector2) -> i64 {
        let jumper = reported("PathForgeJumpProfile.get_air_run", self.jumper(cell_size));
        jumper.map_or(0, |jumper| i64::from(jumper.profile.max_air_run))
    }
}

impl PathForgeJumpProfile {
    /// The body's cells. If it is too large for any, it has the footprint's, after an error.
    fn body_cells(&self, cell_size: Vector2) -> BodyCells {
        let footprint = self.jump.footprint;
        let cells = reported("PathForgeJumpProfile", self.body.cells(footprint, cell_size));
        cells.unwrap_or_else(|| BodyCells::of_footprint(footprint))
    }

    /// What a query on cells of `cell_size` takes from this profile.
    pub fn jumper(&self, cell_size: Vector2) -> Result<Jumper, JumpProfileError> {
        let cells = self.body_cells(cell_size);
        let mut jumper = Jumper {
            profile: JumpProfile { footprint: cells.footprint, ..self.jump },
            cells,
            goal_on_ground: self.goal_on_ground,
            expansions_max: expansions_max(self.max_expansions),
            ..Jumper::without_profile()
        };
        if self.use_physics {
            let (across, up) = (f64::from(cell_size.x), f64::from(cell_size.y));
            // The core's cells are square: sideways, pixels are counted in heights of a cell.
            let run_speed = self.run_speed * up / across;
            let Self { gravity, jump_speed, .. } = *self;
            let physics = BodyPhysics { gravity, jump_speed, run_speed, cell_size: up };
            let computed = JumpProfile::from_physics(Footprint::ONE, &physics)?;
            jumper.profile.max_jump_height = computed.max_jump_height;
            jumper.profile.max_air_run = computed.max_air_run.min(AIR_LIMIT_MAX);
            jumper.profile.drift = computed.drift;
            jumper.profile.late_take_off = computed.late_take_off;
            jumper.profile.tight_falls = computed.tight_falls;
            jumper.carries_cells = physics.jump_run_px() / up;
            jumper.run_speed_px = self.run_speed;
            jumper.gravity_px = self.gravity;
            jumper.acceleration_px = self.acceleration;
        }
        Ok(jumper)
    }
}

/// A cost in the core's units.
fn units(cost: Given<f64>) -> Result<u32, String> {
    Ok((cost.within(0.0..=COST_MAX)? * f64::from(STRAIGHT)).round() as u32)
}

fn cells(units: u32) -> f64 {
    f64::from(units) / f64::from(STRAIGHT)
}
