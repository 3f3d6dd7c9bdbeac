//! Fields: costs equal the oracle's, and repaired fields equal rebuilt ones.

use pathforge_core::field::{FieldBuilder, FlowField};
use pathforge_core::geometry::Cell;
use pathforge_core::world::{GoalMode, World};

use crate::bodies::any_body;
use crate::check::walk;
use crate::maps::any_cell;
use crate::oracle::{Distances, Ground};
use crate::rng::Rng;

use super::maps;

/// Builds and repairs a field of one body over a map that is edited.
pub fn exact(rng: &mut Rng) {
    let mut world = World::from_terrain(maps::any(rng));
    let body = any_body(rng, true);
    let profile = body.profile();
    let mut goals = vec![any_cell(rng, world.terrain().region())];
    let (mut builder, mut field) = (FieldBuilder::default(), FlowField::default());
    builder.build(world.field_source(&profile).ground(), &goals, None, &mut field);
    for _ in 0..6 {
        let region = world.terrain().region();
        let source = world.field_source(&profile);
        let mut fresh = FlowField::default();
        FieldBuilder::default().build(source.ground(), &goals, None, &mut fresh);
        assert!(field == fresh, "repaired differs from rebuilt: {goals:?}");
        check(rng, &world, &body, &goals, &field);
        let version = source.version();
        maps::edit(rng, &mut world);
        match rng.int(0..4) {
            0 => goals.push(any_cell(rng, region)),
            1 if goals.len() > 1 => drop(goals.remove(0)),
            2 => goals = vec![any_cell(rng, region)],
            _ => {}
        }
        let source = world.field_source(&profile);
        let changes = world.anchors_changed_since(version, &profile);
        let change =
            changes.and_then(|changes| builder.repair(source.ground(), &changes, &goals, &mut field));
        if change.is_none() {
            builder.build(source.ground(), &goals, None, &mut field);
        }
    }
    let cover = world.field_goals(&goals, rng.pick(&[GoalMode::Cover, GoalMode::Nearest]), &profile);
    builder.build(world.field_source(&profile).ground(), &cover, None, &mut field);
}

/// Checks the cost of some cells and the path from there against the oracle.
fn check(rng: &mut Rng, world: &World, body: &crate::bodies::Body, goals: &[Cell], field: &FlowField) {
    let ground = Ground::new(world.terrain(), body);
    for _ in 0..2 {
        let start = any_cell(rng, world.terrain().region());
        let distances = Distances::from(&ground, start);
        let least = goals.iter().filter_map(|&goal| distances.cost(&ground, goal)).min();
        let cost = field.integration().cost(start).map(|cost| u64::from(cost.units()));
        assert_eq!(cost, least, "{body:?} from {start:?} to {goals:?}");
        if let Some(least) = least {
            let cells = std::iter::successors(Some(start), |&cell| {
                field.next_cell(cell).filter(|&next| next != cell)
            });
            let cells: Vec<Cell> = cells.take(100_000).collect();
            assert_eq!(walk(&ground, start, &cells), Ok(least), "{body:?} from {start:?} to {goals:?}");
        }
    }
}
