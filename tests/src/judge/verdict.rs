//! What was measured of a scene, in one line.

use std::fmt::{self, Display, Formatter};

/// The figures of a scene, or the worst figures of several orders or seeds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Verdict {
    /// Seconds until 50, 90, 99 and 100 % reported *arrived*, *blocked* or *stuck*; infinite if that did not
    /// happen.
    pub told: [f64; 4],
    /// The last time beside twice the straight path and what the gates let through, where it is known.
    pub late: Option<f64>,
    /// How many bodies reported *arrived* at the end.
    pub arrived: usize,
    /// How many reported *blocked*.
    pub blocked: usize,
    /// How many reported *stuck*.
    pub stuck: usize,
    /// How many were on their way.
    pub under_way: usize,
    /// How many bodies there were.
    pub count: usize,
    /// How many reported *arrived* beyond 1.3 of the rim and four cells.
    pub arrived_falsely: usize,
    /// How many reported *blocked* although a free placement nearer to the goal could be reached.
    pub blocked_falsely: usize,
    /// How many rested farther than 1.5 cells from where they first reported *arrived*.
    pub moved_on: usize,
    /// The part of the cells within 0.8 of the rim that no body covered, in percent.
    pub empty: Option<f64>,
    /// The overlap that 99.9 % of the walking bodies stayed below, in parts of the smaller radius.
    pub overlap_moving: f64,
    /// The overlap that 99.9 % stayed below at the end, and the deepest one.
    pub overlap_resting: [f64; 2],
    /// How many turned about more than three times in a second.
    pub turning: usize,
    /// How many moved by more than 0.05 of their radius in a second after all had rested.
    pub restless: usize,
    /// The longest that a body reported *moving* within a fifth of a cell, in seconds.
    pub on_one_spot: f64,
    /// The median and the longest time of single bodies beside that of the straight way.
    pub detours: Option<[f64; 2]>,
    /// How many places of a formation stayed empty.
    pub places_empty: Option<usize>,
    /// The time of a step, in microseconds for each body.
    pub microseconds: f64,
}

impl Verdict {
    /// Returns the worse of each figure.
    #[must_use]
    pub fn or_worse(self, other: Self) -> Self {
        let worse = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::max);
        Self {
            told: std::array::from_fn(|n| self.told[n].max(other.told[n])),
            late: worse(self.late, other.late),
            arrived: if self.count == 0 { other.arrived } else { self.arrived.min(other.arrived) },
            blocked: self.blocked.max(other.blocked),
            stuck: self.stuck.max(other.stuck),
            under_way: self.under_way.max(other.under_way),
            count: self.count.max(other.count),
            arrived_falsely: self.arrived_falsely.max(other.arrived_falsely),
            blocked_falsely: self.blocked_falsely.max(other.blocked_falsely),
            moved_on: self.moved_on.max(other.moved_on),
            empty: worse(self.empty, other.empty),
            overlap_moving: self.overlap_moving.max(other.overlap_moving),
            overlap_resting: std::array::from_fn(|n| self.overlap_resting[n].max(other.overlap_resting[n])),
            turning: self.turning.max(other.turning),
            restless: self.restless.max(other.restless),
            on_one_spot: self.on_one_spot.max(other.on_one_spot),
            detours: match (self.detours, other.detours) {
                (Some(a), Some(b)) => Some([a[0].max(b[0]), a[1].max(b[1])]),
                (a, b) => a.or(b),
            },
            places_empty: self.places_empty.max(other.places_empty),
            microseconds: self.microseconds.max(other.microseconds),
        }
    }

    /// Returns the worst of several.
    pub fn worst(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter().fold(Self::default(), Self::or_worse)
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let told = self
            .told
            .map(|seconds| if seconds.is_finite() { format!("{seconds:.0}") } else { "never".to_owned() });
        write!(f, "told {} s", told.join("/"))?;
        if let Some(late) = self.late {
            write!(f, " ({late:.2} of the bound)")?;
        }
        write!(
            f,
            "; arrived {} blocked {} stuck {} under way {} of {}",
            self.arrived, self.blocked, self.stuck, self.under_way, self.count
        )?;
        write!(f, "; falsely arrived {} blocked {}", self.arrived_falsely, self.blocked_falsely)?;
        write!(f, "; moved on {}", self.moved_on)?;
        if let Some(empty) = self.empty {
            write!(f, "; empty {empty:.0} %")?;
        }
        let [most, worst] = self.overlap_resting;
        write!(f, "; overlap moving {:.2} resting {most:.3} worst {worst:.3}", self.overlap_moving)?;
        write!(f, "; turn about {} restless {}", self.turning, self.restless)?;
        write!(f, " on one spot {:.0} s", self.on_one_spot)?;
        if let Some([median, worst]) = self.detours {
            write!(f, "; detour {median:.2} worst {worst:.2}")?;
        }
        if let Some(places) = self.places_empty {
            write!(f, "; places empty {places}")?;
        }
        write!(f, "; {:.2} us", self.microseconds)
    }
}
