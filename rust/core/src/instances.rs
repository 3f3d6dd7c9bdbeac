//! The agents of a crowd as instances of a mesh: transforms and colours of all in one array of numbers, row
//! by row, as engines draw them.
//!
//! Bodies that are moved from outside draw themselves and are left out. Takes time in proportion to the
//! agents; a few calls a frame.

use crate::crowd::{AgentView, Crowd};
use crate::height_field::{Affine, HeightField};
use crate::storeys::Storeys;

/// Numbers of a transform on the plane, two rows of a basis and an origin with a gap each.
pub const TRANSFORM_2D: usize = 8;
/// Numbers of a transform in space, three rows of a basis and an origin.
pub const TRANSFORM_3D: usize = 12;
/// Numbers of a colour.
pub const COLOR: usize = 4;
/// In parts of its speed: what moves slower does not walk, it is pushed.
const WALKING: f32 = 0.02;
/// The direction in which agents look that have not walked yet, along −z in space.
const AHEAD: [f32; 2] = [0.0, -1.0];

/// Where instances are.
#[derive(Clone, Copy, Debug)]
pub enum Stage<'a> {
    /// On a plane that cell space is mapped to: where its origin goes, and the steps of a cell along x and
    /// along y. An instance is as wide and as high as its agent's outline.
    Plane([[f64; 2]; 3]),
    /// On a ground in space: as wide and as deep as the outline, as high as both on average, upright, with −z
    /// where the agent walks. Bodies that are longer than wide do not turn, as their footprints do not.
    Ground(&'a HeightField),
    /// The same on the storeys of a house, each agent on the storey of its cell. The map leads from the space
    /// of the house to that of the instances.
    House(&'a Storeys, Affine),
}

/// Colours of instances: that of an agent is the product of the one for its state, by number, and of its own,
/// by id, if it has one.
#[derive(Clone, Copy, Debug)]
pub struct Colors<'a> {
    /// For each state of an agent.
    pub of_states: [[f32; 4]; 6],
    /// By id; white beyond the end.
    pub own: &'a [[f32; 4]],
}

/// Where agents have last walked, by id, as unit vectors: what stands still keeps looking there.
#[derive(Clone, Default, Debug)]
pub struct Facings(Vec<[f32; 2]>);

/// What the origins of instances lie within, and their largest scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bounds {
    /// The least of each coordinate.
    pub low: [f32; 3],
    /// The greatest of each coordinate.
    pub high: [f32; 3],
    /// The largest scale along each axis.
    pub scale: [f32; 3],
}

impl Default for Bounds {
    fn default() -> Self {
        Self { low: [f32::INFINITY; 3], high: [f32::NEG_INFINITY; 3], scale: [0.0; 3] }
    }
}

impl Bounds {
    #[inline]
    fn add(&mut self, at: [f32; 3], scale: [f32; 3]) {
        // `min` and `max` mind what is no number, which took a quarter of the time of the whole loop (bench
        // `space`).
        for n in 0..3 {
            self.low[n] = if at[n] < self.low[n] { at[n] } else { self.low[n] };
            self.high[n] = if at[n] > self.high[n] { at[n] } else { self.high[n] };
            self.scale[n] = if scale[n] > self.scale[n] { scale[n] } else { self.scale[n] };
        }
    }
}

/// Returns the velocity of an agent in cells, unless it is so slow that it is one of small pushes.
pub fn walked(view: &AgentView) -> Option<[f32; 2]> {
    let limit = view.speed * WALKING;
    (view.vx * view.vx + view.vy * view.vy > limit * limit).then_some([view.vx, view.vy])
}

impl Facings {
    /// Returns where an agent looks in plane space, and takes note of where it walks.
    #[inline]
    fn update(&mut self, view: &AgentView, cell_size: [f32; 2]) -> [f32; 2] {
        if (view.half[0] - view.half[1]).abs() > 1e-3 {
            return AHEAD;
        }
        let id = view.id as usize;
        if let Some([x, y]) = walked(view) {
            let (x, z) = (x * cell_size[0], y * cell_size[1]);
            let length = (x * x + z * z).sqrt();
            if self.0.len() <= id {
                self.0.resize(id + 1, AHEAD);
            }
            self.0[id] = [x / length, z / length];
        }
        self.0.get(id).copied().unwrap_or(AHEAD)
    }
}

/// Writes an instance for each agent into `buffer`, `stride` numbers each: its transform, then its colour if
/// there are any. What is left of a stride, and of the buffer, stays as it is.
pub fn write(
    crowd: &Crowd,
    stage: Stage<'_>,
    facings: &mut Facings,
    colors: Option<&Colors<'_>>,
    stride: usize,
    buffer: &mut [f32],
) -> Bounds {
    let mut bounds = Bounds::default();
    let to_stage: Vec<Affine> = match stage {
        Stage::House(house, to_stage) => {
            house.all().iter().map(|storey| storey.to_space.then(&to_stage)).collect()
        }
        _ => Vec::new(),
    };
    let drawn = crowd.views_unordered().filter(|view| !view.is_driven);
    for (view, slot) in drawn.zip(buffer.chunks_exact_mut(stride)) {
        let rest = match stage {
            Stage::Plane([origin, along_x, along_y]) => {
                let at = [0, 1].map(|n| (origin[n] + along_x[n] * view.x + along_y[n] * view.y) as f32);
                // A disc as an ellipse: as long along each axis as its outline is there.
                let size = [0, 1].map(|n| {
                    let sides = [along_x[n] as f32 * view.half[0], along_y[n] as f32 * view.half[1]];
                    (sides[0] * sides[0] + sides[1] * sides[1]).sqrt() * 2.0
                });
                let (transform, rest) = slot.split_at_mut(TRANSFORM_2D);
                transform.copy_from_slice(&[size[0], 0.0, 0.0, at[0], 0.0, size[1], 0.0, at[1]]);
                bounds.add([at[0], at[1], 0.0], [size[0], size[1], 0.0]);
                rest
            }
            Stage::Ground(ground) => {
                let at = ground.point(view.x, view.y);
                let [width, depth] = [0, 1].map(|n| view.half[n] * 2.0 * ground.cell_size[n]);
                let height = f32::midpoint(width, depth);
                let [x, z] = facings.update(&view, ground.cell_size);
                let (transform, rest) = slot.split_at_mut(TRANSFORM_3D);
                // Turned so that −z looks ahead, then as wide and as deep as the body.
                transform[..4].copy_from_slice(&[-z * width, 0.0, -x * width, at[0]]);
                transform[4..8].copy_from_slice(&[0.0, height, 0.0, at[1]]);
                transform[8..].copy_from_slice(&[x * depth, 0.0, -z * depth, at[2]]);
                bounds.add(at, [width.max(depth); 3]);
                rest
            }
            Stage::House(house, _) => {
                let n = house.of_point((view.x, view.y)).unwrap_or(0);
                let (transform, rest) = slot.split_at_mut(TRANSFORM_3D);
                let Some((storey, to_stage)) = house.all().get(n).zip(to_stage.get(n)) else { continue };
                let ground = &*storey.ground;
                let at = to_stage.point(ground.point(view.x, view.y));
                let [width, depth] = [0, 1].map(|n| view.half[n] * 2.0 * ground.cell_size[n]);
                let height = f32::midpoint(width, depth);
                let [x, z] = facings.update(&view, ground.cell_size);
                // As on one ground, and turned as the storey is.
                let axes = [[-z * width, 0.0, x * depth], [0.0, height, 0.0], [-x * width, 0.0, -z * depth]]
                    .map(|axis| to_stage.direction(axis));
                for row in 0..3 {
                    let numbers = [axes[0][row], axes[1][row], axes[2][row], at[row]];
                    transform[row * 4..row * 4 + 4].copy_from_slice(&numbers);
                }
                bounds.add(at, [width.max(depth); 3]);
                rest
            }
        };
        if let Some(colors) = colors {
            let of_state = colors.of_states[view.state as usize];
            let own = colors.own.get(view.id as usize).copied().unwrap_or([1.0; 4]);
            for n in 0..COLOR {
                rest[n] = of_state[n] * own[n];
            }
        }
    }
    bounds
}

#[cfg(test)]
// Halves and whole numbers come out exactly.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;
    use crate::crowd::AgentState;

    fn agent(half: [f32; 2], velocity: [f32; 2]) -> AgentView {
        let [vx, vy] = velocity;
        AgentView {
            id: 3,
            x: 0.0,
            y: 0.0,
            vx,
            vy,
            radius: half[0].min(half[1]),
            half,
            rounding: 0.0,
            speed: 2.0,
            kind: 0,
            state: AgentState::Moving,
            field: None,
            is_driven: false,
            is_cut_off: false,
        }
    }

    #[test]
    fn maps_one_after_the_other_are_one_map() {
        let turn =
            Affine { axes: [[0.0, 0.0, -2.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]], origin: [5.0, 6.0, 7.0] };
        let lift =
            Affine { axes: [[1.0, 0.0, 0.0], [0.0, 3.0, 0.0], [0.0, 0.0, 1.0]], origin: [0.0, 1.0, 0.0] };
        let point = [1.0, 2.0, 3.0];
        assert_eq!(turn.then(&lift).point(point), lift.point(turn.point(point)));
    }

    #[test]
    fn an_agent_looks_where_it_walks_and_keeps_looking_there() {
        let mut facings = Facings::default();
        let mut look = |half, velocity| facings.update(&agent(half, velocity), [2.0, 1.0]);
        assert_eq!(look([0.4, 0.4], [0.0, 0.0]), AHEAD, "it has not walked yet");
        assert_eq!(look([0.4, 0.4], [1.5, 4.0]), [0.6, 0.8], "cells are twice as wide as deep");
        assert_eq!(look([0.4, 0.4], [-0.03, 0.02]), [0.6, 0.8], "a small push");
        assert_eq!(look([0.9, 0.4], [1.5, 4.0]), AHEAD, "a long body does not turn");
    }
}
