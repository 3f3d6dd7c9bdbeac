//! The stages of a bake, for looking at.

use godot::prelude::*;
use pathforge_core::navmesh::{BakeStage, NavMesh, Outline, bake, bake_stage};

use super::job::Job;
use super::{PathForgeNavigationBaker, output};
use crate::engine::errors::reported;

#[godot_api(secondary)]
impl PathForgeNavigationBaker {
    /// Returns the outlines of one stage of the last bake, by name. The stages are those of exodrifter's
    /// *custom navmesh baking in Godot 4*:
    ///
    /// `nav_collected`: the floor's polygons, tile by tile. `nav_merged`: joined. `nav_adjusted`: solids
    /// shrunk by the agent, holes grown. `nav_clipped`: solids cut by holes that reach over their edge.
    /// `nav_holes_merged`: holes that overlap joined.
    ///
    /// `colliders_collected`, `colliders_merged`, `colliders_adjusted`: the same for colliders, whose solids
    /// grow and whose holes shrink. `colliders_holes_reduced`: solids that overlap joined, their holes cut.
    ///
    /// `subtracted`: the floor without colliders. `result`: holes of both joined, which is what [method bake]
    /// returns.
    ///
    /// `Geometry2D.is_polygon_clockwise` says false of solids and true of holes. Made when asked for, which
    /// takes long for large maps. Without a bake before, the layers are read.
    ///
    /// ```gdscript
    /// for outline: PackedVector2Array in baker.get_stage("colliders_adjusted"):
    ///     draw_polyline(outline, Color.CORAL)
    /// ```
    #[func]
    fn get_stage(&mut self, name: GString) -> Array<PackedVector2Array> {
        let method = "PathForgeNavigationBaker.get_stage";
        let outlines = stage(&name).and_then(|stage| self.outlines(stage));
        let outlines = reported(method, outlines).unwrap_or_default();
        outlines.iter().map(|outline| output::points(&outline.points)).collect()
    }
}

impl PathForgeNavigationBaker {
    /// The outlines of a stage.
    pub(super) fn outlines(&mut self, stage: BakeStage) -> Result<Vec<Outline>, String> {
        if let Some(sets) = &self.work.given {
            return Ok(bake_stage(&sets.floor, &sets.colliders, &self.settings, stage));
        }
        if self.work.layers.is_empty() && self.work.cells.is_none() {
            self.prepare()?;
        }
        let sets = self.collection().sets(None).map_err(|problem| problem.to_string())?;
        Ok(bake_stage(&sets.floor, &sets.colliders, &self.settings, stage))
    }

    /// The convex polygons of the last bake, for drawing.
    pub(super) fn mesh_of_result(&self) -> Option<NavMesh> {
        if let Some(sets) = &self.work.given {
            return Some(bake(&sets.floor, &sets.colliders, &self.settings));
        }
        let job = Job { collection: self.collection(), settings: self.settings, whole: true, chunks: None };
        job.run().ok()?.whole
    }
}

/// The stage of this name.
pub fn stage(name: &GString) -> Result<BakeStage, String> {
    BakeStage::from_name(&name.to_string()).ok_or_else(|| {
        let names: Vec<_> = BakeStage::ALL.iter().map(|stage| stage.name()).collect();
        format!("there is no stage {name:?}; the stages are {}", names.join(", "))
    })
}
