//! `PathForgeBlockage`: what keeps an agent from its goal.

use godot::classes::{IRefCounted, Node};
use godot::prelude::*;

use crate::script::convert::NO_CELL;

/// Holds what keeps an agent from its goal: the agents right in front of it, and free room that it cannot
/// reach.
///
/// [method PathForgeCrowd.get_blockage], [method PathForgeAgent2D.get_blockage] and [method
/// PathForgeAgent3D.get_blockage] return a blockage, never `null`. It holds the situation of that moment. If
/// nothing keeps the agent from its goal, or there is no goal or no agent, lists are empty, the cell is
/// `Vector2i.MIN` and the position `Vector2.INF`.
///
/// ```gdscript
/// func _on_crowd_agents_blocked(blocked: PackedInt32Array) -> void:
///     for id: int in blocked:
///         var blockage := crowd.get_blockage(id)
///         print(blockage.text)
///         crowd.set_agent_colors(blockage.ids, Color.RED)
/// ```
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub struct PathForgeBlockage {
    /// The ids, ascending, of the agents in the agent's way. They are the first group of these that is not
    /// empty:
    ///
    /// - agents within one and a half cells and 60° of its direction,
    /// - agents within one and a half cells and 80° of its direction,
    /// - agents at the end of its path or on its next position, at any distance.
    ///
    /// The list is empty for a moment when these agents have left and the agent comes no nearer yet.
    #[var(no_set)]
    ids: PackedInt32Array,

    /// The nodes among [member ids], in their order: each a [PathForgeAgent2D] or a [PathForgeAgent3D].
    #[var(no_set)]
    nodes: Array<Gd<Node>>,

    /// The top-left cell of the free room for the agent's body that is nearest to the goal. Room counts if it
    /// is nearer to the goal than the agent by at least the width of its body, both along paths.
    #[var(no_set)]
    free_cell: Vector2i,

    /// The centre of that room, in the space of the node that was asked: the grid's local space for a
    /// [PathForgeCrowd] and for a [PathForgeAgent3D], global space for a [PathForgeAgent2D]. In 3D, [method
    /// PathForgeSpace3D.to_space] returns the place on the ground.
    #[var(no_set)]
    free_position: Vector2,

    /// All of this in words.
    #[var(no_set)]
    text: GString,
}

#[godot_api]
impl IRefCounted for PathForgeBlockage {
    fn to_string(&self) -> GString {
        GString::from(&format!("<PathForgeBlockage: {}>", self.text))
    }
}

// The properties are all that scripts need.
#[godot_api]
impl PathForgeBlockage {}

impl PathForgeBlockage {
    /// Nothing is in the way.
    pub fn none() -> Gd<Self> {
        Gd::from_object(Self {
            ids: PackedInt32Array::new(),
            nodes: Array::new(),
            free_cell: NO_CELL,
            free_position: Vector2::INF,
            text: "no other agent keeps it from its goal".into(),
        })
    }

    /// These agents are in the way to a room, if there is one, whose cell and centre are told.
    pub fn of(ids: &[u32], nodes: Array<Gd<Node>>, room: Option<(Vector2i, Vector2)>) -> Gd<Self> {
        let (free_cell, free_position) = room.unwrap_or((NO_CELL, Vector2::INF));
        let named: Vec<String> = ids.iter().map(u32::to_string).collect();
        let by = match &named[..] {
            [] => "the agents in its way have left".to_owned(),
            [one] => format!("agent {one} is in its way"),
            _ => format!("agents {} are in its way", named.join(", ")),
        };
        let beyond = match room {
            Some((Vector2i { x, y }, _)) => format!("there is free room at ({x}, {y})"),
            None => "there is no free room nearer to its goal".to_owned(),
        };
        Gd::from_object(Self {
            ids: ids.iter().map(|&id| id as i32).collect(),
            nodes,
            free_cell,
            free_position,
            text: GString::from(&format!("{by}; {beyond}")),
        })
    }

    /// The same with the centre of the room in another space.
    pub fn mapped(mut this: Gd<Self>, map: impl FnOnce(Vector2) -> Vector2) -> Gd<Self> {
        let position = this.bind().free_position;
        if position.is_finite() {
            this.bind_mut().free_position = map(position);
        }
        this
    }
}
