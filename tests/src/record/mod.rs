//! A record of agents: as text, what each does over time, why that changed and what it waited for; as a
//! picture, their paths over the map, coloured by what they did.
//!
//! It is made from a replay, which is a scene of the tests or what a game has saved. Agents are looked at
//! after each step.

mod picture;
mod replay;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pathforge_core::crowd::{AgentGuide, AgentTrace, AgentWait};
pub use replay::{Replay, SCENES};

/// How many agents are recorded where none are named.
const CHOSEN: usize = 6;
/// What the text begins with.
const HOW_TO_READ: &str = "\
# A line a change: what an agent did -> what it does (as scripts see it): why; what it waits for; where it is, in cells; its timers.
# Idle        it rests and has no goal
# Travelling  it follows its field or path
# Homing      it walks straight to its place around the goal or in the formation, or back to where it rested
# Yielding    it walks ahead of an agent that has the right of way, out of its path
# Aside       it rested, and makes way for an agent that wants through
# Settled     it rests and has arrived
# Timers that say for how long so far: \"no nearer\" to its goal; \"held up\": slower than it wants; \"stalled\": no nearer, queues left out;
# \"blocked\" by agents at rest; \"closing up\": it has arrived and looks for a nearer place. Timers that say for how long still: \"thrown\";
# \"ghosts\": it slips through others; \"lent rank\": it has the right of way of another; \"gives way\"; \"jammed\": it takes turns with others.
";

/// What became of some agents.
#[derive(Debug, Default)]
pub struct Record {
    tracks: BTreeMap<u32, Track>,
    /// The agents that are meant; all where this is empty, of which those are shown that changed most often.
    ids: Vec<u32>,
}

/// What became of one agent.
#[derive(Debug)]
struct Track {
    /// Time in seconds and a line of text, one a change.
    changes: Vec<(f64, String)>,
    path: Vec<Point>,
    last: AgentTrace,
}

/// Where the centre of a body was, in cells, when, and what it did there.
#[derive(Clone, Copy, Debug)]
struct Point {
    at: [f64; 2],
    seconds: f64,
    behaviour: &'static str,
}

impl Record {
    /// Records the agents with these ids; without any, the six that change most often.
    pub fn of(ids: &[u32]) -> Self {
        Self { tracks: BTreeMap::new(), ids: ids.to_vec() }
    }

    /// Looks at the agents at a time in seconds.
    pub fn look(&mut self, replay: &mut Replay, seconds: f64) {
        let crowd = replay.crowd();
        let ids = if self.ids.is_empty() { crowd.ids().collect() } else { self.ids.clone() };
        for id in ids {
            let Some(trace) = crowd.trace(id) else { continue };
            let point = Point { at: [trace.view.x, trace.view.y], seconds, behaviour: trace.behaviour() };
            let Some(track) = self.tracks.get_mut(&id) else {
                let line = format!("agent {id}: {}", describe(&trace, None));
                let track = Track { changes: vec![(seconds, line)], path: vec![point], last: trace };
                self.tracks.insert(id, track);
                continue;
            };
            if let Some(line) = change(&track.last, &trace) {
                track.changes.push((seconds, format!("agent {id}: {line}")));
            }
            track.path.push(point);
            track.last = trace;
        }
    }

    /// Returns how to read it, and one line a change, by time: what an agent did and does, why, and what it
    /// waits for.
    pub fn text(&self) -> String {
        let mut lines: Vec<&(f64, String)> = self.shown().flat_map(|(_, track)| &track.changes).collect();
        lines.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut text = HOW_TO_READ.to_owned();
        for (seconds, line) in lines {
            let _ = writeln!(text, "{seconds:8.2} s  {line}");
        }
        text
    }

    /// Returns the map with the paths of the agents as SVG.
    pub fn svg(&self, replay: &Replay) -> String {
        picture::draw(replay.terrain(), self.shown())
    }

    fn shown(&self) -> impl Iterator<Item = (u32, &Track)> {
        let mut all: Vec<(u32, &Track)> = self.tracks.iter().map(|(&id, track)| (id, track)).collect();
        if self.ids.is_empty() {
            all.sort_by_key(|(id, track)| (std::cmp::Reverse(track.changes.len()), *id));
            all.truncate(CHOSEN);
        }
        all.into_iter()
    }
}

/// What is new, if anything is: a behaviour, or the kind of thing that it waits for.
fn change(before: &AgentTrace, now: &AgentTrace) -> Option<String> {
    let kind = |wait: Option<AgentWait>| wait.map(|wait| std::mem::discriminant(&wait));
    let cause = now.cause_since(before);
    // The end of a wait is told by what it does next.
    if cause.is_none() && (now.wait.is_none() || kind(before.wait) == kind(now.wait)) {
        return None;
    }
    let now_does = describe(now, cause.as_deref());
    let did = deed(before);
    // Without a cause it does the same, and what it waits for is new.
    Some(if cause.is_some() { format!("{did} -> {now_does}") } else { now_does })
}

/// What an agent does, and how scripts see that: `Yielding (Waiting)`.
fn deed(trace: &AgentTrace) -> String {
    format!("{} ({:?})", trace.behaviour(), trace.view.state)
}

/// An agent in a line: `Yielding (Waiting): one that has the right of way opposes it; yields to 12; at 4.2
/// 9.5, field 3, 12.1 to go; held up 0.5 s`.
fn describe(trace: &AgentTrace, cause: Option<&str>) -> String {
    let mut text = deed(trace);
    if let Some(cause) = cause {
        let _ = write!(text, ": {cause}");
    }
    if let Some(wait) = trace.wait {
        let _ = write!(text, "; {wait}");
    }
    let _ = write!(text, "; at {:.1} {:.1}", trace.view.x, trace.view.y);
    let _ = match trace.guide {
        AgentGuide::None => Ok(()),
        AgentGuide::Field(number) => write!(text, ", field {number}"),
        AgentGuide::Path([x, y]) => write!(text, ", path to {x:.1} {y:.1}"),
    };
    if let Some([x, y]) = trace.place {
        let _ = write!(text, ", place {x:.1} {y:.1}");
    }
    if let Some(left) = trace.left {
        let _ = write!(text, ", {left:.1} to go");
    }
    let timers: Vec<String> =
        trace.timers.iter().map(|(name, seconds)| format!("{name} {seconds:.1} s")).collect();
    if !timers.is_empty() {
        let _ = write!(text, "; {}", timers.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_tells_of_each_change_and_draws_the_paths() {
        let mut replay = Replay::scene("corridor").expect("a scene");
        let mut record = Record::of(&[0, 25]);
        for step in 0..600 {
            record.look(&mut replay, f64::from(step) / 60.0);
            replay.step();
        }
        let text = record.text();
        assert!(
            text.starts_with("# A line a change")
                && text.contains("\n    0.00 s  agent 0: Travelling (Moving); at "),
            "{text}"
        );
        assert!(text.contains("-> Travelling (Waiting): it waits; held up by "), "{text}");
        assert!(!text.contains("agent 1:"), "{text}");
        let svg = record.svg(&replay);
        assert!(svg.starts_with("<svg") && svg.contains("<polyline") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn a_saved_crowd_goes_on_in_its_scene() {
        let mut replay = Replay::scene("exit").expect("a scene");
        (0..60).for_each(|_| replay.step());
        let bytes = replay.saved();
        let mut loaded = Replay::scene("exit").expect("a scene");
        loaded.load(&bytes).expect("it was saved here");
        for replay in [&mut replay, &mut loaded] {
            (0..60).for_each(|_| replay.step());
        }
        assert_eq!(replay.crowd().state_hash(), loaded.crowd().state_hash());
        assert!(loaded.load(&bytes[1..]).is_err());
        assert!(Replay::scene("nowhere").is_none());
    }
}
