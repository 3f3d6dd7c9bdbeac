//! Each reason and each field of a diagnosis, with its map drawn in text.

#![expect(clippy::large_types_passed_by_value, reason = "each case writes down its own profile")]

use pathforge_core::diagnose::{CostSplit, Diagnosis, Refusal, Words, diagnose};
use pathforge_core::geometry::{Cell, CellRect, Footprint};
use pathforge_core::passability::{InfluenceWeights, TerrainCosts};
use pathforge_core::raster::Raster;
use pathforge_core::terrain::{Capability, Link, ObstacleLayers, Terrain};
use pathforge_core::world::{GoalMode, PathQuery, Profile, Reason, Status, World};
use pathforge_tests::bodies::{any_body, footprint};
use pathforge_tests::maps::{any_cell, any_ground, any_map};
use pathforge_tests::oracle::{Distances, Ground};
use pathforge_tests::rng::{Rng, seeds};

const LAND: Capability = Capability(1);

fn cell(x: i32, y: i32) -> Cell {
    Cell::new(x, y)
}

fn square(side: i64) -> Profile {
    Profile { footprint: Footprint::square(side).expect("a small side"), ..Profile::default() }
}

fn walker() -> Profile {
    Profile { capability: LAND, ..Profile::default() }
}

/// The map in rows, `S` and `G` open, and where those are.
fn world(rows: &str) -> (World, Cell, Cell) {
    let rows: Vec<&str> = rows.split_whitespace().collect();
    let place = |letter: char| {
        let row = rows.iter().position(|row| row.contains(letter));
        row.map_or(cell(0, 0), |y| cell(rows[y].find(letter).unwrap_or(0) as i32, y as i32))
    };
    let text = rows.join("\n").replace(['S', 'G'], ".");
    (World::from_terrain(Terrain::from_text(&text, cell(0, 0)).expect("a map")), place('S'), place('G'))
}

fn ask(rows: &str, profile: Profile) -> (Diagnosis, String) {
    let (mut world, start, goal) = world(rows);
    told(&mut world, &PathQuery::new(start, goal, profile))
}

fn told(world: &mut World, query: &PathQuery) -> (Diagnosis, String) {
    let diagnosis = diagnose(world, query);
    let name =
        |id: u8| ["land", "water"].get(usize::from(id)).map_or_else(|| id.to_string(), ToString::to_string);
    let text = Words { diagnosis: &diagnosis, terrain: world.terrain(), name }.to_string();
    (diagnosis, text)
}

fn refusal(diagnosis: &Diagnosis) -> &Refusal {
    diagnosis.refusal.as_ref().expect("an end refuses")
}

fn ask_for(rows: &str, profile: Profile, goal_mode: GoalMode) -> (Diagnosis, String) {
    let (mut world, start, goal) = world(rows);
    told(&mut world, &PathQuery { goal_mode, ..PathQuery::new(start, goal, profile) })
}

const COVERING: [GoalMode; 2] = [GoalMode::Cover, GoalMode::Nearest];

#[test]
fn a_goal_that_is_covered_needs_no_stand_at_itself() {
    // With its top-left cell on the goal the body would stand in the wall.
    let map = "S....#\n.....#\n....G#";
    let (exact, text) = ask(map, square(2));
    assert_eq!(exact.outcome.reason, Some(Reason::GoalClearance));
    assert!(text.starts_with("The body does not fit at the goal (4, 2)"), "{text}");
    for goal_mode in COVERING {
        let (diagnosis, text) = ask_for(map, square(2), goal_mode);
        assert_eq!((diagnosis.outcome.status, diagnosis.refusal), (Status::Complete, None));
        assert_eq!(diagnosis.outcome.route.goal(), Some(cell(3, 1)));
        assert!(text.starts_with("The path costs 3.41"), "{text}");
    }
}

#[test]
fn a_goal_that_no_stand_covers() {
    let map = "S..#...\n...#.#.\n...#G#.\n...####";
    for goal_mode in COVERING {
        let (diagnosis, text) = ask_for(map, square(2), goal_mode);
        assert_eq!(diagnosis.outcome.reason, Some(Reason::GoalClearance));
        let refusal = refusal(&diagnosis);
        assert_eq!((refusal.anchor, refusal.clearance), (cell(4, 2), 1), "no square of two covers it");
        let closed = [(3, 1), (5, 1), (3, 2), (5, 2), (3, 3), (4, 3), (5, 3)].map(|(x, y)| cell(x, y));
        assert_eq!((&refusal.closed[..], &diagnosis.cells[..]), (&closed[..], &closed[..]));
        let words = "The body fits nowhere over the goal (4, 2): it needs 2x2 cells where a square of 1 fits, and (3, 1) is \
                     closed.";
        assert!(text.starts_with(words), "{text}");
    }
}

#[test]
fn a_closed_goal_is_told_by_itself() {
    for goal_mode in COVERING {
        let (diagnosis, text) = ask_for("S..~~G", walker(), goal_mode);
        assert_eq!((diagnosis.outcome.reason, diagnosis.refusal), (Some(Reason::Disconnected), None));
        assert_eq!(diagnosis.barring_terrains, [1]);
        let words = "In the way is water, between (2, 0) and (5, 0): a body that may enter it could go.";
        assert!(text.starts_with(words), "{text}");
        let (mut world, start, _) = world("S..##\n...##");
        let query = PathQuery { goal_mode, ..PathQuery::new(start, cell(4, 0), square(2)) };
        let (diagnosis, text) = told(&mut world, &query);
        assert_eq!((diagnosis.outcome.reason, diagnosis.cells), (Some(Reason::GoalSolid), vec![cell(4, 0)]));
        assert!(text.starts_with("The goal (4, 0) is solid."), "{text}");
        let query = PathQuery { goal_mode, ..PathQuery::new(start, cell(i32::MAX, i32::MIN), square(2)) };
        let (diagnosis, _) = told(&mut world, &query);
        assert_eq!(diagnosis.outcome.reason, Some(Reason::GoalOutOfBounds), "as far away as numbers go");
    }
}

#[test]
fn as_near_as_it_gets() {
    let (diagnosis, text) = ask_for("S..#..G", square(1), GoalMode::Nearest);
    assert_eq!(
        (diagnosis.outcome.status, diagnosis.outcome.reason),
        (Status::Partial, Some(Reason::Disconnected))
    );
    let nearest = diagnosis.nearest.expect("it comes near");
    assert_eq!((nearest.anchor, nearest.distance), (cell(2, 0), 4.0));
    assert_eq!(
        diagnosis.costs.map(|costs| costs.total()),
        diagnosis.outcome.cost.map(|c| i64::from(c.units()))
    );
    assert!(
        text.contains(" It can come within 4.00 cells of the goal, at (2, 0), which costs 2.00."),
        "{text}"
    );
    let gap = diagnosis.gap.expect("two regions");
    assert_eq!((gap.near_start, gap.near_goal, gap.cells), (cell(2, 0), cell(4, 0), vec![cell(3, 0)]));
    let cover = ask_for("S..#..G", square(1), GoalMode::Cover).0;
    assert_eq!((cover.outcome.status, cover.nearest, cover.costs), (Status::Unreachable, None, None));
}

#[test]
fn the_gap_and_the_widest_are_those_of_stands_that_cover_the_goal() {
    for goal_mode in COVERING {
        let (diagnosis, text) = ask_for("S...#...G\n....#....\n.........", square(2), goal_mode);
        assert_eq!(diagnosis.outcome.reason, Some(Reason::Disconnected), "{text}");
        let gap = diagnosis.gap.expect("two regions");
        assert_eq!((gap.near_start, gap.near_goal, gap.steps), (cell(2, 0), cell(5, 0), 3));
        let widest = diagnosis.widest.expect("a narrower body comes there");
        assert_eq!(widest.side, 1);
        assert!(
            text.starts_with(
                "The way is too narrow at (3, 2): a square body that gets there has at most side 1."
            ),
            "{text}"
        );
    }
}

#[test]
fn the_body_s_own_obstacle_does_not_count() {
    let (mut world, start, goal) = world("S..G..");
    let own = world
        .terrain_mut()
        .add_obstacle(CellRect::new(3, 0, 2, 1), ObstacleLayers::FIRST)
        .expect("there is room")
        .0;
    let profile = Profile { footprint: Footprint::new(3, 1).expect("small"), ..Profile::default() };
    world.terrain_mut().fill_solid(CellRect::new(5, 0, 1, 1), true);
    let query = PathQuery::new(start, goal, Profile { ignored_obstacles: own.into(), ..profile });
    let (diagnosis, _) = told(&mut world, &query);
    let refusal = refusal(&diagnosis);
    assert_eq!((diagnosis.outcome.reason, refusal.clearance), (Some(Reason::GoalClearance), 1));
    assert_eq!(refusal.closed, [cell(5, 0)]);
}

#[test]
fn an_empty_map() {
    let (diagnosis, text) = told(&mut World::default(), &PathQuery::new(cell(0, 0), cell(1, 1), square(1)));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::EmptyGrid));
    assert_eq!(text, "The map has no cells.");
}

#[test]
fn ends_outside() {
    let (mut world, _, _) = world("...");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(-1, 0), cell(1, 0), square(1)));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::StartOutOfBounds));
    assert_eq!(diagnosis.cells, [cell(-1, 0)]);
    assert_eq!(text, "The start (-1, 0) lies outside the region (0, 0, 3, 1).");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(0, 0), cell(9, 0), square(1)));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::GoalOutOfBounds));
    assert_eq!(text, "The goal (9, 0) lies outside the region (0, 0, 3, 1).");
}

#[test]
fn solid_ends() {
    let (mut world, _, _) = world("#..#");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(0, 0), cell(1, 0), square(1)));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::StartSolid));
    assert_eq!((refusal(&diagnosis).anchor, refusal(&diagnosis).clearance), (cell(0, 0), 0));
    assert_eq!(text, "The start (0, 0) is solid.");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(1, 0), cell(3, 0), square(1)));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::GoalSolid));
    assert_eq!(diagnosis.cells, [cell(3, 0)]);
    assert_eq!(text, "The goal (3, 0) is solid.");
    world
        .terrain_mut()
        .add_obstacle(CellRect::new(2, 0, 1, 1), ObstacleLayers::FIRST)
        .expect("there is room");
    let (_, text) = told(&mut world, &PathQuery::new(cell(1, 0), cell(2, 0), square(1)));
    assert_eq!(text, "The goal (2, 0) is under an obstacle.");
}

#[test]
fn terrain_that_the_body_may_not_enter() {
    let (diagnosis, text) = ask("S.~~G", walker());
    assert_eq!(diagnosis.outcome.reason, Some(Reason::Disconnected));
    assert_eq!(diagnosis.barring_terrains, [1]);
    assert!(
        text.starts_with(
            "In the way is water, between (1, 0) and (4, 0): a body that may enter it could go."
        ),
        "{text}"
    );
    let (mut world, _, _) = world("~..~");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(0, 0), cell(1, 0), walker()));
    assert_eq!((diagnosis.outcome.reason, diagnosis.barring_terrains), (Some(Reason::StartTerrain), vec![1]));
    assert!(text.starts_with("The start (0, 0) is water, which the body may not enter."), "{text}");
    let (diagnosis, text) = told(&mut world, &PathQuery::new(cell(1, 0), cell(3, 0), walker()));
    assert_eq!((diagnosis.outcome.reason, diagnosis.cells), (Some(Reason::GoalTerrain), vec![cell(3, 0)]));
    assert!(text.starts_with("The goal (3, 0) is water"), "{text}");
}

#[test]
fn bodies_that_do_not_fit() {
    let (diagnosis, text) = ask("S.#..\n....G\n.....", square(3));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::StartClearance));
    assert_eq!(refusal(&diagnosis).closed, [cell(2, 0)]);
    assert_eq!((refusal(&diagnosis).clearance, refusal(&diagnosis).needed.w()), (2, 3));
    assert!(
        text.starts_with(
            "The body does not fit at the start (0, 0): it needs 3x3 cells where a square of 2 fits, and (2, 0) is closed."
        ),
        "{text}"
    );
    assert!(text.contains("a square body that gets there has at most side 1."), "{text}");
    let (diagnosis, _) = ask("S....\n....G\n.....", square(2));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::GoalClearance));
    assert_eq!(diagnosis.cells, [cell(5, 1), cell(5, 2)], "what it needs lies outside");
}

#[test]
fn regions_that_come_near_each_other() {
    let rows = "
        S..##....
        ...##....
        ..###...G
        ..###....";
    let (diagnosis, text) = ask(rows, square(1));
    let gap = diagnosis.gap.expect("two regions");
    assert_ne!(gap.start_component, gap.goal_component);
    assert_eq!((gap.near_start, gap.near_goal, gap.steps), (cell(2, 0), cell(5, 0), 3));
    assert_eq!(gap.cells, [cell(3, 0), cell(4, 0)]);
    assert_eq!(diagnosis.cells, gap.cells);
    assert!(text.contains("comes within 3 steps of each other, at (2, 0) and (5, 0)."), "{text}");
}

#[test]
fn the_widest_body_and_where_it_stops() {
    let rows = "
        S....#.....
        .....#.....
        .........G.
        .....#.....
        .....#.....";
    let (diagnosis, text) = ask(rows, square(2));
    assert_eq!(diagnosis.outcome.reason, Some(Reason::Disconnected));
    let widest = diagnosis.widest.expect("a body of one cell");
    assert_eq!((widest.side, widest.bottleneck), (1, Some(cell(4, 2))));
    assert!(
        text.starts_with(
            "The way is too narrow at (4, 2): a square body that gets there has at most side 1."
        ),
        "{text}"
    );
}

/// The path of one cell leads along walls, where there is room beside it; only the gap stops a wider body.
#[test]
fn what_stops_a_wider_body_is_where_it_cannot_pass() {
    let rows = "
        ..##.........#...
        .............#...
        S.......#........
        ...##...#....#..G
        .............#...";
    let (mut world, start, goal) = world(rows);
    let (diagnosis, _) = told(&mut world, &PathQuery::new(start, goal, square(2)));
    let widest = diagnosis.widest.expect("one cell can go");
    assert_eq!((widest.side, widest.bottleneck), (1, Some(cell(12, 2))));
}

#[test]
fn the_edit_that_closed_the_last_way() {
    // Small edits side by side are one to the journal, so the map is wide.
    let rows = "
        S....................#....................G
        .....................#.....................
        .....................#.....................
        .....................#.....................
        .....................#.....................
        ...........................................";
    let (mut world, start, goal) = world(rows);
    let query = PathQuery::new(start, goal, square(1));
    world.terrain_mut().fill_solid(CellRect::new(3, 1, 2, 1), true);
    world.terrain_mut().fill_solid(CellRect::new(21, 5, 1, 1), true);
    world.terrain_mut().fill_solid(CellRect::new(38, 1, 1, 1), true);
    let (diagnosis, text) = told(&mut world, &query);
    assert_eq!(diagnosis.closed_by, Some(CellRect::new(21, 5, 1, 1)));
    assert!(text.starts_with("The edit of 1x1 cells at (21, 5) closed the last path."), "{text}");
    world.terrain_mut().fill_solid(CellRect::new(21, 5, 1, 1), false);
    world
        .terrain_mut()
        .add_obstacle(CellRect::new(21, 5, 1, 1), ObstacleLayers::FIRST)
        .expect("there is room");
    let (diagnosis, _) = told(&mut world, &query);
    assert_eq!(diagnosis.closed_by, Some(CellRect::new(21, 5, 1, 1)), "an obstacle, too");
    let (diagnosis, _) = ask("S#G", square(1));
    assert_eq!(diagnosis.closed_by, None, "the map was made so");
}

/// The journal joins the doors, which are near each other; the answer does not.
#[test]
fn of_two_doors_the_one_that_was_shut_last() {
    let rows = "
        S....#....G
        ...........
        .....#.....
        .....#.....
        ...........
        .....#.....";
    let (mut world, start, goal) = world(rows);
    world.end_making();
    let query = PathQuery::new(start, goal, square(1));
    world.terrain_mut().fill_solid(CellRect::new(5, 4, 1, 1), true);
    world.terrain_mut().fill_solid(CellRect::new(5, 1, 1, 1), true);
    assert_eq!(told(&mut world, &query).0.closed_by, Some(CellRect::new(5, 1, 1, 1)));
    world.terrain_mut().fill_solid(CellRect::new(5, 4, 1, 1), false);
    world.terrain_mut().fill_solid(CellRect::new(5, 4, 1, 1), true);
    assert_eq!(told(&mut world, &query).0.closed_by, Some(CellRect::new(5, 4, 1, 1)));
    world.end_making();
    assert_eq!(told(&mut world, &query).0.closed_by, None, "now the map is so");
    world.terrain_mut().fill_solid(CellRect::new(5, 3, 1, 1), true);
    assert_eq!(told(&mut world, &query).0.closed_by, None, "and this has closed nothing");
}

#[test]
fn a_limit() {
    let (mut world, _, _) = world("......\n.####.\n......");
    let query = PathQuery::new(cell(0, 1), cell(5, 1), square(1));
    let (diagnosis, text) = told(&mut world, &PathQuery { expansions_max: 1, ..query });
    assert_eq!((diagnosis.outcome.status, diagnosis.outcome.reason), (Status::Limit, Some(Reason::Limit)));
    assert_eq!(text, "The search met its limit before it came to the goal.");
}

#[test]
fn what_a_path_costs_and_for_what() {
    let (mut world, start, goal) = world("S~~.G");
    world.terrain_mut().fill_weight(CellRect::new(1, 0, 1, 1), 2.0).expect("a weight");
    let mut danger = Raster::filled(world.terrain().layout(), 0.0);
    danger.set(3, 0, 1.5);
    world.put_influence(0, &danger, world.terrain().layout().all());
    let profile = Profile {
        terrain_costs: TerrainCosts::new(&[1.0, 3.0]).expect("valid costs"),
        influence_weights: InfluenceWeights::new(&[1.0]).expect("valid weights"),
        ..Profile::default()
    };
    let (diagnosis, text) = told(&mut world, &PathQuery::new(start, goal, profile));
    let costs = diagnosis.costs.expect("a path");
    // Steps onto 1: weight 2, terrain ×3; onto 2: terrain ×3; onto 3: influence 1.5; onto 4: plain.
    let (distance, terrain) = (4 * 70, 4 * 70 + 2 * 70);
    let expected = CostSplit { distance, weight: 70, terrain, influence: 105, links: 0 };
    assert_eq!(costs, expected);
    assert_eq!(Some(costs.total()), diagnosis.outcome.cost.map(|c| i64::from(c.units())));
    assert_eq!(
        text,
        "The path costs 12.50: 4.00 for distance, 1.00 for weight, 6.00 for terrain, 1.50 for influence."
    );
}

#[test]
fn what_a_detour_avoids() {
    let rows = "
        .......
        .#####.
        S~~~~~G";
    let (mut world, start, goal) = world(rows);
    let profile =
        Profile { terrain_costs: TerrainCosts::new(&[1.0, 9.0]).expect("valid costs"), ..Profile::default() };
    let (diagnosis, text) = told(&mut world, &PathQuery::new(start, goal, profile));
    let detour = diagnosis.detour.expect("it goes around");
    assert_eq!((detour.longer, detour.saved), (4 * 70, (6 + 5 * 8 - 10) * 70));
    assert_eq!(detour.avoided, [1, 2, 3, 4, 5].map(|x| cell(x, 2)));
    assert_eq!(detour.costs.terrain, 5 * 8 * 70);
    assert!(
        text.starts_with(
            "The path goes around water at (3, 2): the shortest, 4.00 shorter, would cost 36.00 more, \
             40.00 more for terrain, 4.00 less for distance. The path costs 10.00: 10.00 for distance."
        ),
        "{text}"
    );
}

#[test]
fn splits_add_up_and_gaps_are_the_least_on_any_map() {
    for seed in seeds(80, 120) {
        let mut rng = Rng::new(seed);
        let kind = any_ground(&mut rng);
        let terrain = any_map(&mut rng, kind);
        let body = any_body(&mut rng, true);
        let region = terrain.region();
        let (start, goal) = (any_cell(&mut rng, region), any_cell(&mut rng, region));
        let mut world = World::from_terrain(terrain.clone());
        let (diagnosis, text) = told(&mut world, &PathQuery::new(start, goal, body.profile()));
        let label = format!("seed {seed}: {body:?} {start:?} {goal:?}: {text}");
        assert!(!text.is_empty());
        assert_eq!(world.terrain().state_hash(), terrain.state_hash(), "{label}");
        if let Some(costs) = diagnosis.costs {
            assert_eq!(Some(costs.total()), diagnosis.outcome.cost.map(|c| i64::from(c.units())), "{label}");
        }
        assert!(text.matches(". ").count() < 3, "three sentences at most: {label}");
        if let Some(detour) = diagnosis.detour {
            assert!(detour.longer > 0 && detour.saved >= 0, "{label}");
        }
        let Some(gap) = diagnosis.gap else { continue };
        let ground = Ground::new(&terrain, &body);
        let (home, away) = (Distances::from(&ground, start), Distances::from(&ground, goal));
        let of = |distances: &Distances| -> Vec<Cell> {
            ground.placements().filter(|&placement| distances.cost(&ground, placement).is_some()).collect()
        };
        let steps = |a: Cell, b: Cell| a.x.abs_diff(b.x).max(a.y.abs_diff(b.y));
        let (home, away) = (of(&home), of(&away));
        let least = home.iter().flat_map(|&a| away.iter().map(move |&b| steps(a, b))).min();
        assert!(home.contains(&gap.near_start) && away.contains(&gap.near_goal), "{label}");
        assert_eq!(steps(gap.near_start, gap.near_goal), gap.steps, "{label}");
        assert_eq!(least, Some(gap.steps), "{label}");
    }
}

#[test]
fn obstacles_between_the_ends_are_named() {
    let (mut world, start, goal) = world("S.#..\n....G\n..#..");
    let door = world
        .terrain_mut()
        .add_obstacle(CellRect::new(2, 1, 1, 1), ObstacleLayers::FIRST)
        .expect("room for one")
        .0;
    let query = PathQuery::new(start, goal, square(1));
    let (diagnosis, text) = told(&mut world, &query);
    assert_eq!(diagnosis.barring_obstacles, [cell(2, 1)]);
    assert_eq!(diagnosis.cells, [cell(2, 1)], "not the wall beside the door");
    assert!(text.starts_with("An obstacle is in the way, at (2, 1)."), "{text}");
    assert!(!text.contains("edit"), "{text}");
    let (own, _) = told(
        &mut world,
        &PathQuery { profile: Profile { ignored_obstacles: door.into(), ..square(1) }, ..query.clone() },
    );
    assert_eq!((own.outcome.status, own.barring_obstacles), (Status::Complete, vec![]));
    world.terrain_mut().fill_solid(CellRect::new(2, 0, 1, 3), true);
    assert_eq!(told(&mut world, &query).0.barring_obstacles, [], "the wall bars the path, too");
}

#[test]
fn links_that_would_help_are_named() {
    type Change = fn(Link) -> Link;
    let link = |change: Change| {
        let mut terrain = Terrain::from_text("....#....\n....#....\n", Cell::new(0, 0)).expect("a map");
        let drawbridge = Link { tag: "drawbridge".into(), ..Link::new(Cell::new(3, 0), Cell::new(5, 1)) };
        terrain.add_link(change(drawbridge)).expect("a link of the map");
        World::from_terrain(terrain)
    };
    let there = |profile| PathQuery::new(Cell::new(0, 0), Cell::new(8, 0), profile);
    let two = Profile { footprint: footprint(2, 2), ..Profile::default() };
    let walker = Profile { capability: Capability(1), ..Profile::default() };
    let back = PathQuery::new(Cell::new(8, 0), Cell::new(0, 0), Profile::default());
    let cases: [(Change, PathQuery, &str); 4] = [
        (
            |link| Link { is_enabled: false, ..link },
            there(Profile::default()),
            "The link \"drawbridge\" from (3, 0) to (5, 1) is disabled.",
        ),
        (
            |link| Link { is_two_way: false, ..link },
            back,
            "The link \"drawbridge\" from (5, 1) to (3, 0) leads the other way only.",
        ),
        (
            |link| Link { terrains: Capability(2), ..link },
            there(walker),
            "The link \"drawbridge\" from (3, 0) to (5, 1) is not for the body's terrains.",
        ),
        (
            |link| Link { footprint_max: footprint(1, 1), to: Cell::new(6, 0), ..link },
            PathQuery::new(Cell::new(0, 0), Cell::new(7, 0), two),
            "The link \"drawbridge\" from (3, 0) to (6, 0) takes bodies of at most 1x1 cells.",
        ),
    ];
    for (change, query, expected) in cases {
        let mut world = link(change);
        let (diagnosis, text) = told(&mut world, &query);
        assert_eq!(diagnosis.barring_links.len(), 1, "{text}");
        assert!(text.starts_with(expected), "{text}");
    }
}
