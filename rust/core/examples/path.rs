//! Finds a path for a body of 3×3 cells and prints it on the map's text: `cargo run --example path`.
//!
//! The body is named by its top-left cell. `s` and `g` are that cell at the start and at the goal, `o` is
//! where it goes in between, and `,` are the other cells that the body covers on its path.

use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{PathQuery, Profile, World};

const MAP: &str = "
................
................
................
#######...###.##
................
................
................
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::from_terrain(Terrain::from_text(MAP, Cell::new(0, 0))?);
    let profile = Profile { footprint: Footprint::new(3, 3)?, ..Profile::default() };
    let (start, goal) = (Cell::new(0, 0), Cell::new(13, 4));
    let outcome = world.find_path(&PathQuery::new(start, goal, profile));
    let Some(cost) = outcome.cost else {
        return Err(format!("no path: {:?}", outcome.status).into());
    };
    let cells = outcome.route.cells();
    println!("{} cells, as long as {cost} straight steps:", cells.len());
    println!("{}", drawn(world.terrain(), profile.footprint, &cells));
    Ok(())
}

/// The map's text with the anchors of a path, and the cells that the body covers there.
fn drawn(terrain: &Terrain, footprint: Footprint, anchors: &[Cell]) -> String {
    let region = terrain.region();
    let covered = |cell: Cell| {
        anchors.iter().any(|a| CellRect::new(a.x, a.y, footprint.w(), footprint.h()).contains(cell))
    };
    let letter = |cell: Cell| match anchors.iter().position(|&anchor| anchor == cell) {
        Some(0) => 's',
        Some(n) if n + 1 == anchors.len() => 'g',
        Some(_) => 'o',
        None if covered(cell) => ',',
        None if terrain.is_solid(cell) => '#',
        None => '.',
    };
    let row = |y: i32| (0..region.w).map(|x| letter(Cell::new(region.x + x, y))).collect::<String>();
    (0..region.h).map(|y| row(region.y + y)).collect::<Vec<_>>().join("\n")
}
