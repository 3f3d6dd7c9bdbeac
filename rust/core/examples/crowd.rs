//! Walks a crowd of forty agents through a gap to one goal, and prints where they are: `cargo run --example
//! crowd`.
//!
//! `o` is an agent on its way, `x` an agent that has arrived.

use pathforge_core::crowd::{AgentSpec, AgentState, Crowd, CrowdField, CrowdGround, CrowdSettings};
use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::Cell;
use pathforge_core::terrain::Terrain;
use pathforge_core::world::{FieldSource, Profile, World};

const MAP: &str = "
...............#..............
...............#..............
...............#..............
..............................
...............#..............
...............#..............
...............#..............
";
const STEP_SECONDS: f64 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::from_terrain(Terrain::from_text(MAP, Cell::new(0, 0))?);
    let profile = Profile::default();
    let source = world.field_source(&profile);
    let mut field = FlowField::default();
    FieldBuilder::default().build(source.ground(), &[Cell::new(25, 3)], None, &mut field);

    // What the crowd walks on: a layer for each kind of body, and the fields that agents may follow.
    let layers = [source.placements()];
    let fields = [Some(CrowdField { field: &field, group: 0 })];
    let ground =
        CrowdGround { region: source.region(), revision: 0, layers: &layers, costs: &[], fields: &fields };

    let mut crowd = Crowd::new(CrowdSettings::default());
    let kind = crowd.kind(profile.layer_key());
    let places = (0..40).map(|n| (f64::from(n % 8) + 0.5, f64::from(n / 8) + 1.5));
    let agents: Vec<AgentSpec> =
        places.map(|(x, y)| AgentSpec { x, y, kind, speed: 4.0, radius: 0.35 }).collect();
    let ids: Vec<u32> = crowd.add(&ground, &agents).into_iter().flatten().collect();
    crowd.assign_field(&ids, 0);

    let mut arrived = 0;
    for step in 0..=1200 {
        if step % 300 == 0 {
            println!("after {} s, {arrived} of {} have arrived:", step / 60, ids.len());
            println!("{}", drawn(world.terrain(), &source, &mut crowd));
        }
        arrived += crowd.step(STEP_SECONDS, &ground)?.arrived.len();
    }
    Ok(())
}

/// The map's text with the agents on it.
fn drawn(terrain: &Terrain, source: &FieldSource, crowd: &mut Crowd) -> String {
    let region = source.region();
    let cells = |y: i32| (0..region.w).map(move |x| Cell::new(region.x + x, region.y + y));
    let mut rows: Vec<Vec<char>> = (0..region.h)
        .map(|y| cells(y).map(|cell| if terrain.is_solid(cell) { '#' } else { '.' }).collect())
        .collect();
    for agent in crowd.views() {
        let letter = if agent.state == AgentState::Arrived { 'x' } else { 'o' };
        rows[agent.y as usize][agent.x as usize] = letter;
    }
    rows.into_iter().map(|row| row.into_iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}
