//! What setting a property of the map does.

use pathforge_core::influence::InfluenceSettings;

use super::InfluenceMap;
use crate::errors::report;

impl InfluenceMap {
    pub(super) fn change_decay(&mut self, decay: f64) {
        if is_share("InfluenceMap.decay_per_second", decay) {
            self.change_settings(|settings| settings.decay_per_second = decay);
        }
    }

    pub(super) fn change_spread(&mut self, spread: f64) {
        if is_share("InfluenceMap.spread", spread) {
            self.change_settings(|settings| settings.spread_per_second = spread);
        }
    }

    pub(super) fn change_blocked(&mut self, blocked: bool) {
        if self.is_blocked != blocked {
            self.is_blocked = blocked;
            self.change_from_inside(|map, solid| map.update_obstacles(map.region(), solid));
        }
    }

    pub(super) fn change_quantum(&mut self, quantum: f64) {
        let quantum = quantum as f32;
        if !(quantum.is_finite() && quantum > 0.0) {
            return report("InfluenceMap.quantum", format_args!("{quantum} is not a finite number above 0"));
        }
        self.change_settings(|settings| settings.quantum = quantum);
        self.change_from_inside(|_, _| ());
    }

    fn change_settings(&mut self, change: impl FnOnce(&mut InfluenceSettings)) {
        let mut map = self.map.lock();
        let mut settings = map.settings();
        change(&mut settings);
        map.set_settings(settings);
    }
}

fn is_share(property: &str, value: f64) -> bool {
    let is_share = (0.0..=1.0).contains(&value);
    if !is_share {
        report(property, format_args!("{value} is not within 0 and 1"));
    }
    is_share
}
