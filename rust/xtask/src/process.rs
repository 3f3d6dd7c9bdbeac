//! Child processes that are watched: read line by line, and never left running for ever.
//!
//! What only has to be run or read is left to `xshell`, which has no limits of time.

use std::io::{self, BufRead, BufReader};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use xshell::Cmd;

/// How long a child may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From start to end.
    pub total: Duration,
    /// Without writing a line.
    pub silence: Duration,
}

impl Limits {
    /// Both limits in seconds.
    pub const fn seconds(total: u64, silence: u64) -> Self {
        Self { total: Duration::from_secs(total), silence: Duration::from_secs(silence) }
    }
}

/// A child that has ended.
#[derive(Debug)]
pub struct Finished {
    /// Every line of its standard output and error, in the order in which they came.
    pub lines: Vec<String>,
    /// It was ended for this reason.
    pub stopped: Option<String>,
    /// Its exit code; none when a signal ended it.
    pub code: Option<i32>,
}

impl Finished {
    /// It ended by itself with code 0.
    pub fn succeeded(&self) -> bool {
        self.stopped.is_none() && self.code == Some(0)
    }

    /// How it ended, in words.
    pub fn ending(&self) -> String {
        match (&self.stopped, self.code) {
            (Some(reason), _) => reason.clone(),
            (None, Some(code)) => format!("exit code {code}"),
            (None, None) => "ended by a signal".to_owned(),
        }
    }

    /// The last `count` lines.
    pub fn tail(&self, count: usize) -> &[String] {
        &self.lines[self.lines.len().saturating_sub(count)..]
    }
}

/// The command without what `cargo run` put into our own environment for finding libraries.
fn clean(command: Cmd<'_>) -> Command {
    ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "LD_PRELOAD"]
        .into_iter()
        .fold(command, Cmd::env_remove)
        .into()
}

/// Runs a command with the terminal as its input and output, and returns its exit code.
pub fn run_in_foreground(command: Cmd<'_>) -> Result<ExitCode> {
    let mut command = clean(command);
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot start {program}"))?;
    Ok(status.code().map_or(ExitCode::FAILURE, |code| ExitCode::from(code as u8)))
}

/// Runs a command, hands each line of its output to `on_line` as it comes, and ends it when a limit is
/// passed.
///
/// Standard output and error share one pipe, so that their lines keep their order.
pub fn watch(command: Cmd<'_>, limits: Limits, on_line: &mut dyn FnMut(&str)) -> Result<Finished> {
    let mut command = clean(command);
    let (reader, writer) = io::pipe()?;
    command.stdin(Stdio::null()).stdout(writer.try_clone()?).stderr(writer);
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    drop(command); // It holds the pipe's writing end, which would keep the pipe open after the child's end.

    let lines = read_lines(reader);
    let mut finished = Finished { lines: Vec::new(), stopped: None, code: None };
    let (start, mut last_line) = (Instant::now(), Instant::now());
    let mut ended: Option<(ExitStatus, Instant)> = None;
    loop {
        match lines.recv_timeout(Duration::from_millis(50)) {
            Ok(line) => {
                last_line = Instant::now();
                on_line(&line);
                finished.lines.push(line);
                continue;
            }
            Err(RecvTimeoutError::Disconnected) if ended.is_some() => break,
            Err(RecvTimeoutError::Disconnected) => std::thread::sleep(Duration::from_millis(10)),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Some((_, at)) = ended {
            // A grandchild may hold the pipe open: what matters has been written.
            if at.elapsed() > Duration::from_secs(2) {
                break;
            }
            continue;
        }
        ended = child.try_wait()?.map(|status| (status, Instant::now()));
        let over = if start.elapsed() > limits.total {
            Some(format!("stopped after {} s", limits.total.as_secs()))
        } else if last_line.elapsed() > limits.silence {
            Some(format!("stopped after {} s without a word", limits.silence.as_secs()))
        } else {
            None
        };
        if ended.is_none() && over.is_some() {
            finished.stopped = over;
            ended = Some((end(&mut child)?, Instant::now()));
        }
    }
    finished.code = ended.and_then(|(status, _)| status.code());
    Ok(finished)
}

fn read_lines(reader: io::PipeReader) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut reader = BufReader::new(reader);
        let mut bytes = Vec::new();
        while reader.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
            if sender.send(line).is_err() {
                break;
            }
            bytes.clear();
        }
    });
    receiver
}

/// Asks the child and its descendants to end, and ends them if they have not after two seconds.
fn end(child: &mut Child) -> io::Result<ExitStatus> {
    let family = descendants(child.id());
    signal("-TERM", &family);
    let asked = Instant::now();
    while asked.elapsed() < Duration::from_secs(2) {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    signal("-KILL", &family);
    child.kill()?;
    child.wait()
}

fn signal(name: &str, pids: &[u32]) {
    for pid in pids {
        // It may have ended meanwhile; then there is nothing to do.
        let _ = Command::new("kill").arg(name).arg(pid.to_string()).stderr(Stdio::null()).status();
    }
}

/// A process and what it started, as far as the system tells (`/proc`, Linux).
fn descendants(pid: u32) -> Vec<u32> {
    let mut family = vec![pid];
    let mut next = 0;
    while next < family.len() {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", family[next]));
        for task in tasks.into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            family.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
        }
        next += 1;
    }
    family
}

#[cfg(all(test, unix))]
mod tests {
    use xshell::{Shell, cmd};

    use super::*;

    fn watched(script: &str, limits: Limits, on_line: &mut dyn FnMut(&str)) -> Finished {
        let sh = Shell::new().unwrap();
        watch(cmd!(sh, "sh -c {script}"), limits, on_line).unwrap()
    }

    #[test]
    fn both_outputs_come_in_order() {
        let script = "echo a; echo b >&2; echo c; exit 3";
        let mut seen = Vec::new();
        let finished = watched(script, Limits::seconds(20, 20), &mut |line| seen.push(line.to_owned()));
        assert_eq!(finished.lines, ["a", "b", "c"]);
        assert_eq!(seen, finished.lines);
        assert_eq!((finished.code, finished.succeeded()), (Some(3), false));
    }

    #[test]
    fn a_child_that_says_nothing_is_ended_with_its_children() {
        let start = Instant::now();
        let finished = watched("sleep 60 & sleep 60; true", Limits::seconds(60, 1), &mut |_| ());
        assert!(start.elapsed() < Duration::from_secs(20));
        assert_eq!(finished.ending(), "stopped after 1 s without a word");
        assert!(!finished.succeeded());
    }
}
