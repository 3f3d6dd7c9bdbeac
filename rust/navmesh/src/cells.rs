//! Bakes a map of cells without overlay and triangles: a sweep over slabs of rows.
//!
//! Where a box fits changes along y only where its upper or lower side crosses a grid line. Between two such
//! heights lies a *slab*, in which the box covers the same rows of cells. Their bits are joined by AND, and
//! each run of ones that is wide enough is an interval of free centres. Equal intervals of consecutive slabs
//! are one rectangle. Takes a few passes over the words and O(r log r) for r rectangles.

use pathforge_core::bitgrid::BitGrid;

use super::agent_shape::AgentShape;
use super::convex::Polygons;
use super::error::{EmptyReason, NavMeshError};
use super::mesh::NavMesh;
use super::settings::{BakeSettings, Corner};
use super::slab_outlines::{Slab, trace};
use super::units::{Point, UNITS_PER_PX, to_units};

/// Heights within this distance, in units, are one: they differ by the rounding of grid lines.
const MERGE_DISTANCE: i32 = 1;
/// Intervals are wider than this, in units.
const WIDTH_MIN: i32 = 2;

/// Bakes a map whose open cells are the ones of `open`, with its top-left corner at `origin_px`, as a mesh of
/// rectangles.
///
/// The result has the area of [`super::bake`] with the open cells as floor and a box of the agent's
/// half-extents. For round agents, give the cells' rectangles to [`super::bake`].
///
/// # Errors
/// If the cell size is below 1/64 pixel, or the map reaches too far out.
pub fn bake_cells(
    open: &BitGrid,
    origin_px: [f64; 2],
    cell_px: [f64; 2],
    settings: &BakeSettings,
) -> Result<NavMesh, NavMeshError> {
    if cell_px.iter().any(|s| !s.is_finite() || *s < 1.0 / UNITS_PER_PX) {
        return Err(NavMeshError::BadCellSize { size_px: cell_px });
    }
    let lines = |axis: usize, count: u32| -> Result<Vec<i32>, NavMeshError> {
        // From the origin each time, so that errors do not add up along the row.
        (0..=count).map(|i| to_units(f64::from(i).mul_add(cell_px[axis], origin_px[axis]))).collect()
    };
    let layout = open.layout();
    let (xs, ys) = (lines(0, layout.width())?, lines(1, layout.height())?);
    // Slabs are exact for boxes alone.
    let box_settings = BakeSettings::new(settings.half_extents_px(), Corner::Box)?;
    let slabs = slabs(open, &xs, &ys, &AgentShape::new(&box_settings));
    if slabs.is_empty() {
        let none = open.count() == 0;
        return Ok(NavMesh::empty(if none { EmptyReason::NoFloor } else { EmptyReason::AgentTooLarge }));
    }
    let (points, polygons) = rectangles(&slabs);
    Ok(NavMesh::from_parts(&points, polygons, &trace(&slabs)))
}

/// The slabs from the top, without empty ones.
fn slabs(open: &BitGrid, xs: &[i32], ys: &[i32], agent: &AgentShape) -> Vec<Slab> {
    let (first, last) = (ys[0] + agent.half_y, ys[ys.len() - 1] - agent.half_y);
    // The heights at which a side of the box, moving down, meets a grid line.
    let mut heights: Vec<i32> = ys
        .iter()
        .flat_map(|y| [y - agent.half_y, y + agent.half_y])
        // Beyond them the box leaves the map.
        .filter(|y| (first..=last).contains(y))
        .collect();
    heights.sort_unstable();
    heights.dedup_by(|next, kept| *next - *kept <= MERGE_DISTANCE);
    let mut slabs = Vec::new();
    let mut words = Vec::new();
    for pair in heights.windows(2) {
        // Any height inside will do; the middle is the farthest from both roundings.
        let middle = i32::midpoint(pair[0], pair[1]);
        // The rows that the box overlaps. Rows that only its side touches may be blocked.
        let row0 = ys.partition_point(|&y| y <= middle - agent.half_y) - 1;
        let row1 = ys.partition_point(|&y| y < middle + agent.half_y);
        join_rows(open, row0, row1.max(row0 + 1), &mut words);
        let mut slab = Slab { y0: pair[0], y1: pair[1], intervals: Vec::new() };
        for_each_run(&words, |start, end| {
            // The centre stays half a width away from both ends of the run.
            let interval = [xs[start] + agent.half_x, xs[end] - agent.half_x];
            if interval[1] - interval[0] > WIDTH_MIN {
                slab.intervals.push(interval);
            }
        });
        if !slab.intervals.is_empty() {
            slabs.push(slab);
        }
    }
    slabs
}

/// Sets `words` to the columns that are open in all of these rows, padded.
fn join_rows(open: &BitGrid, row0: usize, row1: usize, words: &mut Vec<u64>) {
    let mut buffer = Vec::new();
    words.clear();
    words.extend_from_slice(open.row_words(row0 + 1, &mut buffer));
    for y in row0 + 1..row1 {
        for (word, other) in words.iter_mut().zip(open.row_words(y + 1, &mut buffer)) {
            *word &= other;
        }
    }
}

/// Calls `run` with the first column of each run of ones and the one after its last. Bit 0 is the padding.
fn for_each_run(words: &[u64], mut run: impl FnMut(usize, usize)) {
    let mut start = None;
    for (i, &word) in words.iter().enumerate() {
        let mut bit = 0;
        while bit < 64 {
            // The next change of the bit: the next one outside of a run, the next zero inside.
            let rest = if start.is_some() { !word } else { word } >> bit;
            if rest == 0 {
                break;
            }
            bit += rest.trailing_zeros();
            let column = i * 64 + bit as usize - 1;
            match start.take() {
                None => start = Some(column),
                Some(first) => run(first, column),
            }
        }
    }
    // Rows end with a padding column of zero, so no run is left open.
    debug_assert_eq!(start, None);
}

/// A rectangle by the indices of the heights of its upper and lower side.
struct Rect {
    x0: i32,
    x1: i32,
    upper: usize,
    lower: usize,
}

/// The slabs as rectangles with shared corners.
fn rectangles(slabs: &[Slab]) -> (Vec<Point>, Polygons) {
    let mut heights: Vec<i32> = slabs.iter().flat_map(|slab| [slab.y0, slab.y1]).collect();
    heights.dedup();
    let rects = stacked(slabs, &heights);
    // The corners of each height, sorted by x.
    let mut corners: Vec<Vec<i32>> = vec![Vec::new(); heights.len()];
    for rect in &rects {
        corners[rect.upper].extend([rect.x0, rect.x1]);
        corners[rect.lower].extend([rect.x0, rect.x1]);
    }
    let mut points = Vec::new();
    let mut first_of = Vec::with_capacity(heights.len());
    for (row, &y) in corners.iter_mut().zip(&heights) {
        // Each height's corners are numbered from the left, so a side is a range of numbers.
        row.sort_unstable();
        row.dedup();
        first_of.push(points.len());
        points.extend(row.iter().map(|&x| Point::new(x, y)));
    }
    let mut polygons = Polygons::default();
    for rect in &rects {
        // All corners on a side belong to it, since polygons connect only where whole edges are the same.
        let side = |line: usize| {
            let row = &corners[line];
            let range = row.partition_point(|&x| x < rect.x0)..row.partition_point(|&x| x <= rect.x1);
            let first = first_of[line];
            range.map(move |i| (first + i) as u32)
        };
        polygons.push(side(rect.upper).chain(side(rect.lower).rev()));
    }
    (points, polygons)
}

/// Joins equal intervals of consecutive slabs.
fn stacked(slabs: &[Slab], heights: &[i32]) -> Vec<Rect> {
    let mut rects: Vec<Rect> = Vec::new();
    // The rectangles that reach down to this height, as indices in `rects`.
    let mut above: Vec<usize> = Vec::new();
    let mut below: Vec<usize> = Vec::new();
    let mut upper = 0;
    for slab in slabs {
        while heights[upper] < slab.y0 {
            upper += 1;
        }
        // Both lists are sorted by x, so one pass over both finds the equal ones.
        let mut candidates = above.iter().copied().peekable();
        for &[x0, x1] in &slab.intervals {
            while candidates.next_if(|&r| rects[r].x0 < x0).is_some() {}
            // Only if nothing lies between: a slab that was empty ends all rectangles.
            let same = candidates
                .next_if(|&r| rects[r].x0 == x0 && rects[r].x1 == x1 && heights[rects[r].lower] == slab.y0);
            if let Some(index) = same {
                rects[index].lower = upper + 1;
                below.push(index);
            } else {
                below.push(rects.len());
                rects.push(Rect { x0, x1, upper, lower: upper + 1 });
            }
        }
        std::mem::swap(&mut above, &mut below);
        below.clear();
    }
    rects
}
