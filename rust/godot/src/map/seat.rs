//! A node of 2D or of 3D, for what is the same on a plane and in space.
//!
//! Positions are of space in both cases: on the plane, z is 0.

use godot::classes::{Node, Node2D, Node3D};
use godot::prelude::*;

use crate::engine::weak::Freeable;
use crate::map::grid::{flat, upright};
use crate::map::space;

/// The node as the engine knows it, which may be asked while the object of its class is borrowed.
#[derive(Clone)]
pub enum Seat {
    Plane(Gd<Node2D>),
    Space(Gd<Node3D>),
}

impl Seat {
    /// Where the node is, in global space.
    pub fn place(&self) -> Vector3 {
        match self {
            Self::Plane(node) => upright(node.get_global_position()),
            Self::Space(node) => space::global_transform(node).origin,
        }
    }

    /// From the node's own space to global space.
    pub fn to_global(&self) -> Transform3D {
        match self {
            Self::Plane(node) => {
                let Transform2D { a, b, origin } = node.get_global_transform();
                let axes = Basis::from_cols(upright(a), upright(b), Vector3::BACK);
                Transform3D::new(axes, upright(origin))
            }
            Self::Space(node) => space::global_transform(node),
        }
    }

    /// A place on the plane through the node on which cells lie.
    pub const fn on_plane(&self, place: Vector2) -> Vector3 {
        match self {
            Self::Plane(_) => upright(place),
            Self::Space(_) => Vector3::new(place.x, 0.0, place.y),
        }
    }

    pub fn node(&self) -> Gd<Node> {
        match self {
            Self::Plane(node) => node.clone().upcast(),
            Self::Space(node) => node.clone().upcast(),
        }
    }

    pub fn is_inside_tree(&self) -> bool {
        match self {
            Self::Plane(node) => node.is_inside_tree(),
            Self::Space(node) => node.is_inside_tree(),
        }
    }

    /// A position or a velocity as scripts know it.
    pub fn vector(&self, vector: Vector3) -> Variant {
        match self {
            Self::Plane(_) => flat(vector).to_variant(),
            Self::Space(_) => vector.to_variant(),
        }
    }
}

impl Freeable for Seat {
    fn is_there(&self) -> bool {
        match self {
            Self::Plane(node) => node.is_there(),
            Self::Space(node) => node.is_there(),
        }
    }

    fn id(&self) -> InstanceId {
        match self {
            Self::Plane(node) => node.id(),
            Self::Space(node) => node.id(),
        }
    }
}
