//! How the sideways speed changes in the air, as a few levels of speed.
//!
//! A body without acceleration takes any speed at once: an interval of x grows by a tick's run to both
//! sides. Else speeds are levels, and a control is kept for as many ticks as the next level takes, so that it
//! is reached exactly.

use super::body::Motion;

/// The most levels of a side.
const LEVELS: u32 = 3;
/// The most ticks from level to level.
const TICKS_MAX: u32 = 250;

/// The level of a start with a speed of its own: see [`Control::start_with`].
pub(super) const OWN: i8 = i8::MIN;

/// The shifts of x in a tick, for every control and tick of it.
#[derive(Clone, Debug)]
pub(super) struct Control {
    /// Ticks from level to level.
    pub(super) ticks: u8,
    /// The level of full speed; 0 if the speed is free.
    pub(super) top: i8,
    /// Speed of a level, in px/s.
    step: f64,
    run_speed: f64,
    /// The interval that a place becomes, by level, change of level and tick.
    shifts: Vec<[f64; 2]>,
    /// The change of speed in a tick, in px/s.
    change: f64,
    tick: f64,
    /// The shifts of the first control of a start with a speed of its own, by level and tick; NaN for levels
    /// that it does not come to.
    own: Vec<f64>,
    /// Places of one level that are at most so far apart can be reached between them, too.
    pub(super) gap: f64,
}

impl Control {
    pub(super) fn new(motion: &Motion) -> Self {
        let (run_speed, tick) = (motion.run_speed, motion.tick);
        let change = motion.in_air() * tick;
        let run = run_speed * tick;
        if change == 0.0 || change >= run_speed {
            let shifts = vec![[0.0; 2], [-run, run], [0.0; 2]];
            let own = Vec::new();
            return Self { ticks: 1, top: 0, step: 0.0, run_speed, shifts, change, tick, own, gap: 0.0 };
        }
        // The cast saturates.
        let full = (run_speed / change - 1e-9).ceil() as u32;
        let ticks = full.div_ceil(LEVELS).clamp(1, TICKS_MAX);
        let top = full.div_ceil(ticks).min(LEVELS) as i8;
        let step = change * f64::from(ticks);
        let (shifts, own) = (Vec::new(), Vec::new());
        let ticks = ticks as u8;
        let mut control = Self { ticks, top, step, run_speed, shifts, change, tick, own, gap: 0.0 };
        control.gap = step * f64::from(ticks) * tick + 1e-6;
        for from in -top..=top {
            for to in from - 1..=from + 1 {
                let (mut speed, target) = (control.speed(from), control.speed(to.clamp(-top, top)));
                for _ in 0..ticks {
                    speed += (target - speed).clamp(-change, change);
                    control.shifts.push([speed * tick; 2]);
                }
            }
        }
        control
    }

    /// Whether the speed is free.
    #[inline]
    pub(super) fn is_free(&self) -> bool {
        self.top == 0
    }

    /// The speed of a level, in px/s.
    pub(super) fn speed(&self, level: i8) -> f64 {
        (f64::from(level) * self.step).clamp(-self.run_speed, self.run_speed)
    }

    /// The level nearest to a speed.
    pub(super) fn level(&self, speed: f64) -> i8 {
        if self.is_free() {
            return 0;
        }
        let near = |level: &i8| (self.speed(*level) - speed).abs();
        (-self.top..=self.top).min_by(|a, b| near(a).total_cmp(&near(b))).unwrap_or(0)
    }

    /// Sets the speed of a start, and returns its level: [`OWN`], or 0 if speed is free.
    pub(super) fn start_with(&mut self, vx: f64) -> i8 {
        self.own.clear();
        if self.is_free() {
            return 0;
        }
        for to in -self.top..=self.top {
            let (mut speed, target) = (vx, self.speed(to));
            let comes_there = (target - vx).abs() <= self.change * f64::from(self.ticks) + 1e-9;
            for _ in 0..self.ticks {
                speed += (target - speed).clamp(-self.change, self.change);
                self.own.push(if comes_there { speed * self.tick } else { f64::NAN });
            }
        }
        OWN
    }

    /// The levels that a control can lead to.
    pub(super) fn targets(&self, from: i8) -> std::ops::RangeInclusive<i8> {
        if from == OWN {
            let comes_there = |to: &i8| !self.own[self.own_place(*to, 0)].is_nan();
            let first = (-self.top..=self.top).find(comes_there).unwrap_or(self.top);
            let last = (-self.top..=self.top).rev().find(comes_there).unwrap_or(-self.top);
            return first..=last;
        }
        (from - 1).max(-self.top)..=(from + 1).min(self.top)
    }

    fn own_place(&self, to: i8, phase: u8) -> usize {
        (to + self.top) as usize * usize::from(self.ticks) + usize::from(phase)
    }

    /// How far a tick of a control moves, in px.
    #[inline]
    pub(super) fn shift(&self, from: i8, to: i8, phase: u8) -> [f64; 2] {
        if from == OWN {
            return [self.own[self.own_place(to, phase)]; 2];
        }
        let place = i32::from(from + self.top) * 3 + i32::from(to - from + 1);
        self.shifts[place as usize * usize::from(self.ticks) + usize::from(phase)]
    }
}
