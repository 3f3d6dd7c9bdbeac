use pathforge_core::geometry::{Cell, CellRect};

/// Every cell that a body of `w` × `h` cells overlaps at some moment, while its top-left corner slides in a
/// straight line from that of the cell `a` to that of `b`. Touching an edge or a corner is no overlap.
///
/// The body's left edge is at a.x + t·dx for t from 0 to 1. It overlaps column c while a.x + t·dx < c + 1 and
/// a.x + t·dx + w > c, and rows likewise. Each gives an open interval of t, counted in parts of
/// 1/(|dx|·|dy|). The cell is overlapped when both and the slide have a moment in common.
pub fn sweep(w: i32, h: i32, a: Cell, b: Cell) -> Vec<Cell> {
    let (dx, dy) = (i64::from(b.x - a.x), i64::from(b.y - a.y));
    let parts = dx.abs().max(1) * dy.abs().max(1);
    let (left, top) = (a.x.min(b.x), a.y.min(b.y));
    let bounds = CellRect::new(left, top, a.x.max(b.x) - left + w, a.y.max(b.y) - top + h);
    let overlapped = |cell: &Cell| {
        let columns = moments(i64::from(cell.x - a.x), i64::from(w), dx, parts);
        let rows = moments(i64::from(cell.y - a.y), i64::from(h), dy, parts);
        let (begin, end) = (columns.0.max(rows.0), columns.1.min(rows.1));
        // An open interval meets the closed one from 0 to `parts`.
        begin < end && begin < parts && end > 0
    };
    bounds.cells().filter(overlapped).collect()
}

/// When a stretch of `side` that begins at 0 and moves by `step` overlaps the unit at `at`: the open
/// interval, in parts.
fn moments(at: i64, side: i64, step: i64, parts: i64) -> (i64, i64) {
    // Overlap while at − side < t·step < at + 1.
    let (low, high) = (at - side, at + 1);
    match step.signum() {
        0 if low < 0 && high > 0 => (i64::MIN, i64::MAX),
        0 => (0, 0),
        1 => (low * (parts / step), high * (parts / step)),
        _ => (high * (parts / step), low * (parts / step)),
    }
}
