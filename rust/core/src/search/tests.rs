use super::*;
use crate::cost::{DIAGONAL, STRAIGHT};
use crate::derived::Derived;
use crate::geometry::{Cell, DiagonalMode, Footprint};
use crate::passability::{PlacementCosts, Placements, TerrainCosts, Transpose, open_grid};
use crate::primitives::{GridPoint, SearchEnd};
use crate::terrain::{Capability, Terrain};

struct Map {
    terrain: Terrain,
    layer: Placements,
}

impl Map {
    fn new(text: &str) -> Self {
        let terrain = Terrain::from_text(text, Cell::default()).unwrap();
        let layer = open_grid(&terrain, Capability::ALL).into();
        Self { terrain, layer }
    }

    fn uniform(&self, mode: DiagonalMode, start: GridPoint, goals: &[GridPoint], limit: u32) -> SearchResult {
        let map = JumpMap::build((&self.layer, &Transpose::build(&self.layer, ()), None), mode);
        let goals = Goals::new(self.layer.layout(), goals).unwrap();
        search_uniform(&map, mode, start, &goals, limit, &mut Scratch::default())
    }

    fn weighted(
        &self,
        mode: DiagonalMode,
        start: GridPoint,
        goals: &[GridPoint],
        limit: u32,
    ) -> SearchResult {
        let factors = TerrainCosts::new(&[1.0, 4.0]).unwrap();
        let costs = PlacementCosts::build((&self.terrain, &self.layer, (&factors).into()), Footprint::ONE);
        let goals = Goals::new(self.layer.layout(), goals).unwrap();
        let map = JumpMap::build((&self.layer, &Transpose::build(&self.layer, ()), None), mode);
        search_weighted(&map, &costs, mode, start, &goals, limit, &mut Scratch::default())
    }
}

#[test]
fn a_goal_ahead_is_reached_without_other_directions() {
    let corner = GridPoint::of_cell(0, 0);
    let open = Map::new(".......\n.......\n.......\n.......");
    // The path would begin at the wall, or pass a stop in its shadow.
    let walled = Map::new(".......\n.#.....\n.......\n.......");
    for mode in DiagonalMode::ALL {
        for (x, y) in [(6, 0), (6, 1), (3, 3), (2, 3), (0, 3)] {
            let result = open.uniform(mode, corner, &[GridPoint::of_cell(x, y)], 100);
            assert_eq!((result.expanded, result.generated), (1, 2), "{mode:?} {x},{y}");
        }
        let goal = GridPoint::of_cell(5, 2);
        assert!(walled.uniform(mode, corner, &[goal], 100).generated > 2, "{mode:?}");
        assert_eq!(open.uniform(mode, corner, &[goal], 0).end, SearchEnd::Limit);
    }
}

#[test]
fn both_engines_go_around_a_wall() {
    let map = Map::new(".....\n.###.\n...#.\n.....");
    let (start, goal) = (GridPoint::of_cell(2, 2), GridPoint::of_cell(4, 2));
    let expected = [
        (DiagonalMode::Always, 2 * DIAGONAL),
        (DiagonalMode::AtLeastOneWalkable, 2 * DIAGONAL),
        (DiagonalMode::OnlyIfNoObstacles, 4 * STRAIGHT),
        (DiagonalMode::Never, 4 * STRAIGHT),
    ];
    for (mode, cost) in expected {
        for result in [map.uniform(mode, start, &[goal], 100), map.weighted(mode, start, &[goal], 100)] {
            assert_eq!((result.end, result.cost), (SearchEnd::Found, cost), "{mode:?}");
            assert_eq!(result.waypoints.first(), Some(&start));
            assert_eq!(result.waypoints.last(), Some(&goal));
        }
    }
}

#[test]
fn a_start_on_a_goal_is_a_path_of_one_cell() {
    let map = Map::new("...");
    let start = GridPoint::of_cell(1, 0);
    for result in [
        map.uniform(DiagonalMode::Never, start, &[start], 0),
        map.weighted(DiagonalMode::Always, start, &[GridPoint::of_cell(0, 0), start], 0),
    ] {
        assert_eq!((result.end, result.cost, result.waypoints), (SearchEnd::Found, 0, vec![start]));
    }
}

#[test]
fn of_goals_that_cost_the_same_the_first_in_reading_order_wins() {
    let map = Map::new(".....\n.....\n.....\n.....\n.....");
    let goals = [
        GridPoint::of_cell(2, 4),
        GridPoint::of_cell(4, 2),
        GridPoint::of_cell(0, 2),
        GridPoint::of_cell(2, 0),
    ];
    for mode in DiagonalMode::ALL {
        for result in [
            map.uniform(mode, GridPoint::of_cell(2, 2), &goals, 100),
            map.weighted(mode, GridPoint::of_cell(2, 2), &goals, 100),
        ] {
            assert_eq!(result.waypoints.last(), Some(&GridPoint::of_cell(2, 0)), "{mode:?}");
        }
    }
}

#[test]
fn walls_and_limits_end_a_search() {
    let map = Map::new("..#..\n..#..");
    let (start, goal) = (GridPoint::of_cell(0, 0), GridPoint::of_cell(4, 0));
    for mode in DiagonalMode::ALL {
        assert_eq!(map.uniform(mode, start, &[goal], 100).end, SearchEnd::Exhausted);
        assert_eq!(map.weighted(mode, start, &[goal], 100).end, SearchEnd::Exhausted);
        assert_eq!(map.uniform(mode, start, &[goal], 0).end, SearchEnd::Limit);
        assert_eq!(map.weighted(mode, start, &[goal], 1).end, SearchEnd::Limit);
    }
}

#[test]
fn costs_steer_a_weighted_search() {
    let map = Map::new(".~~.\n.~~.\n....");
    let result = map.weighted(
        DiagonalMode::OnlyIfNoObstacles,
        GridPoint::of_cell(0, 0),
        &[GridPoint::of_cell(3, 0)],
        100,
    );
    // Down, around the water's corners, and up: corners of other terrain may be cut.
    assert_eq!(result.cost, 3 * STRAIGHT + 2 * DIAGONAL);
}
