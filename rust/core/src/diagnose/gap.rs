//! How near two regions come to each other.

use crate::bitgrid::{PaddedIndex, Shape};
use crate::connectivity::RegionId;
use crate::geometry::{Cell, CellRect};
use crate::world::{PathQuery, World};

const NOBODY: u32 = u32::MAX;

/// What lies between the region of the start and that of the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gap {
    /// The region of the start.
    pub start_region: RegionId,
    /// The region of the goal.
    pub goal_region: RegionId,
    /// The place in the start's region that comes nearest.
    pub near_start: Cell,
    /// The place in the goal's region that it comes nearest to.
    pub near_goal: Cell,
    /// Steps in any of eight directions from the one to the other.
    pub steps: u32,
    /// The places of the body's top-left cell between both, where it cannot stand.
    pub cells: Vec<Cell>,
}

/// The gap between the ends of `query`; `None` when one of them lies in no region or both lie in the same. Where the body only
/// has to cover the goal, or to come near it, the goal's end is every stand that covers it.
///
/// Floods the map from all of the start's region at once.
pub(super) fn between(world: &mut World, query: &PathQuery) -> Option<Gap> {
    let region = world.terrain().region();
    let (stands, regions) = world.ground_of(&query.profile);
    let shape = stands.shape();
    let home = regions.region(&stands, index(region, shape, query.start)?)?;
    let region_at = |cell: Cell| index(region, shape, cell).and_then(|at| regions.region(&stands, at));
    let targets: Vec<RegionId> = query.goal_anchors().cells().filter_map(region_at).collect();
    if targets.is_empty() || targets.contains(&home) {
        return None;
    }
    let all = shape.all();
    let places = (all.y0..all.y1).flat_map(|y| (all.x0..all.x1).map(move |x| shape.index(x, y)));
    let mut from = vec![NOBODY; shape.padded_len()];
    let mut ring: Vec<PaddedIndex> = Vec::new();
    for place in places {
        if regions.region(&stands, place) == Some(home) {
            from[place.get()] = place.number();
            ring.push(place);
        }
    }
    for steps in 1.. {
        let mut next = Vec::new();
        for &place in &ring {
            let (x, y) = shape.xy(place);
            for (x, y) in neighbours(shape, x, y) {
                let beside = shape.index(x, y);
                if from[beside.get()] != NOBODY {
                    continue;
                }
                from[beside.get()] = place.number();
                if let Some(target) = regions.region(&stands, beside).filter(|r| targets.contains(r)) {
                    return Some(trace(region, shape, &from, beside, (home, target), steps));
                }
                next.push(beside);
            }
        }
        if next.is_empty() {
            return None;
        }
        ring = next;
    }
    None
}

fn trace(
    region: CellRect,
    shape: Shape,
    from: &[u32],
    end: PaddedIndex,
    (start_region, goal_region): (RegionId, RegionId),
    steps: u32,
) -> Gap {
    let cell = |place: PaddedIndex| {
        let (x, y) = shape.xy(place);
        Cell::new(region.x + x as i32, region.y + y as i32)
    };
    let mut cells = Vec::new();
    let mut at = end;
    for _ in 0..steps {
        at = PaddedIndex::new(from[at.get()] as usize);
        cells.push(cell(at));
    }
    // The last is in the start's region.
    let near_start = cells.pop().unwrap_or_else(|| cell(end));
    cells.reverse();
    Gap { start_region, goal_region, near_start, near_goal: cell(end), steps, cells }
}

fn neighbours(shape: Shape, x: u32, y: u32) -> impl Iterator<Item = (u32, u32)> {
    let columns = x.saturating_sub(1)..(x + 2).min(shape.width());
    let rows = y.saturating_sub(1)..(y + 2).min(shape.height());
    rows.flat_map(move |y| columns.clone().map(move |x| (x, y)))
}

fn index(region: CellRect, shape: Shape, cell: Cell) -> Option<PaddedIndex> {
    region.contains(cell).then(|| shape.index((cell.x - region.x) as u32, (cell.y - region.y) as u32))
}
