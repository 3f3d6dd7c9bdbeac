//! A diagnosis in words.

use std::fmt::{self, Display, Formatter};

use super::{CostSplit, Diagnosis, Refusal};
use crate::geometry::{Cell, CellRect};
use crate::terrain::Terrain;
use crate::world::{GoalMode, Reason};

/// Writes a diagnosis as English sentences, with the names that the game gives its terrains.
pub struct Words<'a, N> {
    /// What to tell.
    pub diagnosis: &'a Diagnosis,
    /// The map that it is about.
    pub terrain: &'a Terrain,
    /// What a terrain id is called.
    pub name: N,
}

impl<N: Fn(u8) -> String> Display for Words<'_, N> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.reason(f)?;
        self.obstacles(f)?;
        self.gap(f)?;
        self.nearest(f)?;
        if let Some(widest) = self.diagnosis.widest.filter(|widest| widest.side > 0) {
            write!(f, " The widest square body that can make the trip has side {}", widest.side)?;
            if let Some(cell) = widest.bottleneck {
                write!(f, "; {} stops a wider one", show(cell))?;
            }
            f.write_str(".")?;
        }
        if !self.diagnosis.barring_terrains.is_empty() {
            let names: Vec<String> =
                self.diagnosis.barring_terrains.iter().map(|&id| (self.name)(id)).collect();
            write!(f, " A body that may enter {} could go.", names.join(" and "))?;
        }
        // Obstacles come and go: that they bar the path says more than that one of them came last.
        let is_obstructed = self.is_under_obstacle() || !self.diagnosis.barring_obstacles.is_empty();
        if let Some(rect) = self.diagnosis.closed_by.filter(|_| !is_obstructed) {
            let size = format!("{}x{}", rect.w, rect.h);
            write!(
                f,
                " The edit of {size} cells at {} closed the last path.",
                show(Cell::new(rect.x, rect.y))
            )?;
        }
        Ok(())
    }
}

impl<N: Fn(u8) -> String> Words<'_, N> {
    fn reason(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let refusal = self.diagnosis.refusal.as_ref();
        let (at, needs) =
            (refusal.map_or_else(String::new, |r| show(r.anchor)), refusal.map_or_else(String::new, needs));
        let name = || refusal.map_or_else(String::new, |r| (self.name)(self.terrain.terrain(r.anchor)));
        let Some(reason) = self.diagnosis.outcome.reason else { return self.found(f) };
        match reason {
            Reason::StartOutOfBounds => {
                write!(f, "The start {at} lies outside the region {}.", self.region())
            }
            Reason::GoalOutOfBounds => write!(f, "The goal {at} lies outside the region {}.", self.region()),
            Reason::StartSolid => write!(f, "The start {at} is {}.", self.taken(refusal)),
            Reason::GoalSolid => write!(f, "The goal {at} is {}.", self.taken(refusal)),
            Reason::StartTerrain => write!(f, "The start {at} is {}, which the body may not enter.", name()),
            Reason::GoalTerrain => write!(f, "The goal {at} is {}, which the body may not enter.", name()),
            Reason::StartClearance => write!(f, "The body does not fit at the start {at}: {needs}."),
            Reason::GoalClearance if !self.is_exact() => {
                write!(f, "The body fits nowhere over the goal {at}: {needs}.")
            }
            Reason::GoalClearance => write!(f, "The body does not fit at the goal {at}: {needs}."),
            Reason::Disconnected if !self.is_exact() => {
                f.write_str("The body fits at the start and over the goal, but no path for it joins them.")
            }
            Reason::Disconnected => f.write_str("The body fits at both ends, but no path for it joins them."),
            Reason::Limit => f.write_str("The search met its limit before it came to the goal."),
            Reason::Cancelled => f.write_str("The request was taken back."),
            Reason::EmptyGrid => f.write_str("The map has no cells."),
            Reason::NoGrid => f.write_str("There is no map."),
            Reason::BadProfile => f.write_str("The profile has a number out of its limits."),
        }
    }

    fn region(&self) -> String {
        let CellRect { x, y, w, h } = self.terrain.region();
        format!("({x}, {y}, {w}, {h})")
    }

    fn is_exact(&self) -> bool {
        self.diagnosis.goal_mode == GoalMode::Exact
    }

    fn nearest(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some((nearest, costs)) = self.diagnosis.nearest.zip(self.diagnosis.costs) else { return Ok(()) };
        write!(
            f,
            " It can come within {:.2} cells of the goal, at {}, which costs {:.2}.",
            nearest.distance,
            show(nearest.anchor),
            CostSplit::cells(costs.total())
        )
    }

    fn taken(&self, refusal: Option<&Refusal>) -> &'static str {
        let is_solid = refusal.is_none_or(|refusal| self.terrain.is_solid(refusal.anchor));
        if is_solid { "solid" } else { "under an obstacle" }
    }

    fn is_under_obstacle(&self) -> bool {
        let is_blocked =
            matches!(self.diagnosis.outcome.reason, Some(Reason::StartSolid | Reason::GoalSolid));
        is_blocked && self.taken(self.diagnosis.refusal.as_ref()) != "solid"
    }

    fn obstacles(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.diagnosis.barring_obstacles[..] {
            [] => Ok(()),
            [cell] => write!(f, " Without the obstacle at {} it could go.", show(cell)),
            [first, .., last] => {
                write!(f, " Without the obstacles from {} to {} it could go.", show(first), show(last))
            }
        }
    }

    fn gap(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(gap) = self.diagnosis.gap.as_ref().filter(|_| self.diagnosis.barring_obstacles.is_empty())
        else {
            return Ok(());
        };
        let steps = if gap.steps == 1 { "1 step".to_owned() } else { format!("{} steps", gap.steps) };
        write!(
            f,
            " They lie in components {} and {}, which come within {steps} of each other, at {} and {}.",
            gap.start_component.number(),
            gap.goal_component.number(),
            show(gap.near_start),
            show(gap.near_goal)
        )
    }

    fn found(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Some(costs) = self.diagnosis.costs else { return Ok(()) };
        let cells = CostSplit::cells;
        write!(f, "The path costs {:.2}: {:.2} for distance", cells(costs.total()), cells(costs.distance))?;
        for (units, what) in
            [(costs.weight, "weight"), (costs.terrain, "terrain"), (costs.influence, "influence")]
        {
            if units != 0 {
                write!(f, ", {:.2} for {what}", cells(units))?;
            }
        }
        f.write_str(".")?;
        let Some(detour) = &self.diagnosis.detour else { return Ok(()) };
        write!(
            f,
            " It is {:.2} longer than the shortest path, which would cost {:.2} more for {}.",
            cells(detour.longer),
            cells(detour.saved),
            costliest_part(&detour.costs)
        )
    }
}

/// Returns what adds most to the cost beyond distance.
fn costliest_part(costs: &CostSplit) -> &'static str {
    let parts = [(costs.weight, "weight"), (costs.terrain, "terrain"), (costs.influence, "influence")];
    parts.into_iter().max_by_key(|(units, _)| *units).map_or("weight", |(_, what)| what)
}

fn needs(refusal: &Refusal) -> String {
    let blocked =
        refusal.closed.first().map_or_else(String::new, |&cell| format!(", and {} is closed", show(cell)));
    format!(
        "it needs {}x{} cells where a square of {} fits{blocked}",
        refusal.needed.w(),
        refusal.needed.h(),
        refusal.clearance
    )
}

fn show(cell: Cell) -> String {
    format!("({}, {})", cell.x, cell.y)
}
