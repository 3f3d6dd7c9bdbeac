//! `PathForgeJumpProfile`: how a character jumps, as a resource.

use godot::classes::Resource;
use godot::prelude::*;
use pathforge_core::cost::STRAIGHT;
use pathforge_core::geometry::{Cell, Footprint};
use pathforge_core::platformer::{
    AIR_LIMIT_MAX, BodyPhysics, JUMP_HEIGHT_MAX, JumpProfile, JumpProfileError, PlatformerQuery,
};

use crate::convert;
use crate::errors::{report, reported};
use crate::resource_arg::ResourceArg;

/// What a property of cost may be at most, in cells.
const COST_MAX: f64 = 100.0;

/// How a character of a [PathForgePlatformer] jumps: its size in cells, how high and how far it gets, and what that
/// costs it besides the steps.
///
/// Say the jump in cells, or let it be computed from the numbers that the character's script moves by.
///
/// ```gdscript
/// var profile := PathForgeJumpProfile.new()
/// profile.footprint = Vector2i(3, 2)
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

    /// Width and height of the character in cells, 1 to 64 each; it is anchored at its top-left cell. Make its collision shape a little smaller than that,
    /// by two pixels or so, or it will rub against walls.
    #[export]
    #[var(get = get_footprint, set = set_footprint, hint = RANGE, hint_string = "1,64,1,suffix:cells")]
    footprint: PhantomVar<Vector2i>,

    /// How many cells a jump rises, 0 to 64. Not used with [member use_physics].
    #[export]
    #[export_group(name = "Jump")]
    #[var(
        get = get_max_jump_height_cells,
        set = set_max_jump_height_cells,
        hint = RANGE,
        hint_string = "0,64,1,suffix:cells"
    )]
    max_jump_height_cells: PhantomVar<i64>,

    /// The most cells that the character moves sideways through the air, from one ground to the next, up to 4095; 0 for
    /// no limit but the jump's own. Not used with [member use_physics].
    #[export]
    #[var(get = get_max_air_run_cells, set = set_max_air_run_cells, hint = RANGE, hint_string = "0,4095,1,suffix:cells")]
    max_air_run_cells: PhantomVar<i64>,

    /// The most cells that the character falls at once, up to 4095; 0 for no limit.
    #[export]
    #[var(get = get_max_fall_cells, set = set_max_fall_cells, hint = RANGE, hint_string = "0,4095,1,suffix:cells")]
    max_fall_cells: PhantomVar<i64>,

    /// How much of its jump a character has used up that starts in the air: −1 all of it, so that it can only fall; 0
    /// nothing; each cell risen counts 2.
    #[export]
    #[var(get = get_air_start_value, set = set_air_start_value, hint = RANGE, hint_string = "-1,128,1")]
    air_start_value: PhantomVar<i64>,

    /// If [code]true[/code], a goal in the air becomes the ground below it. Otherwise the character jumps or falls
    /// through the goal.
    #[export]
    #[var(get = get_goal_on_ground, set = set_goal_on_ground)]
    goal_on_ground: PhantomVar<bool>,

    /// If [code]true[/code], the jump is computed from [member gravity], [member jump_speed] and [member run_speed],
    /// for cells of the grid's size. Such a character takes off from the ground; otherwise it may do so one cell
    /// beyond an edge.
    #[export]
    #[export_group(name = "Physics")]
    #[var(get = get_use_physics, set = set_use_physics)]
    use_physics: PhantomVar<bool>,

    /// Downward acceleration in pixels per second squared, above 0.
    #[export]
    #[var(
        get = get_gravity,
        set = set_gravity,
        hint = RANGE,
        hint_string = "1,10000,0.1,or_greater,suffix:px/s²"
    )]
    gravity: PhantomVar<f64>,

    /// Upward speed at take-off in pixels a second, above 0.
    #[export]
    #[var(
        get = get_jump_speed,
        set = set_jump_speed,
        hint = RANGE,
        hint_string = "1,5000,0.1,or_greater,suffix:px/s"
    )]
    jump_speed: PhantomVar<f64>,

    /// Sideways speed on ground and in the air in pixels a second, above 0.
    #[export]
    #[var(
        get = get_run_speed,
        set = set_run_speed,
        hint = RANGE,
        hint_string = "1,5000,0.1,or_greater,suffix:px/s"
    )]
    run_speed: PhantomVar<f64>,

    /// The cost of each take-off, in cells of a path, 0 to 100. With a higher cost, longer walks are preferred to jumps.
    #[export]
    #[export_group(name = "Costs")]
    #[var(get = get_jump_cost, set = set_jump_cost, hint = RANGE, hint_string = "0,100,0.01")]
    jump_cost: PhantomVar<f64>,

    /// What each step through the air costs beside its length, in cells of a path, 0 to 100.
    #[export]
    #[var(get = get_air_cost, set = set_air_cost, hint = RANGE, hint_string = "0,100,0.01")]
    air_cost: PhantomVar<f64>,

    /// What each step down through the air costs on top of that, in cells of a path, 0 to 100.
    #[export]
    #[var(get = get_fall_cost, set = set_fall_cost, hint = RANGE, hint_string = "0,100,0.01")]
    fall_cost: PhantomVar<f64>,

    /// The most states that one search may expand, 0 for no limit. A search that meets the limit gives up with
    /// [constant PathForgePath.STATUS_LIMIT].
    #[export]
    #[export_group(name = "Search")]
    #[var(
        get = get_max_expansions,
        set = set_max_expansions,
        hint = RANGE,
        hint_string = "0,100000,1,or_greater,suffix:nodes"
    )]
    max_expansions: PhantomVar<i64>,

    jump: JumpProfile,
    on_ground: bool,
    expansions: u32,
    from_physics: bool,
    #[init(val = BodyPhysics { gravity: 980.0, jump_speed: 330.0, run_speed: 180.0, cell_size: 16.0 })]
    physics: BodyPhysics,
}

/// The size of a character; one cell without a profile.
pub fn footprint_of(profile: &ResourceArg<PathForgeJumpProfile>) -> Footprint {
    profile.0.as_ref().map_or(Footprint::ONE, |profile| profile.clone().bind_mut().jump.footprint)
}

/// What a query takes from a profile.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jumper {
    /// The character.
    pub profile: JumpProfile,
    /// `true` if a goal in the air becomes the ground below it.
    pub goal_on_ground: bool,
    /// Most expansions; `u32::MAX` is no limit.
    pub expansions_max: u32,
    /// Speed and gravity in pixels and seconds; 0 where they are not known.
    pub run_speed_px: f64,
    /// See above.
    pub gravity_px: f64,
}

impl Jumper {
    /// What a query on cells of `cell_size` takes from a profile, or from the want of one.
    pub fn of(
        profile: &ResourceArg<PathForgeJumpProfile>,
        cell_size: Vector2,
    ) -> Result<Self, JumpProfileError> {
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
            run_speed_px: 0.0,
            gravity_px: 0.0,
        }
    }
}

#[godot_api]
impl PathForgeJumpProfile {
    /// How many cells a jump rises on a map with cells of `cell_size` pixels: [member max_jump_height_cells], or what the
    /// physics give. 0 and an error when those make no sense.
    #[func]
    fn get_jump_height(&self, cell_size: Vector2) -> i64 {
        let jumper = reported("PathForgeJumpProfile.get_jump_height", self.jumper(cell_size));
        jumper.map_or(0, |jumper| i64::from(jumper.profile.max_jump_height))
    }

    /// How many cells the character gets sideways through the air on a map with cells of `cell_size` pixels, 0 when
    /// only the jump's height is a limit: [member max_air_run_cells], or what the physics give. 0 and an error when those
    /// make no sense.
    #[func]
    fn get_air_run(&self, cell_size: Vector2) -> i64 {
        let jumper = reported("PathForgeJumpProfile.get_air_run", self.jumper(cell_size));
        jumper.map_or(0, |jumper| i64::from(jumper.profile.max_air_run))
    }

    #[func]
    fn get_footprint(&self) -> Vector2i {
        Vector2i::new(self.jump.footprint.w(), self.jump.footprint.h())
    }

    #[func]
    fn set_footprint(&mut self, footprint: Vector2i) {
        self.set("PathForgeJumpProfile.footprint", convert::footprint(footprint), |this, footprint| {
            this.jump.footprint = footprint;
        });
    }

    #[func]
    fn get_max_jump_height_cells(&self) -> i64 {
        i64::from(self.jump.max_jump_height)
    }

    #[func]
    fn set_max_jump_height_cells(&mut self, height: i64) {
        let checked = convert::choice("max_jump_height_cells", height, 0..=i64::from(JUMP_HEIGHT_MAX));
        self.set("PathForgeJumpProfile.max_jump_height_cells", checked, |this, height| {
            this.jump.max_jump_height = height as u32;
        });
    }

    #[func]
    fn get_max_air_run_cells(&self) -> i64 {
        i64::from(self.jump.max_air_run)
    }

    #[func]
    fn set_max_air_run_cells(&mut self, run: i64) {
        let checked = convert::choice("max_air_run_cells", run, 0..=i64::from(AIR_LIMIT_MAX));
        self.set("PathForgeJumpProfile.max_air_run_cells", checked, |this, run| {
            this.jump.max_air_run = run as u32;
        });
    }

    #[func]
    fn get_max_fall_cells(&self) -> i64 {
        i64::from(self.jump.max_fall)
    }

    #[func]
    fn set_max_fall_cells(&mut self, fall: i64) {
        let checked = convert::choice("max_fall_cells", fall, 0..=i64::from(AIR_LIMIT_MAX));
        self.set("PathForgeJumpProfile.max_fall_cells", checked, |this, fall| {
            this.jump.max_fall = fall as u32;
        });
    }

    #[func]
    fn get_air_start_value(&self) -> i64 {
        self.jump.air_start_value.map_or(-1, i64::from)
    }

    #[func]
    fn set_air_start_value(&mut self, value: i64) {
        let checked = convert::choice("air_start_value", value, -1..=2 * i64::from(JUMP_HEIGHT_MAX));
        self.set("PathForgeJumpProfile.air_start_value", checked, |this, value| {
            this.jump.air_start_value = u32::try_from(value).ok();
        });
    }

    #[func]
    fn get_goal_on_ground(&self) -> bool {
        self.on_ground
    }

    #[func]
    fn set_goal_on_ground(&mut self, on_ground: bool) {
        self.set("PathForgeJumpProfile.goal_on_ground", Ok::<_, String>(on_ground), |this, value| {
            this.on_ground = value;
        });
    }

    #[func]
    fn get_use_physics(&self) -> bool {
        self.from_physics
    }

    #[func]
    fn set_use_physics(&mut self, from_physics: bool) {
        self.set("PathForgeJumpProfile.use_physics", Ok::<_, String>(from_physics), |this, value| {
            this.from_physics = value;
        });
    }

    #[func]
    fn get_gravity(&self) -> f64 {
        self.physics.gravity
    }

    #[func]
    fn set_gravity(&mut self, gravity: f64) {
        let checked = measure("gravity", gravity);
        self.set("PathForgeJumpProfile.gravity", checked, |this, gravity| this.physics.gravity = gravity);
    }

    #[func]
    fn get_jump_speed(&self) -> f64 {
        self.physics.jump_speed
    }

    #[func]
    fn set_jump_speed(&mut self, speed: f64) {
        let checked = measure("jump_speed", speed);
        self.set("PathForgeJumpProfile.jump_speed", checked, |this, speed| this.physics.jump_speed = speed);
    }

    #[func]
    fn get_run_speed(&self) -> f64 {
        self.physics.run_speed
    }

    #[func]
    fn set_run_speed(&mut self, speed: f64) {
        let checked = measure("run_speed", speed);
        self.set("PathForgeJumpProfile.run_speed", checked, |this, speed| this.physics.run_speed = speed);
    }

    #[func]
    fn get_jump_cost(&self) -> f64 {
        cells(self.jump.jump_cost)
    }

    #[func]
    fn set_jump_cost(&mut self, cost: f64) {
        let checked = units("jump_cost", cost);
        self.set("PathForgeJumpProfile.jump_cost", checked, |this, cost| this.jump.jump_cost = cost);
    }

    #[func]
    fn get_air_cost(&self) -> f64 {
        cells(self.jump.air_cost)
    }

    #[func]
    fn set_air_cost(&mut self, cost: f64) {
        let checked = units("air_cost", cost);
        self.set("PathForgeJumpProfile.air_cost", checked, |this, cost| this.jump.air_cost = cost);
    }

    #[func]
    fn get_fall_cost(&self) -> f64 {
        cells(self.jump.fall_cost)
    }

    #[func]
    fn set_fall_cost(&mut self, cost: f64) {
        let checked = units("fall_cost", cost);
        self.set("PathForgeJumpProfile.fall_cost", checked, |this, cost| this.jump.fall_cost = cost);
    }

    #[func]
    fn get_max_expansions(&self) -> i64 {
        i64::from(self.expansions)
    }

    #[func]
    fn set_max_expansions(&mut self, expansions: i64) {
        let checked = convert::choice("max_expansions", expansions, 0..=i64::from(u32::MAX));
        self.set("PathForgeJumpProfile.max_expansions", checked, |this, value| {
            this.expansions = value as u32;
        });
    }
}

impl PathForgeJumpProfile {
    /// What a query on cells of `cell_size` takes from this profile.
    pub fn jumper(&self, cell_size: Vector2) -> Result<Jumper, JumpProfileError> {
        let mut jumper = Jumper {
            profile: self.jump,
            goal_on_ground: self.on_ground,
            expansions_max: if self.expansions == 0 { u32::MAX } else { self.expansions },
            ..Jumper::without_profile()
        };
        if self.from_physics {
            let (across, up) = (f64::from(cell_size.x), f64::from(cell_size.y));
            // The core's cells are square: sideways, pixels are counted in heights of a cell.
            let run_speed = self.physics.run_speed * up / across;
            let physics = BodyPhysics { run_speed, cell_size: up, ..self.physics };
            let computed = JumpProfile::from_physics(Footprint::ONE, &physics)?;
            jumper.profile.max_jump_height = computed.max_jump_height;
            jumper.profile.max_air_run = computed.max_air_run.min(AIR_LIMIT_MAX);
            jumper.profile.drift_rows = computed.drift_rows;
            jumper.profile.late_take_off = computed.late_take_off;
            jumper.profile.tight_falls = computed.tight_falls;
            jumper.run_speed_px = self.physics.run_speed;
            jumper.gravity_px = self.physics.gravity;
        }
        Ok(jumper)
    }

    /// Stores a checked value and says that the resource has changed, or reports what is wrong with it.
    fn set<T, E: std::fmt::Display>(
        &mut self,
        property: &str,
        checked: Result<T, E>,
        store: impl FnOnce(&mut Self, T),
    ) {
        match checked {
            Ok(value) => {
                store(self, value);
                self.base_mut().emit_changed();
            }
            Err(problem) => report(property, problem),
        }
    }
}

fn measure(name: &str, given: f64) -> Result<f64, String> {
    let sound = given.is_finite() && given > 0.0;
    if sound { Ok(given) } else { Err(format!("{name} {given} is not a finite number above 0")) }
}

/// A cost in the core's units.
fn units(name: &str, cost: f64) -> Result<u32, String> {
    if (0.0..=COST_MAX).contains(&cost) {
        Ok((cost * f64::from(STRAIGHT)).round() as u32)
    } else {
        Err(format!("{name} {cost} is not within 0 and {COST_MAX}"))
    }
}

fn cells(units: u32) -> f64 {
    f64::from(units) / f64::from(STRAIGHT)
}
