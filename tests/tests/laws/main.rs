//! Laws that hold on every map, for every body.

mod climb;
mod crew;
mod engines;
mod influence;
mod landmarks;
mod limits;
mod obstacles;
mod parts;
mod places;
mod positions;
mod range;
mod repairs;
mod requests;
mod requests_under_edits;
mod saving;
mod searches;
mod smoothing;
mod snapshots;
mod threads;
mod walkers;
