//! What scripts give links of a grid, by its methods and by the properties of nodes.

use std::sync::Arc;

use godot::prelude::*;
use pathforge_core::cost::{Cost, STRAIGHT};
use pathforge_core::terrain::{LINK_COST_MAX, LINK_SECONDS_MAX, LINK_TAG_MAX, LinkError};

use crate::script::given::Given;

/// The cost that stands for that of the straight way, and the seconds that stand for a body's own speed.
pub const BY_LENGTH: f64 = -1.0;

/// The cost that a script gives a link; `None` for that of the straight way.
pub fn given_cost(cost: Given<f64>) -> Result<Option<Cost>, String> {
    let wanted = format_args!("-1 or within 1/{STRAIGHT} and {LINK_COST_MAX} cells");
    cost.read(wanted, |&cost| {
        if is_by_length(cost) {
            return Some(None);
        }
        let units = (cost * f64::from(STRAIGHT)).round();
        let is_within = (1.0..=f64::from(LINK_COST_MAX * STRAIGHT)).contains(&units);
        is_within.then(|| Some(Cost::from_units(units as u32)))
    })
}

/// The time that a script gives a link; `None` for that of a body's own speed.
pub fn given_seconds(seconds: Given<f64>) -> Result<Option<f32>, String> {
    let wanted = format_args!("-1 or within 0 and {LINK_SECONDS_MAX}");
    seconds.read(wanted, |&seconds| {
        let is_within = (0.0..=f64::from(LINK_SECONDS_MAX)).contains(&seconds);
        if is_by_length(seconds) { Some(None) } else { is_within.then_some(Some(seconds as f32)) }
    })
}

/// The tag that a script gives a link.
pub fn given_tag(tag: &StringName) -> Result<Arc<str>, LinkError> {
    let tag = tag.to_string();
    if tag.len() > LINK_TAG_MAX { Err(LinkError::LongTag { bytes: tag.len() }) } else { Ok(Arc::from(tag)) }
}

fn is_by_length(value: f64) -> bool {
    value == BY_LENGTH
}
