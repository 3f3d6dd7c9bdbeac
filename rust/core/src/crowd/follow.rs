//! Taking over a map that was edited or has another region.
//!
//! Positions count from the region's corner, so all of them shift with it. Bodies that do not fit any more are put on the nearest valid
//! placement; driven ones walk there.

use super::agent::Mind;
use super::ground::CrowdGround;
use super::state::Crowd;
use super::sweep::{Frame, fits, nearest_center};
use super::vector::FAR;

impl Crowd {
    /// Takes over the ground's region, and puts bodies that do not fit where they are onto their nearest valid placement.
    pub(super) fn follow(&mut self, ground: &CrowdGround<'_>) {
        debug_assert!(ground.layers.len() >= self.kinds.all().len());
        let corner = (ground.region.x, ground.region.y);
        if corner != self.origin {
            let by = [
                (i64::from(self.origin.0) - i64::from(corner.0)) as f32,
                (i64::from(self.origin.1) - i64::from(corner.1)) as f32,
            ];
            self.origin = corner;
            self.revision = None;
            self.disturb();
            for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
                mind.told = [mind.told[0] + by[0], mind.told[1] + by[1]];
                body.at = [body.at[0] + by[0], body.at[1] + by[1]].map(|v| v.clamp(-FAR, FAR));
                mind.home = [mind.home[0] + by[0], mind.home[1] + by[1]];
            }
            self.routes.shift(by);
            self.marches.iter_mut().for_each(|march| march.shift(by));
        }
        if self.revision == Some(ground.revision) || ground.region.is_empty() {
            return;
        }
        self.revision = Some(ground.revision);
        let mut is_disturbed = false;
        for (body, mind) in self.bodies.iter_mut().zip(&mut self.minds) {
            let frame = Frame::new(self.kinds.footprint(mind.kind), body.radius);
            let layer = ground.layer(mind.kind);
            if fits(layer, &frame, body.at[0], body.at[1]) {
                continue;
            }
            let nearest = nearest_center(layer, &frame, body.at);
            if let Some(center) = nearest.filter(|_| !fits(layer, &frame, mind.home[0], mind.home[1])) {
                mind.home = center;
            }
            if mind.has(Mind::DRIVEN) {
                continue;
            }
            if let Some(center) = nearest {
                body.at = center;
                is_disturbed = true;
            } else {
                // No valid placement: it stays within the map until there is. One that stays where it is disturbs no other, as a
                // crowd that was loaded looks at this anew and must not differ.
                let (w, h) = (ground.region.w as f32, ground.region.h as f32);
                let within = [body.at[0].max(0.0).min(w), body.at[1].max(0.0).min(h)];
                is_disturbed |= within.map(f32::to_bits) != body.at.map(f32::to_bits);
                body.at = within;
            }
        }
        if is_disturbed {
            self.disturb();
        }
    }
}
