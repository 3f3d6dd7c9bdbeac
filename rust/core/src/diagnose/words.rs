//! A diagnosis in words.

use std::fmt::{self, Display, Formatter};

use super::{CostSplit, Diagnosis, LinkBar, Refusal};
use crate::geometry::{Cell, CellRect};
use crate::terrain::Terrain;
use crate::world::{GoalMode, Reason};

/// More sentences than this are not read: the first says what is in the way and where, those after it give
/// numbers.
const SENTENCES_MAX: usize = 3;

/// Writes a diagnosis as at most three English sentences, with the names that the game gives its terrains.
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
        let sentences = match self.diagnosis.outcome.reason {
            None => [self.detour(), self.costs()].into_iter().flatten().collect(),
            Some(reason) => self.refused(reason),
        };
        f.write_str(&sentences[..sentences.len().min(SENTENCES_MAX)].join(" "))
    }
}

impl<N: Fn(u8) -> String> Words<'_, N> {
    /// What is in the way, and what would help, the most telling first.
    fn refused(&self, reason: Reason) -> Vec<String> {
        let apart = matches!(reason, Reason::Disconnected);
        // What parts the ends is the first sentence; what is no part of the body's way says nothing of an end
        // that refuses.
        let (links, edges) = (self.links(), self.edges());
        let causes = [self.obstacles(), links, self.narrow(), self.barring(), edges, self.edit(), self.gap()];
        let mut sentences: Vec<String> = causes.into_iter().flatten().collect();
        if !apart {
            sentences.insert(0, self.end(reason));
        } else if sentences.is_empty() {
            sentences.push("No path for the body joins the two ends.".to_owned());
        }
        if let Some(nearest) = self.nearest() {
            sentences.insert(1, nearest);
        }
        sentences
    }

    /// Why there can be no path, from one end or from the question alone.
    fn end(&self, reason: Reason) -> String {
        let refusal = self.diagnosis.refusal.as_ref();
        let (at, needs) =
            (refusal.map_or_else(String::new, |r| show(r.anchor)), refusal.map_or_else(String::new, needs));
        let name = || refusal.map_or_else(String::new, |r| (self.name)(self.terrain.terrain(r.anchor)));
        match reason {
            Reason::StartOutOfBounds => format!("The start {at} lies outside the region {}.", self.region()),
            Reason::GoalOutOfBounds => format!("The goal {at} lies outside the region {}.", self.region()),
            Reason::StartSolid => format!("The start {at} is {}.", self.taken(refusal)),
            Reason::GoalSolid => format!("The goal {at} is {}.", self.taken(refusal)),
            Reason::StartTerrain => format!("The start {at} is {}, which the body may not enter.", name()),
            Reason::GoalTerrain => format!("The goal {at} is {}, which the body may not enter.", name()),
            Reason::StartClearance => format!("The body does not fit at the start {at}: {needs}."),
            Reason::GoalClearance if !self.is_exact() => {
                format!("The body fits nowhere over the goal {at}: {needs}.")
            }
            Reason::GoalClearance => format!("The body does not fit at the goal {at}: {needs}."),
            Reason::Disconnected => String::new(),
            Reason::Limit => "The search met its limit before it came to the goal.".to_owned(),
            Reason::Cancelled => "The request was taken back.".to_owned(),
            Reason::EmptyGrid => "The map has no cells.".to_owned(),
            Reason::NoGrid => "There is no map.".to_owned(),
            Reason::BadProfile => "The profile has a number out of its limits.".to_owned(),
        }
    }

    fn region(&self) -> String {
        let CellRect { x, y, w, h } = self.terrain.region();
        format!("({x}, {y}, {w}, {h})")
    }

    fn is_exact(&self) -> bool {
        self.diagnosis.goal_mode == GoalMode::Exact
    }

    fn nearest(&self) -> Option<String> {
        let (nearest, costs) = self.diagnosis.nearest.zip(self.diagnosis.costs)?;
        Some(format!(
            "It can come within {:.2} cells of the goal, at {}, which costs {:.2}.",
            nearest.distance,
            show(nearest.anchor),
            CostSplit::cells(costs.total())
        ))
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

    fn obstacles(&self) -> Option<String> {
        Some(match self.diagnosis.barring_obstacles[..] {
            [] => return None,
            [cell] => format!("An obstacle is in the way, at {}.", show(cell)),
            [first, .., last] => format!("Obstacles are in the way, from {} to {}.", show(first), show(last)),
        })
    }

    fn edges(&self) -> Option<String> {
        let edges = &self.diagnosis.barring_edges;
        let first = edges.first()?;
        let (from, to) = (show(first.cell), show(first.side.beyond(first.cell)));
        if first.is_too_steep {
            let first = if edges.len() == 1 { "" } else { ", first" };
            return Some(format!("The ground is too steep for the body{first} between {from} and {to}."));
        }
        Some(match (edges.len(), first.is_one_way) {
            (1, false) => format!("A blocked edge is in the way, between {from} and {to}."),
            (_, false) => format!("Blocked edges are in the way, the first between {from} and {to}."),
            (1, true) => format!("A one-way edge is in the way: it leads from {to} to {from} only."),
            (_, true) => format!("One-way edges are in the way: the first leads from {to} to {from} only."),
        })
    }

    fn links(&self) -> Option<String> {
        let link = self.diagnosis.barring_links.first()?;
        let tag = self.terrain.link(link.id.into()).map_or("", |link| &link.tag);
        let name = if tag.is_empty() { format!("link {}", link.id) } else { format!("link \"{tag}\"") };
        let ends = format!("The {name} from {} to {}", show(link.from), show(link.to));
        Some(match link.bar {
            LinkBar::Disabled => format!("{ends} is disabled."),
            LinkBar::Terrain => format!("{ends} is not for the body's terrains."),
            LinkBar::TooLarge(most) => {
                format!("{ends} takes bodies of at most {}x{} cells.", most.w(), most.h())
            }
            LinkBar::OneWay => format!("{ends} leads the other way only."),
        })
    }

    fn narrow(&self) -> Option<String> {
        let widest = self.diagnosis.widest.filter(|widest| widest.side > 0)?;
        let side = widest.side;
        Some(match widest.bottleneck {
            Some(cell) => format!(
                "The way is too narrow at {}: a square body that gets there has at most side {side}.",
                show(cell)
            ),
            None => format!("A square body that gets there has at most side {side}."),
        })
    }

    fn barring(&self) -> Option<String> {
        let names: Vec<String> = self.diagnosis.barring_terrains.iter().map(|&id| (self.name)(id)).collect();
        let names = (!names.is_empty()).then(|| names.join(" and "))?;
        let between = self.diagnosis.gap.as_ref().map_or_else(String::new, |gap| {
            format!(", between {} and {}", show(gap.near_start), show(gap.near_goal))
        });
        Some(format!("In the way is {names}{between}: a body that may enter it could go."))
    }

    fn edit(&self) -> Option<String> {
        // Obstacles come and go: that they bar the path says more than that one of them came last.
        let is_obstructed = self.is_under_obstacle() || !self.diagnosis.barring_obstacles.is_empty();
        let is_barred = is_obstructed || !self.diagnosis.barring_links.is_empty();
        let rect = self.diagnosis.closed_by.filter(|_| !is_barred)?;
        let at = show(Cell::new(rect.x, rect.y));
        Some(format!("The edit of {}x{} cells at {at} closed the last path.", rect.w, rect.h))
    }

    fn gap(&self) -> Option<String> {
        let Diagnosis { gap, barring_obstacles, barring_edges, barring_links, .. } = self.diagnosis;
        // What bars the way says more than how near both sides of it are.
        let is_barred =
            !(barring_obstacles.is_empty() && barring_edges.is_empty() && barring_links.is_empty());
        let gap = gap.as_ref().filter(|_| !is_barred)?;
        let steps = if gap.steps == 1 { "1 step".to_owned() } else { format!("{} steps", gap.steps) };
        Some(format!(
            "What the body can reach from either end comes within {steps} of each other, at {} and {}.",
            show(gap.near_start),
            show(gap.near_goal)
        ))
    }

    fn costs(&self) -> Option<String> {
        let costs = self.diagnosis.costs?;
        let extras = costs.extras().into_iter().filter(|(units, _)| *units != 0);
        let parts: Vec<String> = std::iter::once((costs.distance, "distance"))
            .chain(extras)
            .map(|(units, what)| format!("{:.2} for {what}", CostSplit::cells(units)))
            .collect();
        Some(format!("The path costs {:.2}: {}.", CostSplit::cells(costs.total()), parts.join(", ")))
    }

    /// What the path goes around, where, and what that saves.
    fn detour(&self) -> Option<String> {
        let (detour, chosen) = self.diagnosis.detour.as_ref().zip(self.diagnosis.costs)?;
        let more = detour.costs.less(&chosen);
        let (_, what) = more.extras().into_iter().max_by_key(|(units, _)| *units)?;
        let place = detour.avoided.get(detour.avoided.len() / 2);
        let around = place.map_or_else(String::new, |&cell| {
            let what =
                if what == "terrain" { (self.name)(self.terrain.terrain(cell)) } else { what.to_owned() };
            format!(" around {what} at {}", show(cell))
        });
        let parts: Vec<String> = (more.extras().into_iter().chain([(more.distance, "distance")]))
            .filter(|(units, _)| *units != 0)
            .map(|(units, what)| {
                let which = if units > 0 { "more" } else { "less" };
                format!("{:.2} {which} for {what}", CostSplit::cells(units.abs()))
            })
            .collect();
        Some(format!(
            "The path goes{around}: the shortest, {:.2} shorter, would cost {:.2} more, {}.",
            CostSplit::cells(detour.longer),
            CostSplit::cells(detour.saved),
            parts.join(", ")
        ))
    }
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
