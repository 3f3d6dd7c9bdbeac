//! The output of `tests/godot/runner.gd`, read into verdicts.
//!
//! The runner says what a test found. Here the engine's errors are added: errors between a test's first line
//! and its verdict are the test's own. An `EXPECT_ERROR <count> <part of it>` line must announce each, or an
//! `ALLOW_ERRORS <part of it>` line allow it. A warning counts if an `EXPECT_WARNING <count> <part of it>`
//! line announces it.

use crate::report::{Findings, Statistics};
use crate::scan::{self, Kind, Trouble};

/// A test between its first line and its verdict.
#[derive(Default)]
struct Running {
    name: String,
    troubles: Vec<Trouble>,
    expected: Vec<Expected>,
    warnings: Vec<String>,
    expected_warnings: Vec<Expected>,
    /// Parts of errors of which any number may come.
    allowed: Vec<String>,
}

struct Expected {
    count: usize,
    part: String,
}

impl Expected {
    fn read(announcement: &str) -> Option<Self> {
        let (count, part) = announcement.split_once(' ')?;
        Some(Self { count: count.parse().unwrap_or(0), part: part.to_owned() })
    }
}

/// Reads the runner's output line by line.
#[derive(Default)]
pub struct Reader {
    running: Option<Running>,
    findings: Findings,
    /// Trouble outside every test: while loading, between tests, at exit.
    outside: Vec<String>,
    announced: Option<Statistics>,
    /// The line before this one was trouble, so this one may say where it came from.
    after_trouble: bool,
}

impl Reader {
    /// Takes one line, and returns the name of a test that starts with it.
    pub fn line(&mut self, line: &str) -> Option<String> {
        if let Some(name) = line.strip_prefix("TEST_BEGIN ") {
            self.close("it did not end");
            self.running = Some(Running { name: name.to_owned(), ..Running::default() });
            return Some(name.to_owned());
        }
        if let Some(announcement) = line.strip_prefix("EXPECT_ERROR ") {
            if let Some(running) = &mut self.running {
                running.expected.extend(Expected::read(announcement));
            }
        } else if let Some(announcement) = line.strip_prefix("EXPECT_WARNING ") {
            if let Some(running) = &mut self.running {
                running.expected_warnings.extend(Expected::read(announcement));
            }
        } else if let Some(warning) = scan::warning_in(line) {
            if let Some(running) = &mut self.running {
                running.warnings.push(warning);
            }
        } else if let Some(part) = line.strip_prefix("ALLOW_ERRORS ") {
            if let Some(running) = &mut self.running {
                running.allowed.push(part.to_owned());
            }
        } else if line.starts_with("PASS ") {
            self.close("");
        } else if let Some(verdict) = line.strip_prefix("FAIL ") {
            let why = verdict.split_once(": ").map_or(verdict, |(_, why)| why);
            self.close(why);
        } else if let Some(result) = line.strip_prefix("SUITE_RESULT ") {
            self.announced = read_result(result);
        } else if let Some(trouble) = scan::trouble_in(line) {
            match &mut self.running {
                Some(running) => running.troubles.push(trouble),
                None => self.outside.push(trouble.text),
            }
            self.after_trouble = true;
            return None;
        } else if self.after_trouble && line.trim_start().starts_with("at:") {
            let running = self.running.as_mut().and_then(|running| running.troubles.last_mut());
            if let Some(text) = running.map(|trouble| &mut trouble.text).or(self.outside.last_mut()) {
                *text = format!("{text} ({})", line.trim());
            }
        }
        self.after_trouble = false;
        None
    }

    /// Ends the running test, if there is one. An empty `why` is the runner's consent.
    fn close(&mut self, why: &str) {
        let Some(running) = self.running.take() else { return };
        let mut wrong: Vec<String> = if why.is_empty() { Vec::new() } else { vec![why.to_owned()] };
        wrong.extend(judge(&running));
        self.findings.statistics += Statistics::one(wrong.is_empty());
        if !wrong.is_empty() {
            self.findings.problems.push(format!("FAIL {}:\n  {}", running.name, wrong.join("\n  ")));
        }
    }

    /// What was found, when the runner has ended in the way that `ending` tells (empty: well).
    pub fn finish(mut self, ending: &str) -> Findings {
        self.close(&format!("it was running when Godot ended ({ending})"));
        let Self { mut findings, mut outside, announced, .. } = self;
        if !ending.is_empty() && findings.statistics.failed == 0 {
            outside.push(format!("Godot did not end well: {ending}"));
        }
        match announced {
            None => outside.push("the runner did not come to its end".to_owned()),
            Some(announced)
                if announced.passed + announced.failed
                    != findings.statistics.passed + findings.statistics.failed =>
            {
                outside.push(format!("the runner counts {announced}, its output {}", findings.statistics));
            }
            Some(_) => {}
        }
        // The run as a whole is one more check: nothing wrong outside the tests, nothing left at exit.
        findings.add(if outside.is_empty() {
            Findings::passed()
        } else {
            Findings::failed(format!("FAIL outside the tests, or at exit:\n  {}", outside.join("\n  ")))
        });
        findings
    }
}

/// Errors that were not announced, and announced ones that did not come.
fn judge(running: &Running) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut seen = vec![0; running.expected.len()];
    for trouble in &running.troubles {
        let announced = |expected: &Expected| trouble.text.contains(&expected.part);
        // A part may be announced more than once: the first announcement with room takes the error.
        let candidates = || running.expected.iter().enumerate().filter(|(_, expected)| announced(expected));
        let taker =
            candidates().find(|(at, expected)| seen[*at] < expected.count).or_else(|| candidates().next());
        match taker {
            Some((at, _)) if trouble.kind == Kind::Error => seen[at] += 1,
            _ if trouble.kind == Kind::Error
                && running.allowed.iter().any(|part| trouble.text.contains(part)) => {}
            _ => wrong.push(trouble.text.clone()),
        }
    }
    for (expected, seen) in running.expected.iter().zip(seen) {
        if seen != expected.count {
            wrong.push(format!("expected {} errors with `{}`, saw {seen}", expected.count, expected.part));
        }
    }
    for expected in &running.expected_warnings {
        let seen = running.warnings.iter().filter(|warning| warning.contains(&expected.part)).count();
        if seen != expected.count {
            wrong.push(format!("expected {} warnings with `{}`, saw {seen}", expected.count, expected.part));
        }
    }
    wrong
}

/// Reads `passed=3 failed=0`.
fn read_result(text: &str) -> Option<Statistics> {
    let mut statistics = Statistics::default();
    for pair in text.split_whitespace() {
        let (name, count) = pair.split_once('=')?;
        let count = count.parse().ok()?;
        match name {
            "passed" => statistics.passed = count,
            "failed" => statistics.failed = count,
            _ => return None,
        }
    }
    Some(statistics)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(output: &str, ending: &str) -> Findings {
        let mut reader = Reader::default();
        for line in output.lines() {
            reader.line(line);
        }
        reader.finish(ending)
    }

    #[test]
    fn a_good_run_counts_its_tests_and_itself() {
        let findings = read(
            "Godot\nTEST_BEGIN a.b\nPASS a.b (1 ms)\nTEST_BEGIN a.c\nPASS a.c (2 ms)\nSUITE_RESULT passed=2 failed=0",
            "",
        );
        assert_eq!(findings.statistics.to_string(), "3 passed, 0 failed");
    }

    #[test]
    fn an_error_that_was_not_announced_fails_its_test() {
        let findings = read(
            "TEST_BEGIN a.b\nERROR: surprise\n   at: x.gd:3\nPASS a.b (1 ms)\nTEST_BEGIN a.c\nPASS a.c (0 ms)\nSUITE_RESULT passed=2 failed=0",
            "",
        );
        assert_eq!(findings.statistics.to_string(), "2 passed, 1 failed");
        assert!(
            findings.problems[0].contains("a.b") && findings.problems[0].contains("surprise (at: x.gd:3)")
        );
    }

    #[test]
    fn announced_errors_must_come_as_often_as_announced() {
        let run = |errors: &str| {
            let output = format!(
                "TEST_BEGIN a.b\nEXPECT_ERROR 2 out of bounds\n{errors}PASS a.b (1 ms)\nSUITE_RESULT passed=1 failed=0"
            );
            read(&output, "").statistics.failed
        };
        assert_eq!(run("ERROR: x is out of bounds\nUSER ERROR: y is out of bounds\n"), 0);
        assert_eq!(run("ERROR: x is out of bounds\n"), 1);
        assert_eq!(run("ERROR: out of bounds\nERROR: out of bounds\nERROR: out of bounds\n"), 1);
    }

    #[test]
    fn announcements_of_overlapping_parts_share_the_errors() {
        let output = "TEST_BEGIN a.b\nEXPECT_ERROR 1 bounds\nEXPECT_ERROR 1 out of bounds\n\
                      ERROR: out of bounds\nERROR: out of bounds\nPASS a.b (1 ms)\nSUITE_RESULT passed=1 failed=0";
        assert_eq!(read(output, "").statistics.failed, 0);
    }

    #[test]
    fn allowed_errors_may_come_or_not() {
        let output = "TEST_BEGIN a.b\nALLOW_ERRORS bounds\nERROR: out of bounds\nERROR: out of bounds\nPASS a.b (1 ms)\n\
                      TEST_BEGIN a.c\nALLOW_ERRORS bounds\nPASS a.c (1 ms)\n\
                      TEST_BEGIN a.d\nALLOW_ERRORS bounds\nERROR: surprise\nPASS a.d (1 ms)\n\
                      SUITE_RESULT passed=3 failed=0";
        assert_eq!(read(output, "").statistics.to_string(), "3 passed, 1 failed");
    }

    #[test]
    fn announced_warnings_must_come_as_often_as_announced_and_others_may() {
        let run = |warnings: &str| {
            let output = format!(
                "TEST_BEGIN a.b\nEXPECT_WARNING 1 no grid\n{warnings}PASS a.b (1 ms)\nSUITE_RESULT passed=1 failed=0"
            );
            read(&output, "").statistics.failed
        };
        assert_eq!(run("WARNING: there is no grid\nWARNING: something else\n"), 0);
        assert_eq!(run("WARNING: something else\n"), 1);
        assert_eq!(run("WARNING: no grid\nUSER WARNING: no grid\n"), 1);
    }

    #[test]
    fn nothing_excuses_a_panic() {
        let output = "TEST_BEGIN a.b\nALLOW_ERRORS panicked\nEXPECT_ERROR 1 panicked\nthread 'main' panicked at x.rs:1:1:\nPASS a.b (1 ms)\nSUITE_RESULT passed=1 failed=0";
        assert_eq!(read(output, "").statistics.failed, 1);
    }

    #[test]
    fn leaks_and_errors_outside_the_tests_fail_the_run() {
        let output = "TEST_BEGIN a.b\nPASS a.b (1 ms)\nSUITE_RESULT passed=1 failed=0\nWARNING: ObjectDB instances leaked at exit";
        assert_eq!(read(output, "").statistics.to_string(), "1 passed, 1 failed");
    }

    #[test]
    fn a_run_that_breaks_off_fails_the_test_that_it_was_in() {
        let findings = read("TEST_BEGIN a.b\nPASS a.b (1 ms)\nTEST_BEGIN a.c", "ended by a signal");
        assert_eq!(findings.statistics.to_string(), "1 passed, 2 failed");
        assert!(findings.problems[0].contains("a.c"));
    }
}
