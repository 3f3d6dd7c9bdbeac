//! Plots as SVG: lines on two logarithmic axes, on a card of its own colours, so that it reads on any page.

use std::fmt::Write as _;

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

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 440.0;
/// What is left around the axes: left, top, right, bottom. Names of lines are on the right.
const MARGIN: [f64; 4] = [74.0, 58.0, 140.0, 56.0];
const COLOURS: [&str; 5] = ["#5fd0c0", "#f6c453", "#f07a55", "#ea8ba6", "#a7b6c4"];
/// Names of lines keep so far apart.
const NAME_HEIGHT: f64 = 19.0;

/// One axis: the powers of ten, or of two, between which it runs.
struct Axis {
    from: f64,
    to: f64,
    start: f64,
    end: f64,
}

impl Axis {
    /// Covers `values` on the screen from `start` to `end`.
    fn new(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Self {
        let logs = values.filter(|value| *value > 0.0).map(f64::log10);
        let (low, high) = logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let room = (high - low).max(0.5) * 0.04;
        Self { from: low - room, to: high + room, start, end }
    }

    fn at(&self, value: f64) -> f64 {
        self.start + (value.log10() - self.from) / (self.to - self.from) * (self.end - self.start)
    }

    /// The powers of ten on it.
    fn decades(&self) -> impl Iterator<Item = f64> {
        (self.from.ceil() as i32..=self.to.floor() as i32).map(|power| 10.0_f64.powi(power))
    }
}

impl Plot {
    /// The picture.
    pub fn svg(&self) -> String {
        let all = || self.lines.iter().flat_map(|(_, points)| points).copied();
        let [left, top, right, bottom] = MARGIN;
        let x = Axis::new(all().map(|[x, _]| x), left, WIDTH - right);
        let y = Axis::new(all().map(|[_, y]| y), HEIGHT - bottom, top);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\" fill=\"#a7b6c4\" role=\"img\">\n<title>{}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"12\" fill=\"#151e28\"/>\n\
             <text x=\"{left}\" y=\"34\" font-size=\"17\" font-weight=\"600\" fill=\"#e8edf2\">{}</text>\n",
            escaped(&self.title),
            escaped(&self.title)
        );
        self.draw_axes(&mut svg, &x, &y);
        self.draw_lines(&mut svg, &x, &y);
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_axes(&self, svg: &mut String, x: &Axis, y: &Axis) {
        for value in y.decades() {
            let at = y.at(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{:.1} {at:.1}H{:.1}\" stroke=\"#314151\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                x.start,
                x.end,
                x.start - 10.0,
                at + 4.5,
                self.tick(value)
            );
        }
        let mut ticks: Vec<f64> = self.lines.iter().flat_map(|(_, points)| points).map(|[x, _]| *x).collect();
        ticks.sort_by(f64::total_cmp);
        ticks.dedup();
        for value in ticks {
            let at = x.at(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {:.1}V{:.1}\" stroke=\"#253240\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                y.start,
                y.end,
                y.start + 20.0,
                short(value)
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#8193a4\">{}</text>",
            f64::midpoint(x.start, x.end),
            HEIGHT - 12.0,
            escaped(self.x)
        );
    }

    fn draw_lines(&self, svg: &mut String, x: &Axis, y: &Axis) {
        // Names are where the lines end, moved apart from the top down.
        let mut ends: Vec<(f64, usize)> = self
            .lines
            .iter()
            .enumerate()
            .filter_map(|(number, (_, points))| points.last().map(|[_, value]| (y.at(*value), number)))
            .collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = f64::NEG_INFINITY;
        for (height, number) in ends {
            let (name, points) = &self.lines[number];
            let colour = COLOURS[number % COLOURS.len()];
            let path: Vec<String> =
                points.iter().map(|[px, py]| format!("{:.1} {:.1}", x.at(*px), y.at(*py))).collect();
            let _ = writeln!(
                svg,
                "<path d=\"M{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
                path.join("L")
            );
            for [px, py] in points {
                let (px, py) = (x.at(*px), y.at(*py));
                let _ = writeln!(svg, "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"{colour}\"/>");
            }
            let place = height.max(free);
            free = place + NAME_HEIGHT;
            let last = points.last().map_or(x.end, |[px, _]| x.at(*px));
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
                last + 10.0,
                place + 4.5,
                escaped(name)
            );
        }
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

/// A round number as people write it: 10k.
fn short(value: f64) -> String {
    if value >= 10_000.0 && value % 1000.0 == 0.0 {
        format!("{:.0}k", value / 1000.0)
    } else {
        format!("{value}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
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
        let svg = plot.svg();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains(">ours</text>") && svg.contains(">theirs</text>"));
        assert!(svg.contains(">1 ms</text>") && svg.contains(">128</text>"));
        assert!(svg.contains("Time &lt; map"));
    }
}
