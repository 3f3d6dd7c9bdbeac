//! A map, a body and everything that a field is computed from; and the oracle of costs, a plain Dijkstra.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pathforge_core::bitgrid::LocalRect;
use pathforge_core::cost::Cost;
use pathforge_core::field::{FieldBuilder, FieldGround, FlowField};
use pathforge_core::geometry::{Cell, Direction};
use pathforge_core::passability::{PlacementCosts, Placements};
use pathforge_core::terrain::Terrain;
use pathforge_core::testing::{Derived, MoveBytes, MoveWay, anchors_touching};
use pathforge_tests::bodies::Body;
use pathforge_tests::draw::draw;
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::Rng;

const WAYS: [MoveWay; 2] = [MoveWay::Leaving, MoveWay::Arriving];

/// What fields are computed from, kept up to date with the map.
pub struct Scene {
    pub terrain: Terrain,
    pub body: Body,
    pub placements: Placements,
    /// The moves out of placements and into them.
    pub moves: [MoveBytes; 2],
    pub costs: PlacementCosts,
}

impl Scene {
    pub fn new(terrain: Terrain, body: Body) -> Self {
        let profile = body.profile();
        let placements = body.placements(&terrain);
        let moves = WAYS.map(|way| MoveBytes::build(&placements, (body.mode, way)));
        let costs = PlacementCosts::build(
            (&terrain, &placements, (&profile.terrain_costs).into()),
            profile.footprint,
        );
        Self { terrain, body, placements, moves, costs }
    }

    pub fn ground(&self) -> FieldGround<'_> {
        FieldGround::new(self.terrain.region(), &self.placements, self.moves.each_ref(), Some(&self.costs))
    }

    /// Follows edits of the map since `revision`; returns the anchors that they may have changed.
    pub fn follow(&mut self, revision: u64) -> Vec<LocalRect> {
        let profile = self.body.profile();
        let layout = self.terrain.layout();
        let Some(edits) = self.terrain.journal().since(revision) else {
            let (terrain, body) = (self.terrain.clone(), self.body.clone());
            *self = Self::new(terrain, body);
            return vec![layout.all()];
        };
        let had_edges = self.placements.has_edges();
        self.placements = self.body.placements(&self.terrain);
        // Whether an edge is near changes two cells around it, too.
        let around = if had_edges || self.placements.has_edges() { 2 } else { 0 };
        let grown = |LocalRect { x0, y0, x1, y1 }| LocalRect {
            x0: u32::saturating_sub(x0, around),
            y0: u32::saturating_sub(y0, around),
            x1: layout.width().min(x1 + around),
            y1: layout.height().min(y1 + around),
        };
        let rects: Vec<_> =
            edits.map(|entry| anchors_touching(grown(entry.rect), profile.footprint, layout)).collect();
        for &rect in &rects {
            for (moves, way) in self.moves.iter_mut().zip(WAYS) {
                moves.repair_in(&self.placements, (profile.diagonal_mode, way), rect);
            }
            let source = (&self.terrain, &self.placements, (&profile.terrain_costs).into());
            self.costs.repair_in(source, profile.footprint, rect);
        }
        assert!(
            self.moves == WAYS.map(|way| MoveBytes::build(&self.placements, (profile.diagonal_mode, way))),
            "moves differ after {rects:?}"
        );
        rects
    }

    pub fn build(&self, goals: &[Cell], max_cost: Option<Cost>) -> FlowField {
        let mut field = FlowField::default();
        FieldBuilder::default().build(self.ground(), goals, max_cost, &mut field);
        field
    }

    /// `count` random cells, mostly valid placements.
    pub fn any_goals(&self, rng: &mut Rng, count: usize) -> Vec<Cell> {
        let placements: Vec<Cell> = Ground::new(&self.terrain, &self.body).placements().collect();
        let region = self.terrain.region();
        let any = |rng: &mut Rng| {
            if placements.is_empty() || rng.percent(5) {
                Cell::new(
                    rng.int(region.x.saturating_sub(2)..region.right().saturating_add(2)),
                    rng.int(region.y.saturating_sub(2)..region.bottom().saturating_add(2)),
                )
            } else {
                rng.pick(&placements)
            }
        };
        (0..count).map(|_| any(rng)).collect()
    }

    pub fn show(&self, goals: &[Cell]) -> String {
        let marks: Vec<_> = goals.iter().map(|&goal| (goal, 'G')).collect();
        format!("{:?}, goals {goals:?}\n{}", self.body, draw(&self.terrain, &marks))
    }
}

/// The cost from every valid placement to the nearest of `goals`: Dijkstra's algorithm from the goals
/// outwards, with the cost of each step as it is walked, towards the goal.
pub fn plain_costs(ground: &Ground, goals: &[Cell], max_cost: u64) -> Vec<Option<u64>> {
    let mut costs = vec![None; ground.region().area() as usize];
    let mut frontier: BinaryHeap<_> =
        goals.iter().filter(|&&goal| ground.fits(goal)).map(|&goal| Reverse((0, goal))).collect();
    while let Some(Reverse((cost, cell))) = frontier.pop() {
        let place = ground.place(cell).expect("only placements are visited");
        if costs[place].is_some() || cost > max_cost {
            continue;
        }
        costs[place] = Some(cost);
        // A step across an edge may be legal one way alone.
        for from in Direction::ALL.map(|d| cell.offset(d.dx(), d.dy())) {
            let step = ground.step(from, cell);
            frontier.extend(step.map(|step| Reverse((cost + u64::from(step), from))));
        }
        frontier.extend(ground.links_to(cell).map(|(from, step)| Reverse((cost + u64::from(step), from))));
    }
    costs
}

/// Checks costs and directions of a field against plain costs.
pub fn assert_is(field: &FlowField, scene: &Scene, goals: &[Cell], max_cost: u64, label: &str) {
    let ground = Ground::new(&scene.terrain, &scene.body);
    let expected = plain_costs(&ground, goals, max_cost);
    let mut reached = 0;
    for (cell, &cost) in scene.terrain.region().cells().zip(&expected) {
        let given = field.integration().cost(cell).map(|cost| u64::from(cost.units()));
        assert_eq!(given, cost, "{label}: the cost of {cell:?}\n{}", scene.show(goals));
        reached += u64::from(given.is_some());
        assert_direction(field, &ground, &expected, cell, || format!("{label}\n{}", scene.show(goals)));
    }
    assert_eq!(field.integration().reached(), reached, "{label}");
}

/// Checks that the direction of a cell is that to the first neighbour in reading order that lies on a
/// shortest path.
fn assert_direction(
    field: &FlowField,
    ground: &Ground,
    costs: &[Option<u64>],
    cell: Cell,
    label: impl Fn() -> String,
) {
    let cost_of = |cell: Cell| ground.place(cell).and_then(|place| costs[place]);
    let expected = match cost_of(cell) {
        None => None,
        Some(0) => Some(cell),
        Some(cost) => {
            let leads_on =
                |(to, step): &(Cell, u32)| cost_of(*to).is_some_and(|c| c + u64::from(*step) == cost);
            Some(ground.neighbours(cell).find(leads_on).expect("some neighbour lies on a shortest path").0)
        }
    };
    assert_eq!(field.next_cell(cell), expected, "the step from {cell:?}: {}", label());
    let step = field.direction(cell).map(|d| cell.offset(d.dx(), d.dy()));
    // Where the path takes a link, there is no direction.
    let walks = |&next: &Cell| {
        let spared = cost_of(cell).zip(cost_of(next)).map(|(cost, rest)| cost - rest);
        next != cell && ground.walk(cell, next).map(u64::from) == spared
    };
    assert_eq!(step, expected.filter(walks), "the direction of {cell:?}: {}", label());
}
