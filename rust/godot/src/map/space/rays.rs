//! Heights from the physics of a scene: a ray for each cell, some in each physics frame.

use std::time::{Duration, Instant};

use godot::classes::RayCast3D;
use godot::classes::node::InternalMode;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};

use super::{PathForgeSpace3D, affine, triple};
use crate::engine::errors::{report, report_warning, reported};
use crate::script::convert;
use crate::script::given::given;

/// How much of a physics frame rays take.
const BUDGET: Duration = Duration::from_millis(3);
const METHOD: &str = "PathForgeSpace3D.scan_heights";
/// Rays between two looks at the clock.
const ROUND: usize = 64;
/// Bottoms of bodies that a ray passes in a storey, at most, and the ground below them.
const LAYERS_MAX: usize = 4;
/// How far below such a bottom the ray goes on, in metres.
const PAST: f32 = 1e-3;

/// Rays that are cast down onto the cells of a region, and what those before have found.
pub struct Scan {
    /// The grid's region, and the part of it that is scanned.
    whole: CellRect,
    region: CellRect,
    /// From where down to where rays go, in the node's space.
    highest: f32,
    lowest: f32,
    mask: u32,
    /// Row by row over `region`; no number where there is no ground.
    found: Vec<f32>,
}

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// Measures the ground by the physics of the scene, with a ray for each cell of `region`, from height
    /// `highest` down to `lowest`. Both are along the node's y axis, from the node. The first body on the
    /// layers of `collision_mask` is the ground, also a unit or a roof, so give terrain a layer of its own.
    /// Without a region, or with an empty one, all cells are measured. Cells where no ray meets ground keep
    /// their heights. On a floor with a [member storey_height] the range is cut to the storey. The bottom of a
    /// body, as of the next floor, is no ground there.
    ///
    /// Rays are cast in physics frames, for 3 milliseconds in each. At the end all heights are set and
    /// [signal heights_changed] is emitted; [method get_scan_progress] returns the progress. A new scan
    /// replaces a scan under way, which then emits nothing.
    ///
    /// ```gdscript
    /// func _ready() -> void:
    ///     space.scan_heights(-5.0, 40.0)
    ///     await space.heights_changed
    ///     space.close_steep_cells(35.0)
    ///
    /// func _on_bridge_built(cells: Rect2i) -> void:
    ///     space.scan_heights(-5.0, 40.0, 1, cells)
    ///     await space.heights_changed
    ///     grid.fill_solid_region(cells, false) # Steep banks were closed: the bridge is open.
    /// ```
    #[func]
    fn scan_heights(
        &mut self,
        lowest: f64,
        highest: f64,
        #[opt(default = 1)] collision_mask: i64,
        #[opt(default = Rect2i::default())] region: Rect2i,
    ) {
        let method = METHOD;
        if !self.base().is_inside_tree() {
            report(method, "the node is not in the scene tree, where there is no physics to ask");
            return;
        }
        let Some(whole) = self.region(method) else { return };
        let checked = range(lowest, highest).and_then(|heights| {
            let [lowest, highest] = self.within_storey(heights);
            if lowest >= highest {
                return Err(format!("no height from {lowest} to {highest} is within the storey"));
            }
            Scan::new(whole, [lowest, highest], collision_mask, region)
        });
        if let Some(scan) = reported(method, checked) {
            self.scan = Some(scan);
        }
    }

    /// How much of [method scan_heights] is done, from 0 to 1; 1 when nothing was asked for.
    #[func]
    fn get_scan_progress(&mut self) -> f64 {
        self.scan.as_ref().map_or(1.0, Scan::progress)
    }

    /// Casts the rays of one frame.
    pub(super) fn cast_rays(mut this: Gd<Self>, _delta: f64) {
        let is_scanning = {
            let mut space = this.bind_mut();
            space.keep_storey();
            space.follow_grid();
            space.scan.is_some()
        };
        if !is_scanning {
            return;
        }
        // A node that casts one ray after the other: a query of the physics itself answers each with a
        // dictionary, which takes most of its time.
        let mut ray = RayCast3D::new_alloc();
        ray.set_enabled(false);
        this.add_child_ex(&ray).internal(InternalMode::BACK).done();
        let done = this.bind_mut().cast(&mut ray);
        ray.free();
        if let Some(done) = done {
            Self::change_heights(this, done.whole, done.region, &done.found);
        }
    }

    /// Goes on with the scan, by a child that casts rays; returns it when it is at its end.
    fn cast(&mut self, ray: &mut Gd<RayCast3D>) -> Option<Scan> {
        let mut scan = self.scan.take()?;
        let Some(to_local) = self.to_local(METHOD) else {
            scan.found.resize(scan.cell_count(), f32::NAN);
            return Some(scan);
        };
        let to_local = affine(&to_local);
        let up = self.to_global().basis.col_b();
        let corner = self.shift();
        ray.set_collision_mask(scan.mask);
        let begin = Instant::now();
        while scan.found.len() < scan.cell_count() && begin.elapsed() < BUDGET {
            for _ in 0..ROUND.min(scan.cell_count() - scan.found.len()) {
                let cell = scan.next_cell();
                let [x, _, z] = self.ground.point(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
                // The ray is cast by a child of the node, in whose space the cells of a storey lie elsewhere.
                let at = Vector3::new(x, 0.0, z) + corner;
                let mut from = scan.highest;
                let mut height = f32::NAN;
                for _ in 0..LAYERS_MAX {
                    ray.set_position(at + Vector3::UP * from);
                    ray.set_target_position(Vector3::UP * (scan.lowest - from));
                    ray.force_raycast_update();
                    if !ray.is_colliding() {
                        break;
                    }
                    let met = to_local.point(triple(ray.get_collision_point()))[1];
                    if !self.is_storey() || ray.get_collision_normal().dot(up) > 0.0 {
                        height = met;
                        break;
                    }
                    // The bottom of what is above: the ground is below it.
                    from = met - PAST;
                    if from <= scan.lowest {
                        break;
                    }
                }
                scan.found.push(if height.is_finite() { height } else { f32::NAN });
            }
        }
        if scan.progress() < 1.0 {
            self.scan = Some(scan);
            return None;
        }
        scan.warn_of_nothing();
        Some(scan)
    }
}

/// Two heights, the lower one first.
fn range(lowest: f64, highest: f64) -> Result<[f64; 2], String> {
    let finite = |value: &f64| (*value as f32).is_finite().then_some(*value);
    let lowest = given("lowest", lowest).read("a finite number", finite)?;
    let highest = given("highest", highest).read("a finite number", finite)?;
    if lowest as f32 >= highest as f32 {
        return Err(format!("lowest {} is not below highest {}", lowest as f32, highest as f32));
    }
    Ok([lowest, highest])
}

impl Scan {
    fn new(whole: CellRect, [lowest, highest]: [f64; 2], mask: i64, region: Rect2i) -> Result<Self, String> {
        let (lowest, highest) = (lowest as f32, highest as f32);
        let mask = given("collision_mask", mask).flags()?;
        let region = convert::fill_rect(region)?;
        let region = if region.is_empty() { whole } else { region.intersection(whole) };
        Ok(Self { whole, region, highest, lowest, mask, found: Vec::new() })
    }

    fn cell_count(&self) -> usize {
        self.region.w.max(0) as usize * self.region.h.max(0) as usize
    }

    fn next_cell(&self) -> Cell {
        let (next, w) = (self.found.len() as i32, self.region.w);
        Cell::new(self.region.x + next % w, self.region.y + next / w)
    }

    /// Warns of a scan that has found no ground anywhere.
    fn warn_of_nothing(&self) {
        let (missed, rays) = (self.found.iter().filter(|height| height.is_nan()).count(), self.found.len());
        if missed == rays && rays > 0 {
            let Self { highest, lowest, mask, .. } = self;
            report_warning(
                METHOD,
                format!(
                    "{missed} of {rays} rays hit nothing from height {highest} down to {lowest} on the layers of \
                     collision_mask {mask}: all cells keep their heights"
                ),
            );
        }
    }

    fn progress(&self) -> f64 {
        let count = self.cell_count();
        if count == 0 { 1.0 } else { self.found.len() as f64 / count as f64 }
    }
}
