//! The picture of a record, as SVG: solid cells in grey, and paths in the colours of what agents did, with
//! the time in seconds beside them. The agent's number is at a ring where its path began and at a disc where
//! it ended.

use std::fmt::Write as _;

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

use super::Track;

/// Pixels a cell.
const SCALE: f64 = 12.0;
/// Room below the map for what the colours and marks mean, a line each.
const LEGEND_PX: f64 = 42.0;
/// The narrowest picture: so wide are the lines.
const WIDTH_MIN_PX: f64 = 560.0;
/// Seconds from one mark on a path to the next.
const MARK_SECONDS: f64 = 5.0;
const MARKS: &str = "ring: where an agent began; disc: where it ended; dot: where it was each 5 seconds";
const COLORS: [(&str, &str); 6] = [
    ("Idle", "#888888"),
    ("Travelling", "#2f6fde"),
    ("Homing", "#19a974"),
    ("Yielding", "#ff7f0e"),
    ("Aside", "#a24bd1"),
    ("Settled", "#11573e"),
];

pub(super) fn draw<'a>(terrain: &Terrain, tracks: impl Iterator<Item = (u32, &'a Track)>) -> String {
    let region = terrain.region();
    let (w, h) = (f64::from(region.w) * SCALE, f64::from(region.h) * SCALE);
    let at = |[x, y]: [f64; 2]| ((x - f64::from(region.x)) * SCALE, (y - f64::from(region.y)) * SCALE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <rect width=\"{w}\" height=\"{h}\" fill=\"none\" stroke=\"#c9ccd1\"/>\n<path fill=\"#c9ccd1\" d=\"",
        w.max(WIDTH_MIN_PX),
        h + LEGEND_PX
    );
    for y in region.y..region.bottom() {
        // A rectangle for each run of solid cells in the row.
        let mut x = region.x;
        while x < region.right() {
            let is_solid = |x: &i32| terrain.is_solid(Cell::new(*x, y));
            let run = (x..region.right()).take_while(is_solid).count() as i32;
            if run > 0 {
                let (left, top) = at([f64::from(x), f64::from(y)]);
                let side = f64::from(run) * SCALE;
                let _ = write!(svg, "M{left} {top}h{side}v{SCALE}h-{side}z");
            }
            x += run + 1;
        }
    }
    svg.push_str("\"/>\n");
    for (id, track) in tracks {
        draw_path(&mut svg, id, track, at);
        let (first, last) = (track.path[0], track.path[track.path.len() - 1]);
        let ((x0, y0), (x, y)) = (at(first.at), at(last.at));
        let view = &track.last.view;
        let [half_x, half_y] = view.half.map(|half| f64::from(half) * SCALE);
        let mut outline = |x: f64, y: f64, look: &str| {
            let (left, top, w, h) = (x - half_x, y - half_y, half_x * 2.0, half_y * 2.0);
            let rounding = f64::from(view.rounding) * SCALE;
            let _ = writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" rx=\"{rounding:.1}\" {look}/>"
            );
        };
        outline(x0, y0, "fill=\"none\" stroke=\"#333333\"");
        outline(x, y, &format!("fill=\"{}\" fill-opacity=\"0.6\"", color(last.behaviour)));
        // Beside the bodies, with a white edge: paths run through them.
        for (x, y) in [(x0, y0), (x, y)] {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\">{id}</text>",
                x + half_x * 0.7 + 1.0,
                y - half_y * 0.7 - 1.0
            );
        }
    }
    for (n, (name, color)) in COLORS.iter().enumerate() {
        let x = 8.0 + n as f64 * 92.0;
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{}\" width=\"12\" height=\"12\" fill=\"{color}\"/><text x=\"{}\" y=\"{}\">{name}</text>",
            h + 6.0,
            x + 16.0,
            h + 16.0
        );
    }
    let _ = writeln!(svg, "<text x=\"8\" y=\"{}\">{MARKS}</text>", h + 34.0);
    svg + "</svg>\n"
}

/// Draws a line for each stretch on which the agent did the same, and a dot with the time every few seconds.
fn draw_path(svg: &mut String, id: u32, track: &Track, at: impl Fn([f64; 2]) -> (f64, f64)) {
    let mut begin = 0;
    for stretch in track.path.chunk_by(|a, b| a.behaviour == b.behaviour) {
        let end = begin + stretch.len();
        // To the beginning of the next stretch, so that there are no gaps.
        let points: Vec<String> = track.path[begin..(end + 1).min(track.path.len())]
            .iter()
            .map(|point| {
                let (x, y) = at(point.at);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        begin = end;
        let _ = writeln!(
            svg,
            "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"{}\"><title>{id}: {}, from {:.2} s</title></polyline>",
            color(stretch[0].behaviour),
            points.join(" "),
            stretch[0].behaviour,
            stretch[0].seconds
        );
    }
    for pair in track.path.windows(2) {
        let mark = (pair[1].seconds / MARK_SECONDS).floor();
        if mark > (pair[0].seconds / MARK_SECONDS).floor() {
            let (x, y) = at(pair[1].at);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.5\" fill=\"#333333\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"8\" fill=\"#333333\">{} s</text>",
                x + 3.0,
                y - 3.0,
                mark * MARK_SECONDS
            );
        }
    }
}

fn color(behaviour: &str) -> &'static str {
    COLORS.iter().find(|(name, _)| *name == behaviour).map_or("#000000", |(_, color)| color)
}
