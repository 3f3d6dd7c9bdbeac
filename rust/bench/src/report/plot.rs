//! Plots as SVG: lines on two logarithmic axes, on a card of its own colours, so that it reads on any page.

use std::io;

use plotters::coord::Shift;
use plotters::coord::combinators::BindKeyPoints;
use plotters::prelude::*;

/// A plot.
#[derive(Debug)]
pub struct Plot {
    /// The file's name without its ending.
    pub name: &'static str,
    /// What it shows.
    pub title: String,
    /// What goes to the right.
    pub x: &'static str,
    /// What goes up; seconds are written with fitting units.
    pub y: &'static str,
    /// Lines with their names.
    pub lines: Vec<(String, Vec<[f64; 2]>)>,
}

const SIZE: (u32, u32) = (760, 440);
const FONT: &str = "system-ui, sans-serif";
const CARD: RGBColor = RGBColor(0x15, 0x1e, 0x28);
const TITLE: RGBColor = RGBColor(0xe8, 0xed, 0xf2);
const TEXT: RGBColor = RGBColor(0xa7, 0xb6, 0xc4);
const GRID: RGBColor = RGBColor(0x31, 0x41, 0x51);
const LINES: [RGBColor; 4] = [
    RGBColor(0x5f, 0xd0, 0xc0),
    RGBColor(0xf6, 0xc4, 0x53),
    RGBColor(0xf0, 0x7a, 0x55),
    RGBColor(0xea, 0x8b, 0xa6),
];

impl Plot {
    /// The picture.
    ///
    /// # Errors
    /// When it cannot be drawn.
    pub fn svg(&self) -> io::Result<String> {
        let mut svg = String::new();
        self.draw(&SVGBackend::with_string(&mut svg, SIZE).into_drawing_area()).map_err(io::Error::other)?;
        Ok(svg)
    }

    fn draw(&self, area: &Area<'_>) -> Result<(), DrawingAreaErrorKind<io::Error>> {
        let points = || self.lines.iter().flat_map(|(_, points)| points);
        let mut ticks: Vec<f64> = points().map(|[x, _]| *x).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        let (x, y) = (range(points().map(|[x, _]| *x)), range(points().map(|[_, y]| *y)));
        let decades =
            (y.start.log10().ceil() as i32..=y.end.log10().floor() as i32).map(|power| 10_f64.powi(power));
        let decades = decades.collect();

        area.fill(&CARD)?;
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, (FONT, 20).into_font().color(&TITLE))
            .margin(14)
            .margin_right(28)
            .x_label_area_size(46)
            .y_label_area_size(60)
            .build_cartesian_2d(
                x.log_scale().with_key_points(ticks),
                y.log_scale().with_key_points(decades),
            )?;
        chart
            .configure_mesh()
            .bold_line_style(GRID)
            .light_line_style(TRANSPARENT)
            .axis_style(GRID)
            .label_style((FONT, 16).into_font().color(&TEXT))
            .x_desc(self.x)
            .x_label_formatter(&|value| short(*value))
            .y_label_formatter(&|value| self.tick(*value))
            .draw()?;
        for ((name, points), colour) in self.lines.iter().zip(LINES.iter().cycle()) {
            let line = LineSeries::new(points.iter().map(|[x, y]| (*x, *y)), colour.filled().stroke_width(3));
            chart
                .draw_series(line.point_size(4))?
                .label(name)
                .legend(|(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(3)));
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(CARD)
            .border_style(GRID)
            .label_font((FONT, 16).into_font().color(&TEXT))
            .draw()?;
        area.present()
    }

    fn tick(&self, value: f64) -> String {
        if self.y != "seconds" {
            return short(value);
        }
        match value {
            v if v < 0.9e-6 => format!("{:.0} ns", v * 1e9),
            v if v < 0.9e-3 => format!("{:.0} µs", v * 1e6),
            v if v < 0.9 => format!("{:.0} ms", v * 1e3),
            v => format!("{v:.0} s"),
        }
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// What the values cover, with some room.
fn range(values: impl Iterator<Item = f64> + Clone) -> std::ops::Range<f64> {
    let (low, high) =
        values.fold((f64::INFINITY, 0.0_f64), |(low, high), value| (low.min(value), high.max(value)));
    let room = (high / low).max(3.0).powf(0.04);
    low / room..high * room
}

/// A round number as people write it: 10k.
fn short(value: f64) -> String {
    if value >= 10_000.0 && value % 1000.0 == 0.0 {
        format!("{:.0}k", value / 1000.0)
    } else {
        format!("{value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_name_and_points() {
        let plot = Plot {
            name: "p",
            title: "Time < map".into(),
            x: "side",
            y: "seconds",
            lines: vec![
                ("ours".into(), vec![[64.0, 1e-6], [128.0, 2e-6]]),
                ("theirs".into(), vec![[64.0, 1e-3], [128.0, 4e-3]]),
            ],
        };
        let svg = plot.svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 4);
        for text in ["ours", "theirs", "1 ms", "128", "Time &lt; map"] {
            assert!(svg.contains(&format!(">\n{text}\n</text>")), "{text} in {svg}");
        }
    }
}
