//! What setting a property of the map does.

use pathforge_core::InfluenceSettings;

use super::InfluenceMap;
use crate::errors::report;

impl InfluenceMap {
    pub(super) fn change_decay(&mut self, decay: f64) {
        if is_share("InfluenceMap.decay_per_second", decay) {
            self.map.set_settings(InfluenceSettings { decay_per_second: decay, ..self.map.settings() });
        }
    }

    pub(super) fn change_spread(&mut self, spread: f64) {
        if is_share("InfluenceMap.spread", spread) {
            self.map.set_settings(InfluenceSettings { spread_per_second: spread, ..self.map.settings() });
        }
    }

    pub(super) fn change_blocked(&mut self, blocked: bool) {
        if self.is_blocked != blocked {
            self.is_blocked = blocked;
            self.change_from_inside(|map, solid| map.follow_edit(map.region(), solid));
        }
    }

    pub(super) fn change_quantum(&mut self, quantum: f64) {
        let quantum = quantum as f32;
        if !(quantum.is_finite() && quantum > 0.0) {
            return report("InfluenceMap.quantum", format_args!("{quantum} is not a finite number above 0"));
        }
        self.map.set_settings(InfluenceSettings { quantum, ..self.map.settings() });
        self.change_from_inside(|_, _| ());
    }
}

fn is_share(property: &str, value: f64) -> bool {
    let is_share = (0.0..=1.0).contains(&value);
    if !is_share {
        report(property, format_args!("{value} is not within 0 and 1"));
    }
    is_share
}
