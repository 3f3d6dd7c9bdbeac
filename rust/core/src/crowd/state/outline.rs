//! Outlines: the room that bodies take, and how far two of them are apart.
//!
//! An outline is a core, a rectangle with sides along the axes, with all that is at most a rounding away from
//! it. A core that is a point leaves a disc, one that is a line a capsule, and a larger one a rectangle with
//! rounded corners. Bodies do not turn, so the Minkowski sum of two outlines is one again: the halves of the
//! cores and the roundings add up. Two bodies touch exactly when the part of the offset between them that
//! lies beyond both cores is as long as both roundings. For discs that is the whole offset.

use crate::crowd::numbers::vector::{V, dot};
use crate::geometry::Footprint;

/// The form of the outline by which a body keeps clear of others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum OutlineForm {
    /// Rounded by all of its half width: a disc for a square footprint, else a capsule.
    #[default]
    Round,
    /// A rectangle with slightly rounded corners.
    Box,
}

crate::bytes::saved_as!(OutlineForm as u8, |form| *form as u8, |number| match number {
    0 => Ok(Self::Round),
    1 => Ok(Self::Box),
    _ => Err("an outline has an unknown form"),
});

/// The rounding of a box, in parts of its half width: corners that slide off each other, and hardly cut on a
/// screen.
const BOX_ROUNDING: f32 = 0.125;
/// Steps a cell in which cores are kept. Half cells are exact; the largest core, of half a footprint and a
/// radius, fits into 16 bits.
const STEPS: f32 = 512.0;

/// From the middle of a core to its sides, in steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::crowd) struct Core {
    x: u16,
    y: u16,
}

crate::bytes::saved_fields!(Core { x: u16, y: u16 });

impl Core {
    /// Returns the core of a body with this radius, half of its width where it is narrow.
    pub fn new(footprint: Footprint, form: OutlineForm, radius: f32) -> Self {
        let inner = match form {
            OutlineForm::Round => 0,
            OutlineForm::Box => (radius * (1.0 - BOX_ROUNDING) * STEPS) as u16,
        };
        let (w, h) = (footprint.w(), footprint.h());
        // Half of what one side is longer than the other.
        let longer = |side: i32| inner + (side - w.min(h)) as u16 * (STEPS as u16 / 2);
        Self { x: longer(w), y: longer(h) }
    }

    #[inline]
    pub fn half(self) -> V {
        [self.x, self.y].map(|steps| f32::from(steps) * (1.0 / STEPS))
    }

    /// Returns `true` for the core of a disc.
    #[inline]
    pub const fn is_point(self) -> bool {
        self.x == 0 && self.y == 0
    }
}

/// The outline of a body.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Outline {
    /// Half of its width where it is narrow.
    pub radius: f32,
    pub core: Core,
}

impl Outline {
    /// Returns how far it comes from its core. The radius of a disc, to the last bit.
    #[inline]
    pub fn rounding(self) -> f32 {
        let [x, y] = self.core.half();
        self.radius - x.min(y)
    }

    /// Returns half of its width and height.
    #[inline]
    pub fn half(self) -> V {
        let rounding = self.rounding();
        self.core.half().map(|half| half + rounding)
    }

    /// Returns half of its longer side.
    #[inline]
    pub fn longest(self) -> f32 {
        let [x, y] = self.half();
        x.max(y)
    }

    /// Returns the area of the rectangle around it.
    #[inline]
    pub fn area(self) -> f32 {
        let [x, y] = self.half();
        4.0 * x * y
    }
}

/// How far two bodies are apart.
#[derive(Clone, Copy, Debug)]
pub(in crate::crowd) struct Gap {
    /// From the first one's core to the nearest point of the second one's; between discs, from centre to
    /// centre.
    pub offset: V,
    /// They touch when `offset` is this long.
    pub touch: f32,
}

/// Returns how far two outlines are apart whose centres are at `offset` from each other. Without `CORES`,
/// both are discs.
#[inline]
pub(in crate::crowd) fn gap<const CORES: bool>(own: Outline, other: Outline, offset: V) -> Gap {
    if !CORES {
        return Gap { offset, touch: own.radius + other.radius };
    }
    let half = cores(own, other);
    let beyond = [0, 1].map(|axis| offset[axis] - offset[axis].clamp(-half[axis], half[axis]));
    Gap { offset: beyond, touch: own.rounding() + other.rounding() }
}

/// Returns the shortest way out for a body whose core overlaps that of another one at `offset` from it: its
/// direction, and how far it is until the cores part. Of two at one place the `first` goes to the left.
pub(in crate::crowd) fn way_out(own: Outline, other: Outline, offset: V, first: bool) -> (V, f32) {
    let half = cores(own, other);
    let depth = [0, 1].map(|axis| half[axis] - offset[axis].abs());
    let axis = usize::from(depth[1] < depth[0]);
    let back = if dot(offset, offset) > 1e-12 { offset[axis] > 0.0 } else { first };
    let mut way = [0.0; 2];
    way[axis] = if back { -1.0 } else { 1.0 };
    (way, depth[axis].max(0.0))
}

/// Returns the half of the core of the Minkowski sum.
#[inline]
pub(in crate::crowd) fn cores(own: Outline, other: Outline) -> V {
    let (a, b) = (own.core.half(), other.core.half());
    [a[0] + b[0], a[1] + b[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::numbers::vector::minus;

    fn outline(w: i64, h: i64, form: OutlineForm, radius: f32) -> Outline {
        Outline { radius, core: Core::new(Footprint::new(w, h).unwrap(), form, radius) }
    }

    /// Points of an outline's core, close to each other.
    fn core_points(outline: Outline, at: V) -> Vec<V> {
        let [x, y] = outline.core.half();
        let parts = |n: i32| n as f32 / 20.0;
        (-20..=20)
            .flat_map(|a| (-20..=20).map(move |b| [at[0] + x * parts(a), at[1] + y * parts(b)]))
            .collect()
    }

    /// The distance of the nearest two of many points of both cores, less what lies around them.
    #[test]
    fn the_gap_is_the_distance_of_the_nearest_points() {
        let forms = [
            outline(1, 1, OutlineForm::Round, 0.4),
            outline(1, 1, OutlineForm::Box, 0.4),
            outline(4, 2, OutlineForm::Round, 0.9),
            outline(2, 4, OutlineForm::Box, 0.9),
            outline(3, 3, OutlineForm::Box, 1.4),
        ];
        for (own, other) in forms.iter().flat_map(|&own| forms.iter().map(move |&other| (own, other))) {
            for n in 0..24 {
                let offset = [(n % 6) as f32 * 1.1 - 2.9, (n / 6) as f32 * 1.7 - 2.3];
                let (mine, its) = (core_points(own, [0.0; 2]), core_points(other, offset));
                let pairs = mine.iter().flat_map(|a| its.iter().map(move |b| minus(*b, *a)));
                let nearest = pairs.map(|by| dot(by, by)).fold(f32::INFINITY, f32::min).sqrt();
                let Gap { offset: beyond, touch } = gap::<true>(own, other, offset);
                let found = dot(beyond, beyond).sqrt();
                // The points are up to a twentieth of a core apart.
                assert!(found <= nearest + 1e-4 && found > nearest - 0.11, "{own:?} {other:?} {offset:?}");
                assert!((touch - own.rounding() - other.rounding()).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn discs_are_as_without_cores_to_the_last_bit() {
        let (own, other) = (outline(2, 2, OutlineForm::Round, 0.9), outline(1, 1, OutlineForm::Round, 0.37));
        for offset in [[0.3, -1.7], [-0.001, 0.0], [12.25, 3.5]] {
            let (discs, any) = (gap::<false>(own, other, offset), gap::<true>(own, other, offset));
            assert_eq!(discs.touch.to_bits(), any.touch.to_bits());
            assert_eq!(dot(discs.offset, discs.offset).to_bits(), dot(any.offset, any.offset).to_bits());
        }
    }

    #[test]
    fn an_outline_is_as_wide_and_high_as_its_footprint_less_its_room() {
        for (w, h) in [(1, 1), (4, 2), (2, 5), (64, 1), (64, 64)] {
            for form in [OutlineForm::Round, OutlineForm::Box] {
                let radius = w.min(h) as f32 * 0.5 - 0.1;
                let half = outline(w, h, form, radius).half();
                for (half, side) in half.into_iter().zip([w, h]) {
                    assert!((half - (side as f32 * 0.5 - 0.1)).abs() < 1e-4, "{w}x{h} {form:?}: {half}");
                }
            }
        }
    }

    #[test]
    fn overlapping_cores_part_along_the_axis_of_least_depth() {
        let (barge, boat) = (outline(4, 2, OutlineForm::Box, 0.9), outline(1, 1, OutlineForm::Box, 0.4));
        let (way, depth) = way_out(boat, barge, [0.9, 0.2], true);
        assert!(way[0].to_bits() == 0 && way[1] < 0.0, "{way:?}");
        assert!((depth - (0.9 * 0.875 + 0.4 * 0.875 - 0.2)).abs() < 0.01, "{depth}");
        let [left, right] = [true, false].map(|first| way_out(boat, boat, [0.0; 2], first).0[0]);
        assert!(left < 0.0 && right > 0.0);
    }
}
