//! Records agents, as `cargo xtask record` asks for it: `record NAME AGENTS SECONDS AFTER [CROWD [MAP]]`.
//!
//! - NAME is that of a scene, or any name if MAP is given.
//! - AGENTS are ids with commas, or `-` for the agents that change most often.
//! - AFTER are the seconds before the record begins.
//! - CROWD is a crowd that was saved in the scene, or, with MAP, by a game.
//!
//! Writes the text, the picture and the crowd at the beginning of the record into target/records.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use pathforge_tests::record::{Record, Replay, SCENES};

const STEPS_PER_SECOND: u32 = 60;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match record(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("record: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn record(words: &[String]) -> Result<(), String> {
    let [name, agents, seconds, after, files @ ..] = words else {
        return Err("NAME AGENTS SECONDS AFTER [CROWD [MAP]]".into());
    };
    let number =
        |text: &str| text.trim().parse::<u32>().map_err(|error| format!("`{text}` is no number: {error}"));
    let ids: Vec<u32> =
        if agents == "-" { Vec::new() } else { agents.split(',').map(number).collect::<Result<_, _>>()? };
    let (seconds, after) = (number(seconds)?, number(after)?);
    let read = |path: &String| fs::read(path).map_err(|error| format!("{path}: {error}"));
    let scene =
        || Replay::scene(name).ok_or_else(|| format!("`{name}` is none of the scenes {}", SCENES.join(", ")));
    let mut replay = match files {
        [] => scene()?,
        [crowd] => {
            let mut replay = scene()?;
            replay.load(&read(crowd)?)?;
            replay
        }
        [crowd, map, ..] => Replay::game(&read(map)?, &read(crowd)?)?,
    };
    (0..after * STEPS_PER_SECOND).for_each(|_| replay.step());
    let saved = replay.saved();
    let mut record = Record::of(&ids);
    for step in 0..=seconds * STEPS_PER_SECOND {
        let now = f64::from(after) + f64::from(step) / f64::from(STEPS_PER_SECOND);
        record.look(&mut replay, now);
        replay.step();
    }
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../target/records");
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let texts =
        [("txt", record.text().into_bytes()), ("svg", record.svg(&replay).into_bytes()), ("crowd", saved)];
    for (ending, bytes) in texts {
        let path = folder.join(format!("{name}.{ending}"));
        fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("target/records/{name}.{ending}");
    }
    Ok(())
}
