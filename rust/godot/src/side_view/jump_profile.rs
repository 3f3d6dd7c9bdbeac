//! `PathForgeJumpProfile`: how a character jumps, as a resource.

use godot::classes::{CollisionShape2D, Engine, Resource};
use godot::prelude::*;
use pathforge_core::cost::STRAIGHT;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::terrain::Capability;
use pathforge_platformer::motion::{FlightCosts, Motion};
use pathforge_platformer::{
    AIR_LIMIT_MAX, Character, FlightQuery, FlightStart, JUMP_HEIGHT_MAX, JumpProfile, JumpProfileError,
    PlatformerQuery,
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
/// A character of a turn-based game has its size and its jump in cells. A character with physics has the size of
/// its collision shape and the numbers that its script moves by. Its paths are what those numbers can do, frame
/// by frame, and a [PathForgePlatformFollower] presses the buttons.
///
/// ```gdscript
/// var profile := PathForgeJumpProfile.new()
/// profile.set_body($CollisionShape2D) # A child of the CharacterBody2D.
/// profile.use_physics = true
/// profile.gravity = 980.0
/// profile.jump_speed = 330.0 # The script sets velocity.y = -330.0 to jump,
/// profile.run_speed = 180.0 # and velocity.x = ±180.0 to run.
/// print(profile.get_jump_height(grid.cell_size)) # 3.47 cells of 16 px.
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
    /// and can only fall; 0 is nothing; each cell risen counts 2. Not used with [member use_physics]: such a
    /// character falls.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "-1,128,1")]
    air_start_value: PhantomVar<i64>,

    /// If [code]true[/code], a goal in the air becomes the ground below it. Otherwise the character jumps or
    /// falls through the goal. With [member use_physics] it always becomes the ground below.
    #[export]
    #[var(set)]
    goal_on_ground: bool,

    /// If [code]true[/code], the character moves by the numbers below, in frames of
    /// `Engine.physics_ticks_per_second`. Its paths are what its body can fly by them. They keep clear of corners by
    /// a twentieth of a cell, and by one pixel at most.
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
    /// for at once.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,20000,0.1,or_greater,suffix:px/s²")]
    acceleration: f64,

    /// The same in the air; 0 for the same as on ground.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,20000,0.1,or_greater,suffix:px/s²")]
    air_acceleration: f64,

    /// How fast the character slows down on ground while neither left nor right is pressed, in pixels per second
    /// squared; 0 for its [member acceleration].
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,20000,0.1,or_greater,suffix:px/s²")]
    friction: f64,

    /// Downward acceleration while the character falls, in pixels per second squared; 0 for its [member
    /// gravity].
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,10000,0.1,or_greater,suffix:px/s²")]
    fall_gravity: f64,

    /// The highest speed of a fall, in pixels a second; 0 for none.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,5000,0.1,or_greater,suffix:px/s")]
    max_fall_speed: f64,

    /// What is left of the upward speed when the jump button is let go, 0 to 1. With 1 all jumps are whole.
    #[export]
    #[var(set, hint = RANGE, hint_string = "0,1,0.01")]
    #[init(val = 1.0)]
    jump_cut: f64,

    /// If [code]true[/code], a jump's first frame moves at the whole [member jump_speed]: the script adds gravity
    /// and then sets the jump's speed. Otherwise it adds gravity to it in the same frame.
    #[export]
    #[var(set)]
    #[init(val = true)]
    full_first_step: bool,

    /// Speed up and down ladders and ropes in pixels a second; 0 if the character does not climb. See
    /// [member climb_terrain_mask].
    #[export]
    #[export_group(name = "Climbing", prefix = "climb_")]
    #[var(set, hint = RANGE, hint_string = "0,5000,0.1,or_greater,suffix:px/s")]
    climb_speed: f64,

    /// The terrains that are ladders and ropes to a character with a [member climb_speed], as bit flags: bit n
    /// stands for terrain id n. It climbs straight up and down in a column of such cells, from ground in the
    /// column or right beside it. One-way cells do not stop it. Used only with [member use_physics].
    ///
    /// ```gdscript
    /// grid.fill_terrain_region(Rect2i(12, 3, 1, 8), LADDER)
    /// profile.climb_terrain_mask = 1 << LADDER
    /// ```
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31")]
    climb_terrain_mask: PhantomVar<i64>,

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
    #[init(val = Capability(0))]
    ladders: Capability,
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
        let Some(profile) = &profile.0 else {
            // With the physics that a new profile has.
            return PathForgeJumpProfile::new_gd().bind().jumper(cell_size);
        };
        jumper(profile)
    }

    /// How many cells a jump rises.
    pub fn jump_rise(&self) -> f64 {
        self.flies().map_or(f64::from(self.profile.max_jump_height), Character::jump_rise)
    }

    /// How many cells a jump carries sideways until it is back at its height; 0 if nothing limits it but its
    /// height.
    pub fn jump_run(&self) -> f64 {
        self.flies().map_or(f64::from(self.profile.max_air_run), Character::jump_run)
    }

    /// The character, if its paths are found by its physics.
    pub fn flies(&self) -> Option<&Character> {
        self.character.as_ref().filter(|_| self.uses_physics)
    }

    /// The query for a path by physics.
    pub fn flight_query(&self, start: FlightStart, goal: Cell) -> Option<FlightQuery> {
        let expansions_max = self.expansions_max;
        self.character.map(|character| FlightQuery { start, goal, character, expansions_max })
    }

    /// The query for a path of this character on cells.
    pub const fn query(&self, start: Cell, goal: Cell) -> PlatformerQuery {
        let Self { profile, goal_on_ground, expansions_max, .. } = *self;
        PlatformerQuery { start, goal, profile, goal_on_ground, expansions_max }
    }

    /// The default of queries without a profile: one cell, three cells high, no limits.
    pub fn without_profile() -> Self {
        Self {
            profile: JumpProfile::default(),
            character: None,
            uses_physics: false,
            goal_on_ground: false,
            expansions_max: u32::MAX,
            cells: BodyCells::of_footprint(Footprint::ONE),
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

    set set_air_acceleration(air_acceleration: f64) = |this| {
        this.air_acceleration = air_acceleration.named().at_least_zero()?;
    };

    set set_friction(friction: f64) = |this| this.friction = friction.named().at_least_zero()?;

    set set_fall_gravity(fall_gravity: f64) = |this| {
        this.fall_gravity = fall_gravity.named().at_least_zero()?;
    };

    set set_max_fall_speed(max_fall_speed: f64) = |this| {
        this.max_fall_speed = max_fall_speed.named().at_least_zero()?;
    };

    set set_climb_speed(climb_speed: f64) = |this| {
        this.climb_speed = climb_speed.named().at_least_zero()?;
    };

    get get_climb_terrain_mask() -> i64 = |this| i64::from(this.ladders.0);
    set set_climb_terrain_mask(climb_terrain_mask: i64) = |this| {
        this.ladders = Capability(climb_terrain_mask.named().flags()?);
    };

    set set_jump_cut(jump_cut: f64) = |this| this.jump_cut = jump_cut.named().within(0.0..=1.0)?;

    set set_full_first_step(full_first_step: bool) = |this| {
        this.full_first_step = full_first_step.value;
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
    /// or turned by quarter turns. The character's own scale counts. Returns [code]true[/code] if it could; after
    /// an error nothing has changed.
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
    fn get_jump_height(&self, cell_size: Vector2) -> f64 {
        let jumper = reported("PathForgeJumpProfile.get_jump_height", self.jumper(cell_size));
        jumper.map_or(0.0, |jumper| jumper.jump_rise())
    }

    /// Returns how many cells a jump carries sideways until it is back at its height, on a map with cells of
    /// `cell_size` pixels: [member max_air_run_cells], or what the physics give. 0 and an error when those make no
    /// sense.
    #[func]
    fn get_air_run(&self, cell_size: Vector2) -> f64 {
        let jumper = reported("PathForgeJumpProfile.get_air_run", self.jumper(cell_size));
        jumper.map_or(0.0, |jumper| jumper.jump_run())
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
        let character = {
            let JumpProfile { jump_cost: jump, air_cost: air, fall_cost: fall, max_fall, .. } = self.jump;
            Character {
                body: self.body.shape(self.jump.footprint, cell_size),
                motion: self.motion(),
                costs: FlightCosts { jump, air, fall, max_fall },
                cell: (f64::from(cell_size.x), f64::from(cell_size.y)),
                climb_mask: self.ladders.0,
            }
        };
        jumper.uses_physics = self.use_physics;
        jumper.character = match character.check() {
            Err(error) if self.use_physics => return Err(error),
            checked => checked.is_ok().then_some(character),
        };
        Ok(jumper)
    }

    fn motion(&self) -> Motion {
        let ticks = Engine::singleton().get_physics_ticks_per_second();
        Motion {
            run_speed: self.run_speed,
            acceleration: self.acceleration,
            air_acceleration: self.air_acceleration,
            friction: self.friction,
            gravity: self.gravity,
            gravity_down: self.fall_gravity,
            terminal_speed: self.max_fall_speed,
            jump_speed: self.jump_speed,
            climb_speed: self.climb_speed,
            jump_cut: self.jump_cut,
            full_first_step: self.full_first_step,
            tick: 1.0 / f64::from(ticks.max(1)),
        }
    }
}

/// A cost in the core's units.
fn units(cost: Given<f64>) -> Result<u32, String> {
    Ok((cost.within(0.0..=COST_MAX)? * f64::from(STRAIGHT)).round() as u32)
}

fn cells(units: u32) -> f64 {
    f64::from(units) / f64::from(STRAIGHT)
}
