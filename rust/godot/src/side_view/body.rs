//! The body of a character in pixels: what its cells are, and where they lie around its position.

use godot::classes::{
    CapsuleShape2D, CircleShape2D, CollisionShape2D, ConvexPolygonShape2D, Node2D, RectangleShape2D, Shape2D,
};
use godot::prelude::*;
use pathforge_core::geometry::Footprint;
use pathforge_platformer::motion;

use crate::answers::trip::BodyCells;
use crate::script::node_arg::NodeArg;

/// How much smaller than its cells a body is that has no size of its own, in pixels.
const ROOM: f32 = 2.0;
/// A body fits its cells if it is larger by less than this, in cells.
const ROUNDING: f64 = 0.01;
/// The longest side, in cells.
const SIDE_MAX: f64 = 64.0;

/// A collision shape, in the grid's pixels.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Body {
    /// Width and height; zero for the cells of the footprint.
    pub size: Vector2,
    /// The shape's centre, from the body's position.
    pub offset: Vector2,
    /// The lower end is round.
    pub is_round: bool,
}

impl Body {
    /// The body's cells on a grid: as few as it fits in, its feet on their lower edge. `footprint` counts for
    /// a body without a size.
    pub fn cells(&self, footprint: Footprint, cell_size: Vector2) -> Result<BodyCells, String> {
        let size = self.size_on(footprint, cell_size);
        let to_feet = self.offset + Vector2::new(0.0, size.y / 2.0);
        if self.size == Vector2::ZERO {
            return Ok(BodyCells { to_feet, ..BodyCells::of_footprint(footprint) });
        }
        let sides = size / cell_size;
        let count = |side: f32| (f64::from(side) - ROUNDING).ceil().max(1.0);
        let (w, h) = (count(sides.x), count(sides.y));
        if w > SIDE_MAX || h > SIDE_MAX {
            return Err(format!("body_size {size} is more than {SIDE_MAX} cells of {cell_size}"));
        }
        let footprint = Footprint::new(w as i64, h as i64).map_err(|error| error.to_string())?;
        let to_center = to_feet - Vector2::new(0.0, footprint.h() as f32 * cell_size.y / 2.0);
        Ok(BodyCells { footprint, to_center, to_feet })
    }

    /// The shape with physics on cells of a size.
    pub fn shape(&self, footprint: Footprint, cell_size: Vector2) -> motion::Body {
        let size = self.size_on(footprint, cell_size);
        let (width, height) = (f64::from(size.x), f64::from(size.y));
        if self.is_round {
            motion::Body::capsule(width / 2.0, height)
        } else {
            motion::Body::rectangle(width, height)
        }
    }

    fn size_on(&self, footprint: Footprint, cell_size: Vector2) -> Vector2 {
        if self.size != Vector2::ZERO {
            return self.size;
        }
        let whole = Vector2::new(footprint.w() as f32, footprint.h() as f32) * cell_size;
        whole - Vector2::new(ROOM.min(whole.x / 8.0), ROOM.min(whole.y / 8.0))
    }

    /// The body of a collision shape whose parent is the body's node.
    pub fn of_shape(shape: &NodeArg<CollisionShape2D>) -> Result<Self, String> {
        let node = shape.node("shape")?;
        let resource = node.get_shape().ok_or("shape has no Shape")?;
        let (rect, is_round) = outline(&resource)?;
        let transform = node.get_transform();
        if transform.rotation().abs() > 0.001 && !is_turned_square(transform.rotation()) {
            return Err(format!("shape is rotated by {:.3}, not by quarter turns", transform.rotation()));
        }
        // The rectangle around the shape's four corners, as the node has them.
        let rect = transform * rect;
        // Characters are scaled, too.
        let parent = node.get_parent().and_then(|parent| parent.try_cast::<Node2D>().ok());
        let scale = parent.map_or(Vector2::ONE, |parent| parent.get_scale());
        let rect = Rect2::new(rect.position * scale, rect.size * scale).abs();
        let body = Self { size: rect.size, offset: rect.center(), is_round };
        if body.size.x > 0.0 && body.size.y > 0.0 && rect.is_finite() {
            return Ok(body);
        }
        Err(format!("shape of {} is scaled to nothing, or not finite", body.size))
    }
}

fn is_turned_square(angle: f32) -> bool {
    let quarters = angle / std::f32::consts::FRAC_PI_2;
    (quarters - quarters.round()).abs() < 0.001
}

/// The rectangle around a shape, and whether its lower end is round.
fn outline(shape: &Gd<Shape2D>) -> Result<(Rect2, bool), String> {
    let around = |size: Vector2| Rect2::new(size * -0.5, size);
    if let Ok(shape) = shape.clone().try_cast::<RectangleShape2D>() {
        return Ok((around(shape.get_size()), false));
    }
    if let Ok(shape) = shape.clone().try_cast::<CapsuleShape2D>() {
        return Ok((around(Vector2::new(2.0 * shape.get_radius(), shape.get_height())), true));
    }
    if let Ok(shape) = shape.clone().try_cast::<CircleShape2D>() {
        return Ok((around(Vector2::ONE * (2.0 * shape.get_radius())), true));
    }
    if let Ok(shape) = shape.clone().try_cast::<ConvexPolygonShape2D>() {
        let points = shape.get_points();
        let first = points.get(0).ok_or("shape has no points")?;
        let rect = points
            .as_slice()
            .iter()
            .fold(Rect2::new(first, Vector2::ZERO), |rect, &point| rect.expand(point));
        return Ok((rect, false));
    }
    let class = shape.get_class();
    Err(format!("shape has a {class}, not a rectangle, capsule, circle or convex polygon"))
}
