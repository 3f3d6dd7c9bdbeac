//! Asking the field about positions.

use godot::prelude::*;
use pathforge_core::field::FlowField as CoreField;
use pathforge_core::geometry::CellRect;

use super::FlowField;
use super::upkeep::Upkeep;
use crate::engine::state;
use crate::script::geometry::CellGeometry;

/// Positions that are looked at together.
const GROUP: usize = 256;

#[godot_api(secondary)]
impl FlowField {
    /// Returns the direction to walk in for a body whose centre is at `position`, in the grid's local space:
    /// a unit vector there. Smooth between cells; straight at the goal where that can be walked to straight;
    /// never into a wall within one cell. A body that was pushed off the places where it can stand is led to
    /// the nearest of them.
    ///
    /// `Vector2.ZERO` on a goal's cell, where the path takes a link, where no goal can be reached, outside the
    /// region, and for positions that are not finite.
    ///
    /// ```gdscript
    /// velocity = field.sample(position) * speed
    /// move_and_slide()
    /// ```
    #[func(gd_self)]
    fn sample(this: Gd<Self>, position: Vector2) -> Vector2 {
        state::of(&this).lock().sample(position)
    }

    /// Returns [method sample] for many positions at once, in their order: some nanoseconds for each.
    #[func(gd_self)]
    fn sample_batch(this: Gd<Self>, positions: PackedVector2Array) -> PackedVector2Array {
        let mut directions = PackedVector2Array::new();
        directions.resize(positions.len());
        state::of(&this).lock().sample_into(positions.as_slice(), directions.as_mut_slice());
        directions
    }
}

impl Upkeep {
    /// The field in use, and what turns positions into its places.
    fn frame(&self) -> Option<(&CoreField, Frame)> {
        let (field, order) = self.field().zip(self.order())?;
        let frame = Frame::new(&self.geometry()?, field.integration().region(), order.kind.profile.footprint);
        Some((field, frame))
    }

    pub(super) fn sample(&self, position: Vector2) -> Vector2 {
        let Some((field, frame)) = self.frame() else { return Vector2::ZERO };
        frame.direction(field.sample(frame.place(position)))
    }

    fn sample_into(&self, positions: &[Vector2], directions: &mut [Vector2]) {
        let Some((field, frame)) = self.frame() else { return };
        let mut places = [[0.0; 2]; GROUP];
        let mut ways = [[0.0; 2]; GROUP];
        for (positions, directions) in positions.chunks(GROUP).zip(directions.chunks_mut(GROUP)) {
            for (place, &position) in places.iter_mut().zip(positions) {
                *place = frame.place(position);
            }
            field.sample_batch(&places[..positions.len()], &mut ways);
            for (direction, &way) in directions.iter_mut().zip(&ways) {
                *direction = frame.direction(way);
            }
        }
    }
}

/// Between positions of a body's centre and places of its top-left corner, in cells from the region's corner.
struct Frame {
    /// Columns of the map from local space to cell space, and where its origin lies.
    x: [f64; 2],
    y: [f64; 2],
    origin: [f64; 2],
    /// Columns of the map back, for directions.
    across: Vector2,
    down: Vector2,
    /// `true` if cells are upright squares, so that directions stay what they are.
    is_upright: bool,
}

impl Frame {
    fn new(
        geometry: &CellGeometry,
        region: CellRect,
        footprint: pathforge_core::geometry::Footprint,
    ) -> Self {
        let at = |x: f32, y: f32| geometry.cell_space_of(Vector2::new(x, y));
        let offset = geometry.offset;
        let (zero, right, below) =
            (at(offset.x, offset.y), at(offset.x + 1.0, offset.y), at(offset.x, offset.y + 1.0));
        let (x, y) = ([right.0 - zero.0, right.1 - zero.1], [below.0 - zero.0, below.1 - zero.1]);
        let (offset_x, offset_y) = (f64::from(offset.x), f64::from(offset.y));
        let corner = [
            f64::from(region.x) + f64::from(footprint.w()) / 2.0,
            f64::from(region.y) + f64::from(footprint.h()) / 2.0,
        ];
        let origin = [
            zero.0 - x[0] * offset_x - y[0] * offset_y - corner[0],
            zero.1 - x[1] * offset_x - y[1] * offset_y - corner[1],
        ];
        let frame = geometry.transform();
        let is_upright = frame.a == Vector2::new(frame.b.y, 0.0) && frame.b.x == 0.0;
        Self { x, y, origin, across: frame.a, down: frame.b, is_upright }
    }

    #[inline]
    fn place(&self, position: Vector2) -> [f32; 2] {
        let (x, y) = (f64::from(position.x), f64::from(position.y));
        [
            (self.x[0] * x + self.y[0] * y + self.origin[0]) as f32,
            (self.x[1] * x + self.y[1] * y + self.origin[1]) as f32,
        ]
    }

    #[inline]
    fn direction(&self, [x, y]: [f32; 2]) -> Vector2 {
        if self.is_upright {
            return Vector2::new(x, y);
        }
        (self.across * x + self.down * y).try_normalized().unwrap_or_default()
    }
}
