//! Queries by position: the agents in a rectangle or a circle, the nearest one, density and congestion.
//!
//! They read the uniform grid of the last substep, with a margin for what agents have moved since; all agents
//! while there is none.

use crate::crowd::ground::neighbours::NO_AGENT;
use crate::crowd::kept::Crowd;
use crate::crowd::numbers::vector::V;
use crate::crowd::state::routes::PATH_GUIDE;
use crate::crowd::state::spec::AgentView;

/// How far an agent can be from where it was sorted in, in cells: it moved and was pushed a few times.
const DRIFT: f32 = 5.0;

impl Crowd {
    /// Returns the agents whose centre lies in a rectangle, edges included, in cells; by ascending id.
    ///
    /// Takes time in proportion to the agents around the rectangle; to all agents when some were added or
    /// removed since the last step.
    pub fn views_in_rect(&self, left: f64, top: f64, right: f64, bottom: f64) -> Vec<AgentView> {
        let mut views = Vec::new();
        self.visit([left, top], [right, bottom], |v| {
            if v.x >= left && v.x <= right && v.y >= top && v.y <= bottom {
                views.push(v);
            }
        });
        views.sort_by_key(|view| view.id);
        views
    }

    /// Returns the fields that agents follow, in no order, some of them several times.
    pub(crate) fn fields_in_use(&self) -> impl Iterator<Item = u32> {
        self.agents.iter().map(|agent| agent.guide).filter(|guide| guide & PATH_GUIDE == 0)
    }

    /// Returns the agent whose centre is nearest to a place and at most `radius` cells away; of several the
    /// one with the lowest id.
    pub fn nearest(&self, x: f64, y: f64, radius: f64) -> Option<AgentView> {
        if !(x.is_finite() && y.is_finite() && radius >= 0.0) {
            return None;
        }
        let distance = |v: &AgentView| {
            let (dx, dy) = (v.x - x, v.y - y);
            dx * dx + dy * dy
        };
        // Growing squares: most places have an agent near.
        let mut reach = 4.0_f64;
        loop {
            let reach_now = reach.min(radius);
            let mut best: Option<AgentView> = None;
            self.visit([x - reach_now, y - reach_now], [x + reach_now, y + reach_now], |view| {
                let d = distance(&view);
                if d > reach_now * reach_now {
                    return;
                }
                // By id where two are as near, as the order of the arrays changes from step to step.
                if best.is_none_or(|b| (d, view.id) < (distance(&b), b.id)) {
                    best = Some(view);
                }
            });
            if best.is_some() || reach >= radius || reach > 100_000.0 {
                return best;
            }
            reach *= 4.0;
        }
    }

    /// Returns how much of each cell of a map of `width` × `height` cells is covered by agents that walk or
    /// wait, row by row: 1 is as full as a body that fills it. Agents at rest do not count.
    pub fn density(&self, width: usize, height: usize) -> Vec<f32> {
        let mut cells = vec![0.0; width * height];
        for (body, agent) in self.bodies.iter().zip(&self.agents) {
            if agent.behaviour().rests() {
                continue;
            }
            let ([x, y], [half_x, half_y]) = (body.at, body.outline().half());
            let covered = |at: f32, half: f32, cell: f32| {
                ((at + half).min(cell + 1.0) - (at - half).max(cell)).max(0.0)
            };
            let (left, top) = ((x - half_x).max(0.0) as usize, (y - half_y).max(0.0) as usize);
            for row in top..height.min((y + half_y).max(0.0) as usize + 1) {
                let down = covered(y, half_y, row as f32);
                for column in left..width.min((x + half_x).max(0.0) as usize + 1) {
                    cells[row * width + column] += down * covered(x, half_x, column as f32);
                }
            }
        }
        cells
    }

    /// Returns how jammed each tile of `tile` × `tile` cells is on a map of `width` × `height` cells, row by
    /// row, the last ones perhaps cut: the part of it that is covered by agents which walk less than half as
    /// fast as they could, or, where ground slows their kind, have lately been kept from walking as fast as
    /// they would. Each counts for the tile that its centre lies in. Agents at rest do not count.
    pub fn jams(&self, width: usize, height: usize, tile: usize) -> Vec<f32> {
        let tile = tile.max(1);
        let (columns, rows) = (width.div_ceil(tile), height.div_ceil(tile));
        let mut jams = vec![0.0; columns * rows];
        let area = (tile * tile) as f32;
        for (body, agent) in self.bodies.iter().zip(&self.agents) {
            let speed2 = body.velocity[0] * body.velocity[0] + body.velocity[1] * body.velocity[1];
            // Ground that slows it is no jam.
            let is_slowed = self.kinds.is_slowed(agent.kind);
            let goes = if is_slowed {
                agent.progress.held_up.is_over()
            } else {
                speed2 * 4.0 >= agent.control.speed * agent.control.speed
            };
            if agent.behaviour().rests() || goes {
                continue;
            }
            let (x, y) = (body.at[0].max(0.0) as usize / tile, body.at[1].max(0.0) as usize / tile);
            if x < columns && y < rows {
                jams[y * columns + x] += body.outline().area() / area;
            }
        }
        jams
    }

    fn visit(&self, low: [f64; 2], high: [f64; 2], mut see: impl FnMut(AgentView)) {
        let (left, top) = (f64::from(self.origin.0), f64::from(self.origin.1));
        let [low, high] = [low, high].map(|[x, y]| [(x - left) as f32, (y - top) as f32]);
        self.indices_within(low, high).for_each(|index| see(self.view_at(index)));
    }

    /// Returns the indices of the agents whose centres may lie in a rectangle, in cells from the region's
    /// corner, and of some around it.
    pub(in crate::crowd) fn indices_within(&self, low: V, high: V) -> impl Iterator<Item = usize> {
        // Agents were added or removed since the bins were made, which only a step makes anew: all are looked
        // at.
        let all = 0..if self.is_sorted { 0 } else { self.len() };
        // Bins hold where the agents were when they were sorted; they have walked on since.
        let low = low.map(|v| v - DRIFT);
        let high = high.map(|v| v + DRIFT);
        let is_some = self.is_sorted && low[0] <= high[0] && low[1] <= high[1];
        let bins = is_some.then(|| self.bins.within(low, high));
        let near = bins.into_iter().flatten().flatten().flat_map(|block| block.index);
        all.chain(near.filter(|&index| index != NO_AGENT).map(|index| index as usize))
    }
}
