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
    /// their heights.
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
        if let Some(scan) = reported(method, Scan::new(whole, (lowest, highest), collision_mask, region)) {
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
        ray.set_collision_mask(scan.mask);
        ray.set_target_position(Vector3::new(0.0, scan.lowest - scan.highest, 0.0));
        let begin = Instant::now();
        while scan.found.len() < scan.cell_count() && begin.elapsed() < BUDGET {
            for _ in 0..ROUND.min(scan.cell_count() - scan.found.len()) {
                let cell = scan.next_cell();
                let [x, _, z] = self.ground.point(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5);
                ray.set_position(Vector3::new(x, scan.highest, z));
                ray.force_raycast_update();
                let point = ray.is_colliding().then(|| to_local.point(triple(ray.get_collision_point())));
                let height = point.map_or(f32::NAN, |[_, height, _]| height);
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

impl Scan {
    fn new(
        whole: CellRect,
        (lowest, highest): (f64, f64),
        mask: i64,
        region: Rect2i,
    ) -> Result<Self, String> {
        let wanted = "a finite number";
        let finite = |value: &f64| (*value as f32).is_finite().then_some(*value as f32);
        let lowest = given("lowest", lowest).read(wanted, finite)?;
        let highest = given("highest", highest).read(wanted, finite)?;
        if lowest >= highest {
            return Err(format!("lowest {lowest} is not below highest {highest}"));
        }
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
