//! How a body comes onto a path that was found from where it was some frames ago.
//!
//! From where it is, the cells of the path and its smoothed corners, a line of points that the whole body can
//! walk along: it enters the path as far ahead as it can see.

use super::polyline::{LinkLeg, Polyline};
use super::{Ground, Point};
use crate::geometry::{Cell, Footprint};
use crate::world::{GoalMode, PathOutcome, Status};

/// A body that is so near to a cell of the path is on it, in cells.
const NEAR: f64 = 1.5;
/// Cells of the path that are looked at for a straight line onto it.
const LOOKS_MAX: usize = 24;

/// Returns the line of a body at `position` along a path; the first point is `position`. It goes on from the
/// cell of the path that the body is on; if it is on none, along the nearest line that it can walk to the end
/// of, or from the path's start. A complete path ends at the target itself where there is room. `None` if no
/// straight line with room leads from the body onto the path.
pub(super) fn enter_path(
    ground: &Ground<'_>,
    position: Point,
    outcome: &PathOutcome,
    (target, mode): (Point, GoalMode),
) -> Option<Polyline> {
    let cells = outcome.route.cells();
    let ends = outcome.smoothed.as_deref().unwrap_or(&cells);
    let parts = parts(outcome, &cells, ends);
    // The body may be behind some links already.
    let is_on = |part: &Part<'_>| cell_underfoot(ground, position, part.cells).is_some();
    let first = parts.iter().rposition(is_on).unwrap_or(0);
    let mut points = onto(ground, position, parts.get(first)?.cells, parts[first].ends)?;
    let mut links = Vec::new();
    for part in &parts[first + 1..] {
        let link = part.link.and_then(|id| Some((id, ground.terrain.link(id.into()).ok()?)));
        links.extend(link.map(|(id, link)| LinkLeg {
            index: points.len(),
            id,
            bodies_max: link.bodies_max,
            seconds: link.seconds,
        }));
        points.extend(part.ends.iter().map(|&cell| ground.center(cell)));
    }
    let ends_with_link = links.last().is_some_and(|link| link.index + 1 == points.len());
    // A body that only has to cover a cell is there as soon as it does.
    let covers = mode == GoalMode::Cover && ground.profile.footprint != Footprint::ONE;
    if let [.., before, last] = points[..]
        && !covers
        && outcome.status == Status::Complete
        && ground.has_room(last, target)
    {
        if !ends_with_link && ground.has_room(before, target) {
            points.pop();
        }
        points.push(target);
    }
    Some(Polyline::with_links(points, links))
}

/// The part of a path up to a link, or to its end.
struct Part<'a> {
    /// The link that leads to it.
    link: Option<u32>,
    cells: &'a [Cell],
    ends: &'a [Cell],
}

/// Returns the parts of a path between its links, in order.
fn parts<'a>(outcome: &PathOutcome, mut cells: &'a [Cell], mut ends: &'a [Cell]) -> Vec<Part<'a>> {
    let (mut parts, mut link) = (Vec::new(), None);
    for ([from, to], id) in outcome.route.link_ends() {
        let split = |all: &'a [Cell]| {
            let place = all.windows(2).position(|pair| pair == [from, to]).map_or(all.len(), |n| n + 1);
            all.split_at(place)
        };
        let (own_cells, rest_of_cells) = split(cells);
        let (own_ends, rest_of_ends) = split(ends);
        parts.push(Part { link, cells: own_cells, ends: own_ends });
        (cells, ends, link) = (rest_of_cells, rest_of_ends, Some(id));
    }
    parts.push(Part { link, cells, ends });
    parts
}

fn onto(ground: &Ground<'_>, position: Point, cells: &[Cell], ends: &[Cell]) -> Option<Vec<Point>> {
    let center = |n: usize| ground.center(cells[n]);
    let last = cells.len().checked_sub(1)?;
    let underfoot = cell_underfoot(ground, position, cells);
    let here = underfoot.unwrap_or(0);
    // The first end of a straight line that lies ahead, by its index among the cells.
    let mut ahead = last;
    let mut rest: &[Cell] = &cells[last..];
    let mut at = 0;
    for (n, &end) in ends.iter().enumerate() {
        at += cells[at..].iter().position(|&cell| cell == end).unwrap_or(0);
        if at > here {
            (ahead, rest) = (at, &ends[n..]);
            break;
        }
    }
    let mut points = vec![position];
    if underfoot.is_none()
        && let Some(n) = nearest_line(ground, position, ends)
    {
        rest = &ends[n..];
    } else if !ground.has_room(position, center(ahead)) {
        // Onto the path, as far along it as can be seen, and along it until the line is seen.
        let seen = (here..ahead).take(LOOKS_MAX).take_while(|&n| ground.has_room(position, center(n))).last();
        let first = if let Some(first) = seen {
            first
        } else {
            let line = ground.line_onto(position, cells[here])?;
            points.extend(&line[..line.len() - 1]);
            here
        };
        for (looks, n) in (first..ahead).enumerate() {
            points.push(center(n));
            if looks < LOOKS_MAX && ground.has_room(center(n), center(ahead)) {
                break;
            }
        }
    }
    points.extend(rest.iter().map(|&cell| ground.center(cell)));
    Some(points)
}

/// Returns the index in `cells` of the one that the body is on: the nearest that it can walk to, the last of
/// several.
fn cell_underfoot(ground: &Ground<'_>, position: Point, cells: &[Cell]) -> Option<usize> {
    let centers = cells.iter().map(|&cell| ground.center(cell));
    let near = centers.map(|center| (center.distance(position), center)).enumerate();
    nearest_with_room(ground, position, near.filter(|(_, (far, _))| *far <= NEAR))
}

/// Returns the index in `ends` of the end of the straight line that the body is nearest to, of those whose
/// end it can walk to, the last of several. Such a line may lead far from the cells that it stands for, and
/// first steps far from the whole path.
fn nearest_line(ground: &Ground<'_>, position: Point, ends: &[Cell]) -> Option<usize> {
    let lines = ends.windows(2).map(|line| (ground.center(line[0]), ground.center(line[1])));
    let lines = lines.map(|(from, to)| (position.distance(position.nearest_on(from, to)), to));
    nearest_with_room(ground, position, lines.enumerate()).map(|n| n + 1)
}

/// Returns the number of the candidate that is least far away, of those whose point the body can walk to, the
/// last of several.
fn nearest_with_room(
    ground: &Ground<'_>,
    position: Point,
    candidates: impl Iterator<Item = (usize, (f64, Point))>,
) -> Option<usize> {
    let mut best: Option<(f64, usize)> = None;
    for (n, (far, point)) in candidates {
        if best.is_none_or(|(least, _)| far <= least) && ground.has_room(position, point) {
            best = Some((far, n));
        }
    }
    best.map(|(_, n)| n)
}
