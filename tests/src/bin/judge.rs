//! Judges how the crowd moves: `judge [SCENE-PREFIX…] [--seeds 11,12,13]`. Prints a line for each
//! scene and seed, and at the end a line for each scene with the worst of all seeds. Scenes of ten thousand
//! bodies play with the first seed only.

use std::process::ExitCode;

use pathforge_tests::judge::{SCENES, Verdict};

fn main() -> ExitCode {
    let mut seeds = vec![1, 2, 3];
    let mut prefixes = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        if word != "--seeds" {
            prefixes.push(word);
            continue;
        }
        let numbers = words.next().unwrap_or_default();
        match numbers.split(',').map(str::parse).collect() {
            Ok(all) => seeds = all,
            Err(error) => {
                eprintln!("--seeds {numbers}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    let mut worst = Vec::new();
    for scene in SCENES {
        if !prefixes.is_empty() && !prefixes.iter().any(|prefix| scene.name.starts_with(prefix.as_str())) {
            continue;
        }
        let count = if scene.is_big { 1 } else { seeds.len() };
        let play = |&seed: &u64| {
            let verdict = (scene.play)(seed);
            println!("{}/{seed}: {verdict}", scene.name);
            verdict
        };
        worst.push((scene.name, Verdict::worst(seeds[..count].iter().map(play))));
    }
    println!();
    for (name, verdict) in worst {
        println!("{name}, worst: {verdict}");
    }
    ExitCode::SUCCESS
}
