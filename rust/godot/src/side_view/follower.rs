//! `PathForgePlatformFollower`: which buttons to press to get along a path.

use godot::classes::RefCounted;
use godot::prelude::*;
use pathforge_core::geometry::Cell;
use pathforge_platformer::{BodyPlace, Buttons, FlightPlan, FlightStart, FollowState, Follower, StuckReason};

use crate::answers::path::{PathForgePath, PathFrame};
use crate::answers::trip::Trip;
use crate::engine::errors::{report, reported};
use crate::script::given::given;
use crate::script::properties::class_api;
use crate::side_view::platformer::PathForgePlatformer;

/// Says which buttons a character must press to get along a path of a [PathForgePlatformer].
///
/// Give it a path. In each physics frame give it the character's position, velocity and whether it stands on
/// the floor. Then read [member axis], [member jump], [member drop] and [member climb].
/// It presses by the numbers of the profile: see [member PathForgeJumpProfile.use_physics]. A path of a profile
/// that does not use them is found again by them. When the character ends up beside its path the follower finds
/// another one, and when nothing helps it emits [signal gave_up].
///
/// ```gdscript
/// extends CharacterBody2D
///
/// const GRAVITY := 980.0
/// const JUMP_SPEED := 330.0
/// const RUN_SPEED := 180.0
///
/// var follower := PathForgePlatformFollower.new()
///
/// func go_to(platformer: PathForgePlatformer, goal: Vector2i, profile: PathForgeJumpProfile) -> void:
///     var start := platformer.global_to_cell(global_position, profile)
///     follower.follow(platformer.find_path(start, goal, profile))
///
/// func _physics_process(delta: float) -> void:
///     follower.step(global_position, velocity, is_on_floor(), delta)
///     velocity.x = follower.axis * RUN_SPEED
///     velocity.y += GRAVITY * delta
///     if follower.jump and is_on_floor():
///         velocity.y = -JUMP_SPEED
///     elif not follower.jump and velocity.y < 0.0:
///         velocity.y = 0.0 # A button that is let go ends the jump.
///     if follower.drop and is_on_floor():
///         position.y += 2.0 # Through the one-way platform.
///     move_and_slide()
/// ```
///
/// The profile of this character has [code]jump_cut = 0.0[/code]. A piece of the path has twice the time that
/// it needs, and a second. Then the follower looks for another path, and gives up if that leads over the same
/// piece, too.
#[derive(GodotClass)]
#[class(init, tool, base = RefCounted)]
pub struct PathForgePlatformFollower {
    base: Base<RefCounted>,

    /// The direction to run, from −1 to 1: less than full when full speed would lead too far within one
    /// frame.
    #[var(get, no_set)]
    axis: PhantomVar<f64>,

    /// If [code]true[/code], to press jump. It stays true as long as the jump shall rise.
    #[var(get, no_set)]
    jump: PhantomVar<bool>,

    /// If [code]true[/code], to drop through the one-way platform under the character.
    #[var(get, no_set)]
    drop: PhantomVar<bool>,

    /// The direction to climb, from −1 (up) to 1 (down): less than full where full speed would lead too far within
    /// one frame. While it is not 0 the character holds a ladder, and the script leaves gravity out. A climb down
    /// from a one-way platform begins with [member drop], too.
    ///
    /// ```gdscript
    /// velocity.y += GRAVITY * delta
    /// if follower.climb != 0.0:
    ///     velocity.y = follower.climb * CLIMB_SPEED
    /// elif follower.jump and is_on_floor():
    ///     velocity.y = -JUMP_SPEED
    /// ```
    #[var(get, no_set)]
    climb: PhantomVar<f64>,

    /// How many other paths it looks for when the character ends up beside its path, before it gives up; 0
    /// for none.
    #[export(range = (0.0, 100.0, 1.0, or_greater))]
    #[init(val = 8)]
    max_repaths: i64,

    follower: Follower,
    followed: Option<Followed>,
    buttons: Buttons,
    repaths: i64,
}

/// The reason that is not one of [`StuckReason`].
const STRAYED: i64 = StuckReason::FellOut as i64 + 1;

/// The path that is followed.
struct Followed {
    trip: Trip,
    frame: PathFrame,
    /// The map's top-left cell.
    origin: Cell,
}

/// What a step ends with.
enum End {
    Arrived,
    GaveUp(i64),
}

class_api! {
    impl PathForgePlatformFollower;

    {
        /// Emitted once when the character is at the end of the path.
        #[signal]
        fn arrived();

        /// Emitted once when the follower ends a path early, with one of the `GAVE_UP_*` constants:
        ///
        /// ```gdscript
        /// follower.gave_up.connect(func(reason: int) -> void:
        ///     if reason == PathForgePlatformFollower.GAVE_UP_HELD:
        ///         print("something is in the way"))
        /// ```
        #[signal]
        fn gave_up(reason: i64);
    }

    /// There is no path, it was not complete, or none leads on from where the character stands.
    const GAVE_UP_NO_PATH = StuckReason::NoPath as i64;
    /// The character stayed on the ground with jump pressed.
    const GAVE_UP_NO_TAKE_OFF = StuckReason::NoTakeOff as i64;
    /// The character missed the end of one jump or fall twice: it moves otherwise than its profile says.
    const GAVE_UP_FELL_SHORT = StuckReason::FellShort as i64;
    /// The character took twice the time that a piece of the path needs, and a second.
    const GAVE_UP_HELD = StuckReason::Held as i64;
    /// The character fell out of the map.
    const GAVE_UP_FELL_OUT = StuckReason::FellOut as i64;
    /// The character left its path more than [member max_repaths] times.
    const GAVE_UP_STRAYED = STRAYED;

    /// Returns [code]true[/code] if a path is being followed.
    get is_following() -> bool = |this| this.followed.is_some();
    /// How far the character has come, as an index of [member PathForgePath.cells] of the path, or of the new
    /// one after it looked for another path.
    get get_reached_index() -> i64 = |this| this.follower.progress() as i64;
    get get_axis() -> f64 = |this| this.buttons.axis;
    get get_jump() -> bool = |this| this.buttons.jump;
    get get_drop() -> bool = |this| this.buttons.drop;
    get get_climb() -> f64 = |this| this.buttons.climb;
}

#[godot_api(secondary)]
impl PathForgePlatformFollower {
    /// Follows `path` from now on. A path that is not complete makes the next [method step] give up. `null`
    /// is the same as [method stop].
    #[func]
    fn follow(&mut self, path: Option<Gd<PathForgePath>>) {
        self.stop();
        let Some(path) = path else { return };
        let path = path.bind();
        let Some(trip) = path.trip() else {
            report("PathForgePlatformFollower.follow", "the path is not one of a PathForgePlatformer");
            return;
        };
        let plan = trip.plan.clone().or_else(|| {
            let start = FlightStart::Cell(*trip.path.cells.first()?);
            platformer(trip)?.bind_mut().plan(start, trip.goal, &trip.jumper)
        });
        let origin = plan.as_ref().map_or(Cell::default(), FlightPlan::origin);
        self.followed = Some(Followed { trip: trip.clone(), frame: path.frame(), origin });
        self.follower = Follower::new(plan);
        self.repaths = 0;
    }

    /// Ends following and releases all buttons. No signal is emitted.
    #[func]
    fn stop(&mut self) {
        self.followed = None;
        self.buttons = Buttons::default();
    }

    /// Looks at the character, once in each physics frame, and decides which buttons to press. `position` and
    /// `velocity` are global; the profile says where the body lies around `position`.
    #[func(gd_self)]
    fn step(mut this: Gd<Self>, position: Vector2, velocity: Vector2, on_floor: bool, delta: f64) {
        let end = this.bind_mut().look(position, velocity, on_floor, delta);
        match end {
            Some(End::Arrived) => this.signals().arrived().emit(),
            Some(End::GaveUp(reason)) => this.signals().gave_up().emit(reason),
            None => {}
        }
    }
}

impl PathForgePlatformFollower {
    fn look(&mut self, position: Vector2, velocity: Vector2, on_floor: bool, delta: f64) -> Option<End> {
        let followed = self.followed.as_ref()?;
        let method = "PathForgePlatformFollower.step";
        let body = reported(method, body_place(followed, position, velocity, on_floor))?;
        let delta = reported(method, given("delta", delta).above_zero())?;
        let (buttons, state) = self.follower.step(&body, delta);
        self.buttons = buttons;
        let end = match state {
            FollowState::Going => return None,
            FollowState::Arrived => End::Arrived,
            FollowState::Strayed | FollowState::Stuck(_) => {
                let is_stuck = state != FollowState::Strayed;
                if self.finds_another_path(&body, is_stuck) {
                    return None;
                }
                End::GaveUp(match state {
                    FollowState::Stuck(reason) => reason as i64,
                    _ if self.repaths > self.max_repaths => STRAYED,
                    _ => StuckReason::NoPath as i64,
                })
            }
        };
        self.stop();
        Some(end)
    }

    /// Looks for another path from where the body is.
    fn finds_another_path(&mut self, body: &BodyPlace, is_stuck: bool) -> bool {
        let Some(followed) = &self.followed else { return false };
        self.repaths += 1;
        let Followed { trip, .. } = followed;
        if trip.path.cells.is_empty() || self.repaths > self.max_repaths {
            return false;
        }
        let start = FlightStart::Body(*body);
        let plan = platformer(trip).and_then(|mut node| node.bind_mut().plan(start, trip.goal, &trip.jumper));
        let Some(plan) = plan else { return false };
        let origin = plan.origin();
        let is_new = self.follower.set_plan(plan, is_stuck);
        if let Some(followed) = self.followed.as_mut().filter(|_| is_new) {
            followed.origin = origin;
        }
        is_new
    }
}

/// The node that found a path, if it is still there.
fn platformer(trip: &Trip) -> Option<Gd<PathForgePlatformer>> {
    Gd::try_from_instance_id(trip.platformer).ok()
}

/// The body in px of the map.
fn body_place(
    Followed { trip, frame, origin }: &Followed,
    position: Vector2,
    velocity: Vector2,
    on_floor: bool,
) -> Result<BodyPlace, String> {
    if !position.is_finite() || !velocity.is_finite() {
        return Err(format!("position {position} or velocity {velocity} is not finite"));
    }
    if frame.to_global.determinant() == 0.0 {
        return Err("the grid is scaled to nothing".to_owned());
    }
    let to_local = frame.to_global.affine_inverse();
    let (x, y) = frame.geometry.cell_space_of(to_local * position + trip.jumper.cells.to_feet);
    let (width, height) = (f64::from(frame.geometry.cell_size.x), f64::from(frame.geometry.cell_size.y));
    let speed = to_local.basis_xform(velocity);
    Ok(BodyPlace {
        x: (x - f64::from(origin.x)) * width,
        y: (y - f64::from(origin.y)) * height,
        vx: f64::from(speed.x),
        vy: f64::from(speed.y),
        on_floor,
    })
}
