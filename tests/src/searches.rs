//! The engines of searches over cells, asked without a world: each engine that can answer, whichever a world
//! would choose.

use pathforge_core::connectivity::Components;
use pathforge_core::geometry::Cell;
use pathforge_core::passability::{PlacementCosts, Placements};
use pathforge_core::path::{Route, RouteLink};
use pathforge_core::primitives::{GridPoint, SearchEnd};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::{
    Derived, Goals, JumpMap, Landmarks, MoveBytes, MoveWay, Scratch, SearchResult, Transpose, Weights,
    search_uniform, search_weighted, search_weighted_jps,
};
use pathforge_core::world::Profile;

use crate::bodies::Body;
use crate::check::walk;
use crate::draw::draw;
use crate::oracle::{Distances, Ground};

/// What searches of one body run on, with the oracle's ground.
pub struct Searches {
    terrain: Terrain,
    body: Body,
    profile: Profile,
    layer: Placements,
    jump_map: JumpMap,
    costs: PlacementCosts,
    cost_jump_map: JumpMap,
    landmarks: Landmarks,
    /// The ground as the oracle sees it.
    pub ground: Ground,
}

impl Searches {
    /// Makes what searches of `body` on `terrain` need.
    pub fn new(terrain: Terrain, body: &Body) -> Self {
        let profile = body.profile();
        let key = profile.layer_key();
        let open = Placements::build((&terrain, None), key.of_one_cell());
        let layer = Placements::build((&terrain, Some(&open)), key);
        let transpose = Transpose::build(&layer, ());
        let costs =
            PlacementCosts::build((&terrain, &layer, (&profile.terrain_costs).into()), profile.footprint);
        let moves = [MoveWay::Leaving, MoveWay::Arriving]
            .map(|way| MoveBytes::build(&layer, (profile.diagonal_mode, way)));
        let components = Components::build(&layer, profile.diagonal_mode.joins_diagonally());
        Self {
            landmarks: Landmarks::build(
                (&layer, moves.each_ref(), &components, &costs),
                profile.diagonal_mode,
            ),
            jump_map: JumpMap::build((&layer, &transpose, None), profile.diagonal_mode),
            cost_jump_map: JumpMap::build((&layer, &transpose, Some(&costs)), profile.diagonal_mode),
            ground: Ground::new(&terrain, body),
            body: body.clone(),
            terrain,
            profile,
            layer,
            costs,
        }
    }

    fn point(&self, cell: Cell) -> GridPoint {
        let region = self.terrain.region();
        GridPoint::of_cell((cell.x - region.x) as u32, (cell.y - region.y) as u32)
    }

    fn cell(&self, point: GridPoint) -> Cell {
        let ((x, y), region) = (point.cell_xy(), self.terrain.region());
        Cell::new(region.x + x as i32, region.y + y as i32)
    }

    /// The answers of all engines that can give one, by name. All cells must be placements.
    ///
    /// # Panics
    /// Without a goal.
    pub fn ask(
        &self,
        start: Cell,
        goals: &[Cell],
        expansions_max: u32,
        scratch: &mut Scratch,
    ) -> Vec<(&'static str, SearchResult)> {
        let points: Vec<GridPoint> = goals.iter().map(|&goal| self.point(goal)).collect();
        let goals = Goals::new(self.layer.layout(), &points).expect("some goals");
        let (start, mode, max) = (self.point(start), self.profile.diagonal_mode, expansions_max);
        let (map, costs) = (&self.jump_map, &self.costs);
        let landmarks = self.landmarks.costs();
        let informed = Weights::with_landmarks(costs, &landmarks);
        let mut answers = vec![
            (
                "weighted jumps by landmarks",
                search_weighted_jps(&self.cost_jump_map, informed, mode, start, &goals, max, scratch),
            ),
            (
                "weighted jumps",
                search_weighted_jps(&self.cost_jump_map, costs, mode, start, &goals, max, scratch),
            ),
        ];
        // Beside edges, no world asks for it.
        if !self.layer.has_edges() {
            answers.extend([
                ("A* by landmarks", search_weighted(map, informed, mode, start, &goals, max, scratch)),
                ("A*", search_weighted(map, costs, mode, start, &goals, max, scratch)),
            ]);
        }
        if self.ground.is_uniform() {
            answers.push(("jumps", search_uniform(map, mode, start, &goals, max, scratch)));
        }
        answers
    }

    /// Asks all engines and holds their answers to the oracle: the cost, which of several goals of equal
    /// cost, and every step.
    ///
    /// # Panics
    /// When an answer is wrong.
    pub fn assert_right(&self, start: Cell, goals: &[Cell], scratch: &mut Scratch, label: &str) {
        let distances = Distances::from(&self.ground, start);
        let reached = goals.iter().filter_map(|&goal| Some((distances.cost(&self.ground, goal)?, goal)));
        let best = reached.min_by_key(|&(cost, goal)| (cost, goal.y, goal.x));
        for (engine, result) in self.ask(start, goals, u32::MAX, scratch) {
            let cells: Vec<Cell> = result.waypoints.iter().map(|&point| self.cell(point)).collect();
            let links = result.link_ends.iter().map(|&place| RouteLink { place: place as usize, id: 0 });
            let route = Route::with_links(cells.clone(), links.collect()).cells();
            let told = || {
                let marks: Vec<_> = route.iter().map(|&cell| (cell, '*')).collect();
                let asked = format!("{:?} from {start:?} to {goals:?}", self.body);
                format!("{label}, {engine}: {asked}\n{result:?}\n{}", draw(&self.terrain, &marks))
            };
            let found =
                (result.end == SearchEnd::Found).then(|| (u64::from(result.cost), cells[cells.len() - 1]));
            assert_eq!(found, best, "{}", told());
            if let Some((cost, _)) = best {
                assert_eq!(walk(&self.ground, start, &route), Ok(cost), "{}", told());
            }
        }
    }
}
