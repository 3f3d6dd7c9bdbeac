//! Saved bytes that travel: `saves FOLDER NAME` saves maps and a crowd under that name, and loads what others
//! have saved in the folder. Fails when something does not load or is another state than here.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use pathforge_core::crowd::Crowd;
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_tests::hall::Hall;
use pathforge_tests::halls::{Sizes, exit};
use pathforge_tests::maps::{Ground, caves, dress, rooms};
use pathforge_tests::rng::Rng;

/// Steps before the crowd is saved.
const STEPS: u32 = 300;

/// The file of the crowd; the others hold maps.
const CROWD: &str = "crowd";

/// A file, and the hash of the state that its bytes hold.
struct Save {
    file: &'static str,
    bytes: Vec<u8>,
    hash: u64,
}

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (Some(folder), Some(name)) = (words.next(), words.next()) else {
        eprintln!("saves FOLDER NAME");
        return ExitCode::FAILURE;
    };
    match exchange(Path::new(&folder), &name) {
        Ok(count) => println!("{count} saves of others load here, with the same hash"),
        Err(problem) => {
            println!("differs: {problem}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn exchange(folder: &Path, name: &str) -> Result<usize, String> {
    let mine = [map("rooms.map", Ground::Plain), map("caves.map", Ground::Both), crowd()];
    for save in &mine {
        let to = folder.join(format!("{name}.{}", save.file));
        fs::write(&to, &save.bytes).map_err(|error| format!("{}: {error}", to.display()))?;
    }
    let mut count = 0;
    let files = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for file in files {
        let path = file.map_err(|error| error.to_string())?.path();
        let save = mine.iter().find(|save| path.to_string_lossy().ends_with(save.file));
        let save = save.ok_or_else(|| format!("{} is not a save", path.display()))?;
        let bytes = fs::read(&path).map_err(|error| error.to_string())?;
        let hash = hash_of(save.file, &bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        if hash != save.hash || bytes != save.bytes {
            return Err(format!("{} holds {hash:016x}, here it is {:016x}", path.display(), save.hash));
        }
        count += 1;
    }
    Ok(count - mine.len())
}

fn map(file: &'static str, ground: Ground) -> Save {
    let mut rng = Rng::new(970);
    let walls =
        if file.starts_with("rooms") { rooms(&mut rng, 150, 90, 9) } else { caves(&mut rng, 133, 71) };
    let mut terrain = walls.into_terrain(Cell::new(-40, 7));
    dress(&mut rng, &mut terrain, ground);
    Save { file, bytes: terrain.to_bytes(), hash: terrain.state_hash() }
}

fn crowd() -> Save {
    let mut hall: Hall = exit(1, Sizes::Mixed, 150);
    for _ in 0..STEPS {
        hall.step(1.0 / 60.0);
    }
    Save { file: CROWD, bytes: hall.crowd.to_bytes(), hash: hall.crowd.state_hash() }
}

fn hash_of(file: &str, bytes: &[u8]) -> Result<u64, String> {
    if file != CROWD {
        return Terrain::from_bytes(bytes).map(|map| map.state_hash()).map_err(|error| error.to_string());
    }
    Crowd::from_bytes(bytes).map(|crowd| crowd.state_hash()).map_err(|error| error.to_string())
}
