//! A map, a body and everything that a field is made from; and the plain way to the same costs.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use pathforge_core::{
    BitGrid, Cell, Cost, FieldBuilder, FieldGround, FlowField, LocalRect, MoveBytes, StandCosts, Terrain,
    anchors_touching, open_grid,
};
use pathforge_tests::bodies::Body;
use pathforge_tests::draw::draw;
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::Rng;

/// What fields are made from, kept up to date with the map.
pub struct Scene {
    pub terrain: Terrain,
    pub body: Body,
    pub stands: BitGrid,
    pub moves: MoveBytes,
    pub costs: StandCosts,
}

impl Scene {
    pub fn new(terrain: Terrain, body: Body) -> Self {
        let profile = body.profile();
        let stands = open_grid(&terrain, profile.capability).eroded(profile.footprint);
        let moves = MoveBytes::build(&stands, body.mode);
        let costs = StandCosts::build(&terrain, &stands, profile.footprint, &profile.terrain_costs);
        Self { terrain, body, stands, moves, costs }
    }

    pub fn ground(&self) -> FieldGround<'_> {
        FieldGround::new(self.terrain.region(), &self.stands, &self.moves, Some(&self.costs))
    }

    /// Follows edits of the map since `revision`; returns the anchors that they may have changed.
    pub fn follow(&mut self, revision: u64) -> Vec<LocalRect> {
        let profile = self.body.profile();
        let shape = self.terrain.shape();
        let Some(news) = self.terrain.journal().since(revision) else {
            let (terrain, body) = (self.terrain.clone(), self.body.clone());
            *self = Self::new(terrain, body);
            return vec![shape.all()];
        };
        let rects: Vec<_> =
            news.map(|entry| anchors_touching(entry.rect, profile.footprint, shape)).collect();
        self.stands = open_grid(&self.terrain, profile.capability).eroded(profile.footprint);
        for &rect in &rects {
            self.moves.repair(&self.stands, rect);
            self.costs.repair(&self.terrain, &self.stands, profile.footprint, &profile.terrain_costs, rect);
        }
        assert!(self.moves.check_invariants(&self.stands), "moves differ after {rects:?}");
        rects
    }

    pub fn build(&self, goals: &[Cell], max_cost: Option<Cost>) -> FlowField {
        let mut field = FlowField::default();
        FieldBuilder::default().build(self.ground(), goals, max_cost, &mut field);
        field
    }

    /// So many places, mostly where the body can stand.
    pub fn any_goals(&self, rng: &mut Rng, count: usize) -> Vec<Cell> {
        let stands: Vec<Cell> = Ground::new(&self.terrain, &self.body).stands().collect();
        let region = self.terrain.region();
        let any = |rng: &mut Rng| {
            if stands.is_empty() || rng.percent(5) {
                Cell::new(
                    rng.int(region.x.saturating_sub(2)..region.right().saturating_add(2)),
                    rng.int(region.y.saturating_sub(2)..region.bottom().saturating_add(2)),
                )
            } else {
                rng.pick(&stands)
            }
        };
        (0..count).map(|_| any(rng)).collect()
    }

    pub fn show(&self, goals: &[Cell]) -> String {
        let marks: Vec<_> = goals.iter().map(|&goal| (goal, 'G')).collect();
        format!("{:?}, goals {goals:?}\n{}", self.body, draw(&self.terrain, &marks))
    }
}

/// The cost from every stand to the nearest of `goals`: Dijkstra's algorithm from the goals outwards, in which a step is
/// charged as it is walked, towards the goal.
pub fn plain_costs(ground: &Ground, goals: &[Cell], max_cost: u64) -> Vec<Option<u64>> {
    let mut costs = vec![None; ground.region().area() as usize];
    let mut frontier: BinaryHeap<_> =
        goals.iter().filter(|&&goal| ground.fits(goal)).map(|&goal| Reverse((0, goal))).collect();
    while let Some(Reverse((cost, cell))) = frontier.pop() {
        let place = ground.place(cell).expect("only stands are visited");
        if costs[place].is_some() || cost > max_cost {
            continue;
        }
        costs[place] = Some(cost);
        for (from, _) in ground.neighbours(cell) {
            let step = ground.step(from, cell).expect("steps are legal both ways");
            frontier.push(Reverse((cost + u64::from(step), from)));
        }
    }
    costs
}

/// Everything that a field says is what plain costs say.
pub fn assert_is(field: &FlowField, scene: &Scene, goals: &[Cell], max_cost: u64, label: &str) {
    let ground = Ground::new(&scene.terrain, &scene.body);
    let expected = plain_costs(&ground, goals, max_cost);
    let mut reached = 0;
    for (cell, &cost) in scene.terrain.region().cells().zip(&expected) {
        let given = field.integration().cost(cell).map(|cost| u64::from(cost.units()));
        assert_eq!(given, cost, "{label}: the cost of {cell:?}\n{}", scene.show(goals));
        let cells = given.map_or(f64::INFINITY, |units| units as f64 / 70.0);
        assert!(field.integration().cost_in_cells(cell).to_bits() == cells.to_bits());
        reached += u64::from(given.is_some());
        assert_way(field, &ground, &expected, cell, || format!("{label}\n{}", scene.show(goals)));
    }
    assert_eq!(field.integration().reached(), reached, "{label}");
}

/// The direction of a cell is that of the first neighbour in reading order that is on a cheapest way.
fn assert_way(
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
            Some(ground.neighbours(cell).find(leads_on).expect("some neighbour is on a way").0)
        }
    };
    assert_eq!(field.next_cell(cell), expected, "the way from {cell:?}: {}", label());
    let step = field.direction(cell).map(|d| cell.offset(d.dx(), d.dy()));
    assert_eq!(step, expected.filter(|&next| next != cell), "the direction of {cell:?}: {}", label());
}
