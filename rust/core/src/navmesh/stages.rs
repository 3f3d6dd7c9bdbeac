//! The stages of exodrifter's *custom navmesh baking in Godot 4* (2023), each by itself, for showing.
//!
//! A bake does not pass through them; its result is the last one. Solids are wound as x turns to y, which
//! `Geometry2D.is_polygon_clockwise` calls not clockwise, holes the other way.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_shape::int::shape::IntShapes;

use super::bake::bake;
use super::collect::{PolygonSet, sides_meet};
use super::kernel::Kernel;
use super::merge::{Contours, Selection, each, union};
use super::mesh::Outline;
use super::seam::sides;
use super::settings::BakeSettings;
use super::shrink::{dilated, eroded};
use super::units::{Point, UnitRect, area_two};

/// A step on the way from tiles to a mesh.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BakeStage {
    /// The floor's polygons as they are, each made regular.
    NavCollected,
    /// The floor as one area: solids and holes.
    NavMerged,
    /// Every solid shrunk and every hole grown by the agent, each by itself: they can overlap.
    NavAdjusted,
    /// Solids cut by the holes that reach over their edge, or gone if a hole swallows them.
    NavClipped,
    /// Holes that overlap joined: where the agent's centre may be on the bare floor.
    NavHolesMerged,
    /// The colliders' polygons as they are, each made regular.
    CollidersCollected,
    /// The colliders as one area: solids and holes.
    CollidersMerged,
    /// Every solid grown and every hole shrunk by the agent, each by itself: they can overlap.
    CollidersAdjusted,
    /// Holes cut by the solids that reach into them: where the agent's centre may not be.
    CollidersHolesReduced,
    /// The floor's solids cut by the colliders at their edge. Other colliders are holes, which can overlap.
    Subtracted,
    /// All holes joined: the outlines of [`bake`].
    Result,
}

impl BakeStage {
    /// All stages in their order.
    pub const ALL: [Self; 11] = [
        Self::NavCollected,
        Self::NavMerged,
        Self::NavAdjusted,
        Self::NavClipped,
        Self::NavHolesMerged,
        Self::CollidersCollected,
        Self::CollidersMerged,
        Self::CollidersAdjusted,
        Self::CollidersHolesReduced,
        Self::Subtracted,
        Self::Result,
    ];

    /// The name that scripts use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NavCollected => "nav_collected",
            Self::NavMerged => "nav_merged",
            Self::NavAdjusted => "nav_adjusted",
            Self::NavClipped => "nav_clipped",
            Self::NavHolesMerged => "nav_holes_merged",
            Self::CollidersCollected => "colliders_collected",
            Self::CollidersMerged => "colliders_merged",
            Self::CollidersAdjusted => "colliders_adjusted",
            Self::CollidersHolesReduced => "colliders_holes_reduced",
            Self::Subtracted => "subtracted",
            Self::Result => "result",
        }
    }

    /// The stage with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stage| stage.name() == name)
    }
}

/// The outlines of one stage.
///
/// Made for looking at: it takes n² steps for n outlines in the stages that cut.
pub fn bake_stage(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    stage: BakeStage,
) -> Vec<Outline> {
    let kernel = Kernel::new(settings);
    let nav_merged = || union(Selection::all(floor));
    let nav_adjusted = || adjusted(&nav_merged(), &kernel, Grows::Holes);
    let nav_holes_merged = || joined(&nav_adjusted());
    let colliders_merged = || union(Selection::all(colliders));
    let colliders_adjusted = || adjusted(&colliders_merged(), &kernel, Grows::Solids);
    match stage {
        BakeStage::NavCollected => outlines(&collected(floor)),
        BakeStage::NavMerged => outlines(&nav_merged()),
        BakeStage::NavAdjusted => outlines(&nav_adjusted()),
        BakeStage::NavClipped => outlines(&clipped(&nav_merged(), &kernel)),
        BakeStage::NavHolesMerged => outlines(&flat(&nav_holes_merged())),
        BakeStage::CollidersCollected => outlines(&collected(colliders)),
        BakeStage::CollidersMerged => outlines(&colliders_merged()),
        BakeStage::CollidersAdjusted => outlines(&colliders_adjusted()),
        BakeStage::CollidersHolesReduced => outlines(&flat(&joined(&colliders_adjusted()))),
        BakeStage::Subtracted => {
            outlines(&subtracted(&flat(&nav_holes_merged()), &joined(&colliders_adjusted())))
        }
        BakeStage::Result => bake(floor, colliders, settings).outlines().to_vec(),
    }
}

/// What the agent makes larger.
#[derive(Clone, Copy, PartialEq)]
enum Grows {
    Solids,
    Holes,
}

fn collected(set: &PolygonSet) -> Contours {
    let mut contours = Contours::default();
    set.polygons().iter().flat_map(|p| set.contours(p)).for_each(|c| contours.add_contour(c));
    contours
}

/// Every contour by itself grown or shrunk by the agent; solids first.
fn adjusted(contours: &Contours, kernel: &Kernel, grows: Grows) -> Contours {
    let mut result = Contours::default();
    for are_holes in [false, true] {
        for contour in each(contours).filter(|c| (area_two(c) < 0) == are_holes) {
            let solid = turned(contour, are_holes);
            let changed = if are_holes == (grows == Grows::Holes) {
                dilated(&solid, kernel)
            } else {
                let mut alone = Contours::default();
                alone.add_contour(&solid);
                eroded(&alone, kernel)
            };
            each(&changed).for_each(|c| result.add_contour(&turned(c, are_holes)));
        }
    }
    result
}

fn turned(contour: &[Point], turn: bool) -> Vec<Point> {
    let mut contour = contour.to_vec();
    if turn {
        contour.reverse();
    }
    contour
}

/// Every solid adjusted and without the holes of its own that reach over its edge, and the holes that lie inside.
fn clipped(merged: &Contours, kernel: &Kernel) -> Contours {
    let mut result = Contours::default();
    for shape in joined(merged) {
        let mut own = Contours::default();
        for contour in &shape {
            own.add_contour(contour);
        }
        let own = adjusted(&own, kernel, Grows::Holes);
        let (holes, solids): (Vec<_>, Vec<_>) = each(&own).partition(|c| area_two(c) < 0);
        let (inside, over): (Vec<_>, Vec<_>) = holes.into_iter().partition(|hole| lies_inside(hole, &solids));
        let mut overlay = Overlay::new(own.points.len());
        for solid in solids {
            overlay.add_contour(solid, ShapeType::Subject);
        }
        for hole in over {
            overlay.add_contour(hole, ShapeType::Clip);
        }
        let cut = overlay.overlay(OverlayRule::Difference, FillRule::NonZero);
        cut.iter().flatten().for_each(|contour| result.add_contour(contour));
        for hole in inside {
            result.add_contour(hole);
        }
    }
    result
}

/// What all contours together wind around positively: a hole takes away what its own solid covers, and leaves an
/// island inside of it, or another solid that reaches into it.
fn joined(contours: &Contours) -> IntShapes<i32> {
    let mut overlay = Overlay::new(contours.points.len());
    each(contours).for_each(|contour| overlay.add_contour(contour, ShapeType::Subject));
    overlay.overlay(OverlayRule::Subject, FillRule::Positive)
}

/// The floor's solids without the colliders at their edges, then all holes: the floor's own and other colliders.
fn subtracted(floor: &Contours, colliders: &IntShapes<i32>) -> Contours {
    let (holes, solids): (Vec<_>, Vec<_>) = each(floor).partition(|c| area_two(c) < 0);
    let holds_one = |shape: &[Point]| solids.iter().any(|solid| winds_around(shape, solid[0]));
    let (inside, over): (Vec<_>, Vec<_>) =
        colliders.iter().partition(|shape| lies_inside(&shape[0], &solids) && !holds_one(&shape[0]));
    let mut result = Contours::default();
    // One by one, because an island lies in the outer line of the solid around it.
    for solid in solids {
        let bounds = UnitRect::around(solid);
        let mut overlay = Overlay::new(solid.len());
        overlay.add_contour(solid, ShapeType::Subject);
        for shape in over.iter().filter(|shape| UnitRect::around(&shape[0]).touches(bounds)) {
            overlay.add_source(*shape, ShapeType::Clip);
        }
        for contour in overlay.overlay(OverlayRule::Difference, FillRule::NonZero).iter().flatten() {
            result.add_contour(contour);
        }
    }
    for hole in holes {
        result.add_contour(hole);
    }
    inside.into_iter().flatten().for_each(|contour| result.add_contour(&turned(contour, true)));
    result
}

/// Whether a contour lies in one of the solids without meeting the edge of any.
fn lies_inside(contour: &[Point], solids: &[&[Point]]) -> bool {
    let bounds = UnitRect::around(contour);
    let mut near = solids
        .iter()
        .flat_map(|solid| sides(solid))
        .filter(|&(a, b)| UnitRect::around(&[a, b]).touches(bounds));
    let meets = near.any(|(a, b)| sides(contour).any(|(c, d)| sides_meet(a, b, c, d)));
    !meets && solids.iter().any(|solid| winds_around(solid, contour[0]))
}

fn winds_around(contour: &[Point], point: Point) -> bool {
    sides(contour).filter(|&(a, b)| is_passed(a, b, point)).count() % 2 == 1
}

/// Whether the ray from `point` along x passes the side.
fn is_passed(a: Point, b: Point, point: Point) -> bool {
    let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
    low.y <= point.y && point.y < high.y && super::units::cross(low, high, point) > 0
}

fn flat(shapes: &IntShapes<i32>) -> Contours {
    let mut contours = Contours::default();
    shapes.iter().flatten().for_each(|contour| contours.add_contour(contour));
    contours
}

fn outlines(contours: &Contours) -> Vec<Outline> {
    each(contours).map(Outline::new).collect()
}
