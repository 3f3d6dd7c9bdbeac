//! The picture of a record, as SVG: solid cells in grey, paths by what was done there, a ring where each began, and a disc and a number
//! where it ended.

use std::fmt::Write as _;

use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;

use super::Track;

/// Pixels a cell.
const SCALE: f64 = 12.0;
/// Room below the map for what the colours mean.
const LEGEND_PX: f64 = 24.0;
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
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w} {}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<path fill=\"#c9ccd1\" d=\"",
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
        for part in track.path.chunk_by(|a, b| a.1 == b.1) {
            let points: Vec<String> = part
                .iter()
                .map(|&(point, _)| {
                    let (x, y) = at(point);
                    format!("{x:.1},{y:.1}")
                })
                .collect();
            let _ = writeln!(
                svg,
                "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"{}\" points=\"{}\"><title>{id}: {}</title></polyline>",
                color(part[0].1),
                points.join(" "),
                part[0].1
            );
        }
        let (first, last) = (track.path[0], track.path[track.path.len() - 1]);
        let ((x0, y0), (x, y)) = (at(first.0), at(last.0));
        let radius = f64::from(track.last.view.radius) * SCALE;
        let _ = writeln!(
            svg,
            "<circle cx=\"{x0:.1}\" cy=\"{y0:.1}\" r=\"{radius:.1}\" fill=\"none\" stroke=\"#333333\"/>\n\
             <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{}\" fill-opacity=\"0.6\"/>\n\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{id}</text>",
            color(last.1),
            y + 4.0
        );
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
    svg + "</svg>\n"
}

fn color(behaviour: &str) -> &'static str {
    COLORS.iter().find(|(name, _)| *name == behaviour).map_or("#000000", |(_, color)| color)
}
