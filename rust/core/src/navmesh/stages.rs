//! The stages of exodrifter's *custom navmesh baking in Godot 4* (2023), each by itself, to be shown.
//!
//! A bake does not pass through them; its result equals the last one. They take n² steps for n outlines where
//! they cut. Solids are wound as x turns to y, which `Geometry2D.is_polygon_clockwise` calls not clockwise,
//! holes in the opposite direction.

use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_shape::int::shape::IntShapes;

use super::agent_shape::AgentShape;
use super::bake::bake;
use super::collect::{PolygonSet, sides_meet};
use super::merge::{Contours, contours_of, flattened, union};
use super::mesh::Outline;
use super::offset::{dilated, eroded};
use super::settings::BakeSettings;
use super::units::{Point, UnitRect, area_two, cross, sides};

/// A step from polygons to a mesh.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BakeStage {
    /// The floor's polygons as they are, each made regular.
    NavCollected,
    /// The floor as one area: solids and holes.
    NavMerged,
    /// Every solid shrunk and every hole grown by the agent, each by itself: they can overlap.
    NavAdjusted,
    /// Solids cut by the holes that reach over their edge, or gone if a hole covers them.
    NavClipped,
    /// Holes that overlap joined: where the agent's centre may be on the floor without colliders.
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

/// Computes the outlines of one stage.
pub fn bake_stage(
    floor: &PolygonSet,
    colliders: &PolygonSet,
    settings: &BakeSettings,
    stage: BakeStage,
) -> Vec<Outline> {
    let agent = AgentShape::new(settings);
    let nav_merged = || union(floor);
    let nav_adjusted = || adjusted(&nav_merged(), &agent, Grows::Holes);
    let nav_holes_merged = || joined(&nav_adjusted());
    let colliders_merged = || union(colliders);
    let colliders_adjusted = || adjusted(&colliders_merged(), &agent, Grows::Solids);
    match stage {
        BakeStage::NavCollected => outlines(&collected(floor)),
        BakeStage::NavMerged => outlines(&nav_merged()),
        BakeStage::NavAdjusted => outlines(&nav_adjusted()),
        BakeStage::NavClipped => outlines(&clipped(&nav_merged(), &agent)),
        BakeStage::NavHolesMerged => outlines(&flat(&nav_holes_merged())),
        BakeStage::CollidersCollected => outlines(&collected(colliders)),
        BakeStage::CollidersMerged => outlines(&colliders_merged()),
        BakeStage::CollidersAdjusted => outlines(&colliders_adjusted()),
        BakeStage::CollidersHolesReduced => outlines(&flat(&joined(&colliders_adjusted()))),
        BakeStage::Subtracted => {
            outlines(&subtracted(&flat(&nav_holes_merged()), &joined(&colliders_adjusted())))
        }
        // Not from the stages, so that what is shown last is what is baked.
        BakeStage::Result => bake(floor, colliders, settings).outlines().to_vec(),
    }
}

/// Which contours the agent's shape grows.
#[derive(Clone, Copy, PartialEq)]
enum Grows {
    Solids,
    Holes,
}

fn collected(set: &PolygonSet) -> Contours {
    flattened(set.polygons().iter().flat_map(|polygon| set.contours(polygon)))
}

/// Every contour grown or shrunk by itself; solids first.
fn adjusted(contours: &Contours, agent: &AgentShape, grows: Grows) -> Contours {
    let mut result = Contours::default();
    // Solids first, as outlines list each solid before its holes.
    for are_holes in [false, true] {
        for contour in contours_of(contours).filter(|c| (area_two(c) < 0) == are_holes) {
            // A hole is offset as the solid that fills it.
            let solid = turned(contour, are_holes);
            let changed = if are_holes == (grows == Grows::Holes) {
                dilated(&solid, agent)
            } else {
                eroded(&flattened([&solid[..]]), agent)
            };
            contours_of(&changed).for_each(|c| result.add_contour(&turned(c, are_holes)));
        }
    }
    result
}

/// The contour, reversed if `turn` is set.
fn turned(contour: &[Point], turn: bool) -> Vec<Point> {
    let mut contour = contour.to_vec();
    if turn {
        contour.reverse();
    }
    contour
}

/// Every solid adjusted, cut by those of its holes that reach over its edge, then its other holes.
fn clipped(merged: &Contours, agent: &AgentShape) -> Contours {
    let mut result = Contours::default();
    for shape in joined(merged) {
        let own = adjusted(&flattened(shape.iter().map(|contour| &contour[..])), agent, Grows::Holes);
        let (holes, solids): (Vec<_>, Vec<_>) = contours_of(&own).partition(|c| area_two(c) < 0);
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

/// The area that all contours together wind around positively: a hole cancels its own solid, but not an
/// island inside of it or another solid that reaches into it.
fn joined(contours: &Contours) -> IntShapes<i32> {
    let mut overlay = Overlay::new(contours.points.len());
    contours_of(contours).for_each(|contour| overlay.add_contour(contour, ShapeType::Subject));
    overlay.overlay(OverlayRule::Subject, FillRule::Positive)
}

/// The floor's solids without the colliders at their edges, then all holes: the floor's own and other
/// colliders.
fn subtracted(floor: &Contours, colliders: &IntShapes<i32>) -> Contours {
    let (holes, solids): (Vec<_>, Vec<_>) = contours_of(floor).partition(|c| area_two(c) < 0);
    let holds_one = |shape: &[Point]| solids.iter().any(|solid| winds_around(shape, solid[0]));
    let (inside, over): (Vec<_>, Vec<_>) =
        colliders.iter().partition(|shape| lies_inside(&shape[0], &solids) && !holds_one(&shape[0]));
    let mut result = Contours::default();
    // One by one: an island lies inside of the outline of the solid around it, and an overlay of both would
    // join them.
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

/// Returns `true` if a contour lies in one of the solids without meeting the edge of any.
fn lies_inside(contour: &[Point], solids: &[&[Point]]) -> bool {
    let bounds = UnitRect::around(contour);
    let mut near = solids
        .iter()
        .flat_map(|solid| sides(solid))
        .filter(|&(a, b)| UnitRect::around(&[a, b]).touches(bounds));
    let meets = near.any(|(a, b)| sides(contour).any(|(c, d)| sides_meet(a, b, c, d)));
    !meets && solids.iter().any(|solid| winds_around(solid, contour[0]))
}

/// Returns `true` if the point lies inside of the contour, by the even–odd rule.
fn winds_around(contour: &[Point], point: Point) -> bool {
    sides(contour).filter(|&(a, b)| is_passed(a, b, point)).count() % 2 == 1
}

/// Returns `true` if the ray from `point` along x crosses the side. The half-open range counts a corner once.
fn is_passed(a: Point, b: Point, point: Point) -> bool {
    let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
    low.y <= point.y && point.y < high.y && cross(low, high, point) > 0
}

fn flat(shapes: &IntShapes<i32>) -> Contours {
    flattened(shapes.iter().flatten().map(|contour| &contour[..]))
}

fn outlines(contours: &Contours) -> Vec<Outline> {
    contours_of(contours).map(Outline::new).collect()
}
