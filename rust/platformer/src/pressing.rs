//! How far to press a direction: to come to a place, in time and with a speed.

use super::flyers::BodyPlace;
use super::motion::{Body, Flight, Motion, TakeOff};

/// The body is at a place if it is so near, in px, or within half a tick's run.
pub(super) const NEAR_PX: f64 = 0.5;
/// How far a body may drop in a tick and still be on the floor, in px: a little less than Godot's floor snap.
const SNAP_PX: f64 = 0.8;

/// Whether a body is so near to a place, `off` px from it, that another frame brings it no nearer.
pub(super) fn is_near(off: f64, motion: &Motion) -> bool {
    // Of two neighbouring frames, one is within half a frame's run.
    off.abs() <= NEAR_PX.max(0.55 * motion.run_speed * motion.tick)
}

/// Whether a body is at the place of the take-off with the speed that the flight begins with.
pub(super) fn is_ready(flight: &Flight, x: f64, body: &BodyPlace, motion: &Motion) -> bool {
    let change = motion.acceleration * motion.tick;
    let is_as_fast = (body.vx - flight.start_speed).abs() <= 1.01 * change.max(0.05 * motion.run_speed);
    let off = body.x - x;
    match flight.kind {
        // In the last tick before it is past the place, where ground may end.
        TakeOff::RunningJump(side) => {
            let side = f64::from(side);
            is_as_fast && off * side <= NEAR_PX && (off + body.vx * motion.tick) * side > NEAR_PX
        }
        _ => is_near(off, motion) && (change == 0.0 || is_as_fast),
    }
}

/// The axis on the ground that leads to a take-off at `x`, with the speed that it begins with.
pub(super) fn floor_axis(flight: &Flight, x: f64, body: &BodyPlace, motion: &Motion) -> f64 {
    let speed = flight.start_speed.abs();
    match flight.kind {
        // Over the edge, at once where it has its speed at once.
        TakeOff::WalkOff(side) if motion.acceleration == 0.0 => f64::from(side),
        TakeOff::WalkOff(side) => {
            let side = f64::from(side);
            let least = motion.acceleration * motion.tick;
            let off = ((x - body.x) * side).max(0.0);
            ground_axis(side * stopping_speed(off, speed, motion).max(least), body, motion)
        }
        TakeOff::RunningJump(side) => {
            let side = f64::from(side);
            let (off, vx) = ((x - body.x) * side, body.vx * side);
            // While it runs away it goes a little farther than it has to, so that it does not turn to and fro.
            let run_up = speed * speed - vx * vx * if vx < 0.0 { -0.5 } else { 1.0 };
            // The run from here may just do.
            let lacks = run_up / (2.0 * motion.acceleration) - off - motion.run_speed * motion.tick;
            if lacks <= 0.0 { side } else { -side }
        }
        _ => axis_to(x, body, motion),
    }
}

/// The axis with which a round body stays on the floor of a cell. At an edge the side of its arc carries it, and
/// it must not drop farther in a tick than engines put bodies back on the floor.
pub(super) fn slow_at_edge(
    axis: f64,
    (low, high): (f64, f64),
    body: &BodyPlace,
    (shape, motion): (&Body, &Motion),
) -> f64 {
    let (side, end) = if axis < 0.0 { (-1.0, low) } else { (1.0, high) };
    let step = axis.abs() * motion.run_speed * motion.tick;
    // How far its centre is beyond the edge after this tick, if the floor ends there.
    let beyond = ((body.x - end) * side + shape.support_half_width + step).min(0.95 * shape.half_width);
    if !shape.is_round || beyond <= 0.0 || step <= 0.0 {
        return axis;
    }
    let slope = beyond / (shape.half_width * shape.half_width - beyond * beyond).sqrt();
    axis * (SNAP_PX / slope / step).min(1.0)
}

/// The speed from which a body that is `off` px from a place comes there with `speed`.
fn stopping_speed(off: f64, speed: f64, motion: &Motion) -> f64 {
    (speed * speed + 2.0 * motion.brakes() * off).sqrt()
}

/// The axis on the ground that brings the body to `x`, less than full where it would overshoot.
pub(super) fn axis_to(x: f64, body: &BodyPlace, motion: &Motion) -> f64 {
    let off = x - body.x;
    ground_axis(off.signum() * approach_speed(off.abs(), motion.brakes(), motion), body, motion)
}

/// The axis on the ground for a speed. A body that slows down faster by itself lets go.
fn ground_axis(speed: f64, body: &BodyPlace, motion: &Motion) -> f64 {
    let change = motion.acceleration * motion.tick;
    let slows = motion.brakes() > motion.acceleration && body.vx * speed >= 0.0;
    if slows && body.vx.abs() - speed.abs() > change {
        return 0.0;
    }
    (speed / motion.run_speed).clamp(-1.0, 1.0)
}

/// The axis in the air of a tick that moves by `step` px and makes up for `off` px.
pub(super) fn air_axis(step: f64, off: f64, motion: &Motion) -> f64 {
    let speed = step / motion.tick + off.signum() * approach_speed(off.abs(), motion.in_air(), motion);
    (speed / motion.run_speed).clamp(-1.0, 1.0)
}

/// The speed of the next tick from which a body that loses speed at a `rate` stops in time before something so
/// far off.
fn approach_speed(off: f64, rate: f64, motion: &Motion) -> f64 {
    let change = rate * motion.tick;
    if change <= 0.0 || off < 1e-9 {
        return off / motion.tick;
    }
    // Ticks of v, v − change, …, 0 lead v · (v / change + 1) / 2 ticks far.
    let speed = change * ((0.25 + 2.0 * off / (change * motion.tick)).sqrt() - 0.5);
    // The last step is as long as is left.
    speed.max(change.min(off / motion.tick))
}
