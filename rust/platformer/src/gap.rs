//! What is missing where no path leads to a goal.

use std::collections::VecDeque;

use super::flyers::{FlightLayers, FlightQuery, FlightStart, Flyers};
use super::planner::Platformer;
use super::query::{PlatformerQuery, PlatformerReason};
use pathforge_core::geometry::Cell;
use pathforge_core::surfaces::BodyLayers;

/// The grounds beyond the reached ones that are tried.
const TRIES_MAX: u32 = 64;

/// The jump that is missing between a start and a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JumpGap {
    /// Ground that the body reaches.
    pub near_start: Cell,
    /// The nearest ground that it does not reach and from which it could go on to the goal.
    pub near_goal: Cell,
}

impl Platformer {
    /// Finds what is missing for a path, if [`Platformer::find_path`] has none because the body cannot jump or
    /// fall to the goal. `None` also if nothing near leads to the goal.
    ///
    /// Takes the time of a search of the map's cells, and of up to 64 paths.
    pub fn gap(&mut self, layers: &BodyLayers, query: &PlatformerQuery) -> Option<JumpGap> {
        let outcome = self.find_path(layers, query);
        if outcome.reason != Some(PlatformerReason::NoPath) {
            return None;
        }
        let reached = self.reached();
        gap(layers, reached, |start| {
            self.find_path(layers, &PlatformerQuery { start, ..*query }).is_complete()
        })
    }
}

impl Flyers {
    /// The same for a body with physics.
    pub fn gap(&mut self, layers: &FlightLayers, query: &FlightQuery) -> Option<JumpGap> {
        let found = self.find_path(layers, query);
        if found.outcome.reason != Some(PlatformerReason::NoPath) {
            return None;
        }
        let reached = self.reached();
        gap(&layers.body, reached, |start| {
            let start = FlightStart::Cell(start);
            self.find_path(layers, &FlightQuery { start, ..*query }).plan.is_some()
        })
    }
}

/// The gap between reached cells and the nearest ground from which a path leads onwards.
fn gap(layers: &BodyLayers, reached: Vec<Cell>, mut leads_on: impl FnMut(Cell) -> bool) -> Option<JumpGap> {
    let region = layers.region();
    let index = |cell: Cell| {
        region.contains(cell).then(|| ((cell.y - region.y) * region.w + cell.x - region.x) as usize)
    };
    // From which reached ground each cell is the nearest.
    let mut nearest: Vec<Option<Cell>> = vec![None; (region.w * region.h) as usize];
    let mut queue = VecDeque::new();
    for cell in reached.into_iter().filter(|&cell| layers.stands_at(cell)) {
        let Some(place) = index(cell).filter(|&place| nearest[place].is_none()) else { continue };
        nearest[place] = Some(cell);
        queue.push_back(cell);
    }
    let is_tried = &mut vec![false; nearest.len()];
    let mut tries = 0;
    while let Some(cell) = queue.pop_front() {
        let near_start = index(cell).and_then(|place| nearest[place])?;
        let is_beyond = near_start != cell && layers.stands_at(cell);
        if is_beyond && index(cell).is_some_and(|place| !is_tried[place]) {
            along_ground(layers, cell).filter_map(index).for_each(|place| is_tried[place] = true);
            if leads_on(cell) {
                return Some(JumpGap { near_start, near_goal: cell });
            }
            tries += 1;
            if tries == TRIES_MAX {
                return None;
            }
        }
        for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            let beside = Cell::new(cell.x + dx, cell.y + dy);
            let Some(place) = index(beside).filter(|&place| nearest[place].is_none()) else { continue };
            nearest[place] = Some(near_start);
            queue.push_back(beside);
        }
    }
    None
}

/// The ground that the body walks along from a cell.
fn along_ground(layers: &BodyLayers, from: Cell) -> impl Iterator<Item = Cell> {
    let side = move |step: i32| {
        (0..).map(move |n| Cell::new(from.x + n * step, from.y)).take_while(|&cell| layers.stands_at(cell))
    };
    side(-1).chain(side(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::JumpProfile;
    use pathforge_core::terrain::Terrain;
    use pathforge_core::world::World;

    fn gap(text: &str, start: (i32, i32), goal: (i32, i32)) -> Option<((i32, i32), (i32, i32))> {
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let profile = JumpProfile::new(1, 1, 1).unwrap();
        let layers = World::from_terrain(terrain).body_layers(profile.footprint);
        let [start, goal] = [start, goal].map(|(x, y)| Cell::new(x, y));
        let found = Platformer::default().gap(&layers, &PlatformerQuery::new(start, goal, profile))?;
        let pair = |cell: Cell| (cell.x, cell.y);
        Some((pair(found.near_start), pair(found.near_goal)))
    }

    #[test]
    fn the_missing_jump_leads_to_ground_from_which_a_way_goes_on() {
        let text = "
            ..............
            ..........###.
            ..............
            .......##.....
            #..........#..
            ###....##..###";
        // The block in the pit is nearer, but no way goes on from there; one does from the shelf above it.
        assert_eq!(gap(text, (1, 4), (12, 4)), Some(((2, 4), (7, 2))));
        // A way that exists has no gap.
        assert_eq!(gap(text, (1, 4), (2, 4)), None);
    }

    #[test]
    fn a_shelf_that_is_too_high_is_the_gap() {
        let text = "
            ......
            ..##..
            ......
            ......
            ######";
        let found = gap(text, (0, 3), (2, 0)).map(|(_, beyond)| beyond);
        assert!(matches!(found, Some((2 | 3, 0))), "{found:?}");
    }
}
