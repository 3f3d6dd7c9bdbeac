//! Neighbours by place: agents sorted into square bins, row by row.

use super::agent::Body;

/// Bins of equal squares over the map. Agents are kept in the order of their bins, so a bin is a range of the arrays and
/// three bins side by side are one, too.
#[derive(Clone, Debug, Default)]
pub(super) struct Lattice {
    columns: u32,
    rows: u32,
    /// Bins a cell width.
    scale: f32,
    /// Where each bin begins, and one more.
    starts: Vec<u32>,
    /// The bin of each agent, in the old order.
    bins: Vec<u32>,
}

impl Lattice {
    /// Lays bins of at least `side` cells over a map and counts the agents into them; `order[n]` becomes the old place of
    /// the agent that comes to place `n`. Agents of one bin keep their order.
    pub fn sort(&mut self, width: f32, height: f32, side: f32, bodies: &[Body], order: &mut Vec<u32>) {
        let bins_max = bodies.len() * 2 + 4096;
        let mut side = side;
        loop {
            (self.columns, self.rows) = ((width / side) as u32 + 1, (height / side) as u32 + 1);
            if u64::from(self.columns) * u64::from(self.rows) <= bins_max as u64 {
                break;
            }
            side *= 1.25;
        }
        self.scale = 1.0 / side;
        self.starts.clear();
        self.starts.resize(self.columns as usize * self.rows as usize + 1, 0);
        self.bins.clear();
        for body in bodies {
            let bin = self.row(body.at[1]) * self.columns + self.column(body.at[0]);
            self.bins.push(bin);
            self.starts[bin as usize] += 1;
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum - *start;
        }
        order.clear();
        order.resize(bodies.len(), 0);
        for (old, &bin) in self.bins.iter().enumerate() {
            let start = &mut self.starts[bin as usize];
            order[*start as usize] = old as u32;
            *start += 1;
        }
        // Each start is now the next one's.
        let last = self.starts.len() - 1;
        self.starts.copy_within(0..last, 1);
        self.starts[0] = 0;
    }

    /// The ranges of agents in bins that the square around `at` touches, `reach` to each side.
    #[inline]
    pub fn around(&self, at: [f32; 2], reach: f32) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.within([at[0] - reach, at[1] - reach], [at[0] + reach, at[1] + reach])
    }

    /// The ranges of agents in bins that the rectangle between two corners touches.
    #[inline]
    pub fn within(&self, low: [f32; 2], high: [f32; 2]) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (left, right) = (self.column(low[0]), self.column(high[0]));
        (self.row(low[1])..=self.row(high[1])).map(move |row| {
            let row = row as usize * self.columns as usize;
            self.starts[row + left as usize] as usize..self.starts[row + right as usize + 1] as usize
        })
    }

    #[inline]
    fn column(&self, x: f32) -> u32 {
        ((x * self.scale) as u32).min(self.columns - 1)
    }

    #[inline]
    fn row(&self, y: f32) -> u32 {
        ((y * self.scale) as u32).min(self.rows - 1)
    }

    pub fn memory(&self) -> usize {
        (self.starts.capacity() + self.bins.capacity()) * 4
    }
}
