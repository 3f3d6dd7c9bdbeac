//! Builds one field that leads from every cell to the nearest of two goals, and prints it: `cargo run
//! --example field`.
//!
//! An arrow is the direction of the next step, `G` a goal, `?` a cell from which no goal can be reached.

use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{Profile, World};

const MAP: &str = "
....#.......#..
....#.......#..
....#..##...#..
.......##...#..
....#.......#..
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::from_terrain(Terrain::from_text(MAP, Cell::new(0, 0))?);
    // A source stays as it is while the world is edited, so a field can be built from it on another thread.
    let source = world.field_source(&Profile::default());
    let goals = [Cell::new(0, 0), Cell::new(11, 4)];
    let mut field = FlowField::default();
    FieldBuilder::default().build(source.ground(), &goals, None, &mut field);

    let region = source.region();
    for y in 0..region.h {
        let row = (0..region.w).map(|x| letter(&world, &field, Cell::new(region.x + x, region.y + y)));
        println!("{}", row.collect::<String>());
    }
    let start = Cell::new(2, 4);
    if let Some(cost) = field.integration().cost(start) {
        println!("from ({}, {}): {} cells, cost {cost}", start.x, start.y, field.path_from(start).len());
    }
    Ok(())
}

fn letter(world: &World, field: &FlowField, cell: Cell) -> char {
    match field.direction(cell) {
        _ if world.terrain().is_solid(cell) => '#',
        None if field.next_cell(cell) == Some(cell) => 'G',
        None => '?',
        // Directions are numbered clockwise from north.
        Some(direction) => ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'][direction as usize],
    }
}
