//! Exact flights of bodies under gravity: where a body of any size lands that jumps, walks off or drops,
//! computed from its physics tick by tick.
//!
//! - [`Body`], [`Motion`], [`FlightCosts`]: what moves and how, in px and seconds. [`Level`]: the cells.
//! - `floor_shapes`, `floors`: floors inside cells, at any height and with slopes. `ground`: standing and
//!   walking on them.
//! - `stand`: the cells that a body stands on, and the walks between them.
//! - `control`: how the sideways speed changes, as a few levels. `holds`: how long jumps are held.
//! - `spread`: all places that a body can be at, tick by tick, as intervals of x.
//! - `takeoff`: the flights from one cell. `landings`: which are kept. `climbs`: up and down ladders.
//! - `known`: what was found, until the level changes.
//! - `route`: A\* over walks and flights. `steer`: how a body in the air gets to a landing.

mod body;
mod climbs;
mod control;
mod floor_shapes;
mod floors;
mod ground;
mod holds;
mod known;
mod landings;
mod level;
mod nodes;
mod own_run;
mod route;
mod spread;
mod stand;
mod steer;
mod takeoff;
#[cfg(test)]
mod tests;
mod trace;

pub use body::{Body, FlightCosts, Motion, MotionError};
pub use floor_shapes::FloorShape;
pub use known::Flyer;
pub use level::Level;
pub use route::{Departure, Gait, Leg, Route, RouteEnd};
pub use stand::{Foothold, StandCell};
pub use steer::{AirState, LandingRun, Steering};
pub use takeoff::{Flight, TakeOff};
