//! How near two components come to each other.

use crate::bitgrid::{GridLayout, PaddedIndex, cell_at, local};
use crate::connectivity::{ComponentId, PlacementFilter};
use crate::geometry::{Cell, CellRect};
use crate::world::{PathQuery, World};

/// No padded index: the expansion has not come to this cell.
const UNREACHED: u32 = u32::MAX;

/// What lies between the component of the start and that of the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The component of the start.
    pub start_component: ComponentId,
    /// The component of the goal.
    pub goal_component: ComponentId,
    /// The placement in the start's component that is nearest to the goal's.
    pub near_start: Cell,
    /// The placement in the goal's component that is nearest to it.
    pub near_goal: Cell,
    /// Steps in any of eight directions from the one to the other.
    pub steps: u32,
    /// The anchors between both, at which the body does not fit.
    pub cells: Vec<Cell>,
}

/// Returns the gap between the ends of `query`; `None` if one of them lies in no component or both lie in the
/// same. Where the body only has to cover the goal, or to come near it, every placement that covers it counts
/// as the goal.
///
/// A breadth-first search over all cells, open or not, from all that the start reaches at once. Takes
/// time in proportion to the map.
pub(super) fn between(world: &mut World, query: &PathQuery) -> Option<Gap> {
    let region = world.terrain().region();
    let (placements, components) = world.components(&query.profile);
    let layout = placements.layout();
    let component_at = |cell: Cell| {
        let (x, y) = local(region, cell)?;
        components.component_at(&placements, x, y)
    };
    let component_of_start = component_at(query.start)?;
    let targets: Vec<ComponentId> = query.goal_anchors().cells().filter_map(component_at).collect();
    if targets.is_empty() || targets.iter().any(|&target| components.reaches(component_of_start, target)) {
        return None;
    }
    let places = layout.all().places().map(|(x, y)| layout.index(x, y));
    // The cell before each cell, from which the gap is traced back.
    let mut from = vec![UNREACHED; layout.padded_len()];
    let mut frontier: Vec<PaddedIndex> = Vec::new();
    let reached = components.reached_from(&placements, component_of_start);
    for place in places {
        if reached.admits(place) {
            from[place.get()] = place.number();
            frontier.push(place);
        }
    }
    for steps in 1.. {
        // Level by level: the first cell of a goal's component is at the least number of steps.
        let mut next = Vec::new();
        for &place in &frontier {
            let (x, y) = layout.xy(place);
            for (x, y) in neighbours(layout, x, y) {
                let beside = layout.index(x, y);
                if from[beside.get()] != UNREACHED {
                    continue;
                }
                from[beside.get()] = place.number();
                if let Some(target) =
                    components.component(&placements, beside).filter(|r| targets.contains(r))
                {
                    return Some(trace(region, layout, &from, beside, (component_of_start, target), steps));
                }
                next.push(beside);
            }
        }
        if next.is_empty() {
            return None;
        }
        frontier = next;
    }
    None
}

fn trace(
    region: CellRect,
    layout: GridLayout,
    from: &[u32],
    end: PaddedIndex,
    (start_component, goal_component): (ComponentId, ComponentId),
    steps: u32,
) -> Gap {
    let cell = |place: PaddedIndex| cell_at(region, layout.xy(place));
    let mut cells = Vec::new();
    let mut at = end;
    for _ in 0..steps {
        at = PaddedIndex::new(from[at.get()] as usize);
        cells.push(cell(at));
    }
    // The last is in the start's component.
    let near_start = cells.pop().unwrap_or_else(|| cell(end));
    cells.reverse();
    Gap { start_component, goal_component, near_start, near_goal: cell(end), steps, cells }
}

fn neighbours(layout: GridLayout, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> {
    // All eight directions, whatever the body's diagonal mode: a gap is a distance, not a path.
    let columns = x.saturating_sub(1)..(x + 2).min(layout.width());
    let rows = y.saturating_sub(1)..(y + 2).min(layout.height());
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
}
