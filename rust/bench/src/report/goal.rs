//! What was asked for, and what a run reached of it.

/// A figure that an issue asks for.
#[derive(Debug)]
pub struct Goal {
    /// The issue's number.
    pub issue: u8,
    /// What is measured, in the issue's words as far as they go.
    pub words: &'static str,
    /// What counts as reached.
    pub bound: Bound,
    /// What the bound is counted in.
    pub unit: &'static str,
    /// Why it is not met, for as long as it is not; shown when it is missed.
    pub why: &'static str,
}

/// What counts as reached.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// This or less.
    AtMost(f64),
    /// This or more.
    AtLeast(f64),
}

impl Bound {
    /// Returns `true` if `value` is good enough. What could not be measured is not.
    pub fn is_met(self, value: f64) -> bool {
        match self {
            Self::AtMost(limit) => value <= limit,
            Self::AtLeast(limit) => value >= limit,
        }
    }

    /// Returns `true` if `value` is further from the goal than `other`.
    pub fn is_worse(self, value: f64, other: f64) -> bool {
        match self {
            Self::AtMost(_) => value > other || value.is_nan(),
            Self::AtLeast(_) => value < other || value.is_nan(),
        }
    }

    /// The number in it.
    pub fn limit(self) -> f64 {
        let (Self::AtMost(limit) | Self::AtLeast(limit)) = self;
        limit
    }
}

/// What was measured for a goal: the worst of all that was.
#[derive(Debug)]
pub struct Reached {
    /// What for.
    pub goal: &'static Goal,
    /// Map, level or body that it is worst on.
    pub subject: String,
    /// The worst value.
    pub value: f64,
    /// How many subjects were measured.
    pub subjects: usize,
    /// How many of them meet the goal.
    pub met: usize,
}

impl Reached {
    /// Nothing yet.
    pub fn nothing(goal: &'static Goal) -> Self {
        Self { goal, subject: String::new(), value: f64::NAN, subjects: 0, met: 0 }
    }

    /// Takes in one more.
    pub fn add(&mut self, subject: &str, value: f64) {
        if self.subjects == 0 || self.goal.bound.is_worse(value, self.value) {
            subject.clone_into(&mut self.subject);
            self.value = value;
        }
        self.subjects += 1;
        self.met += usize::from(self.goal.bound.is_met(value));
    }

    /// Returns `true` if all are good enough.
    pub fn is_met(&self) -> bool {
        self.subjects > 0 && self.met == self.subjects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    static FAST: Goal = Goal { issue: 1, words: "fast", bound: Bound::AtMost(2.0), unit: "ms", why: "" };

    #[test]
    fn the_worst_subject_decides() {
        let mut reached = Reached::nothing(&FAST);
        assert!(!reached.is_met());
        reached.add("easy", 1.0);
        assert!(reached.is_met());
        reached.add("hard", 3.0);
        reached.add("middling", 2.0);
        assert_eq!((reached.subject.as_str(), reached.met, reached.subjects), ("hard", 2, 3));
        assert!(!reached.is_met());
    }

    #[test]
    fn what_was_not_measured_is_not_met() {
        let mut reached = Reached::nothing(&FAST);
        reached.add("lost", f64::NAN);
        assert!(!reached.is_met());
    }
}
