use super::cluster::Cluster;
use super::entrance::representatives;
use super::flood::ClusterFlood;
use super::graph::Maker;
use super::ground::{Division, FINE_SHIFT, Spot, Window};
use super::local::{Flow, LocalSearch};
use super::*;
use crate::bitgrid::{BitGrid, Shape};
use crate::geometry::{Cell, DiagonalMode, Footprint};
use crate::passability::{PruningTable, StandCosts, TerrainCosts, open_grid};
use crate::terrain::{Capability, Terrain};

fn noise(seed: u32, shape: Shape, open_of_256: u32) -> BitGrid {
    let mut grid = BitGrid::new(shape);
    let mut random = seed;
    for y in 0..shape.height() {
        for x in 0..shape.width() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            grid.set(shape.index(x, y), random >> 24 < open_of_256);
        }
    }
    grid
}

#[test]
fn neighbours_share_their_line_and_its_entrances() {
    let shape = Shape::new(150, 100);
    let stands = noise(3, shape, 190);
    let ground = BodyGround::new(&stands, None, DiagonalMode::OnlyIfNoObstacles);
    let fine = Division::new(shape, FINE_SHIFT);
    let entrances = |cluster: u32| representatives(&ground, fine.window(cluster), 1 << FINE_SHIFT);
    let (left, right) = (entrances(0), entrances(1));
    let on_line = |spots: &[Spot]| -> Vec<Spot> {
        // Corners may be entrances of another side.
        spots.iter().copied().filter(|s| s.x() == 32 && s.y() % 32 != 0).collect()
    };
    assert!(!on_line(&left).is_empty());
    assert_eq!(on_line(&left), on_line(&right));
    assert!(left.iter().all(|&spot| fine.window(0).contains(spot) && ground.is_stand(spot)));
    let corner = Spot::new(32, 64);
    assert_eq!(fine.clusters(corner).count(), 4);
    assert!(fine.clusters(corner).all(|n| fine.window(n).contains(corner)));
}

/// Costs within a window by the definition: Bellman and Ford's rounds over all steps.
fn by_rounds(ground: &BodyGround<'_>, window: Window, from: Spot, flow: Flow) -> Vec<(Spot, u64)> {
    let spots: Vec<Spot> = (window.y0..=window.y1)
        .flat_map(|y| (window.x0..=window.x1).map(move |x| Spot::new(x, y)))
        .filter(|&spot| ground.is_stand(spot))
        .collect();
    let shape = ground.stands.shape();
    let step = |a: Spot, b: Spot| -> Option<u64> {
        let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
        let charged = ground.costs.map_or(crate::cost::StepCost::UNIT, |c| c.get(b.index(shape)).unwrap());
        let open = |x, y| ground.is_stand(Spot::new(x, y));
        match (dx, dy) {
            (0, 1) | (1, 0) => Some(u64::from(charged.straight)),
            (1, 1) => ground
                .mode
                .allows(open(a.x(), b.y()), open(b.x(), a.y()))
                .then_some(u64::from(charged.diagonal)),
            _ => None,
        }
    };
    let mut costs = vec![u64::MAX; spots.len()];
    costs[spots.iter().position(|&s| s == from).unwrap()] = 0;
    loop {
        let mut changed = false;
        for (n, &a) in spots.iter().enumerate() {
            for (m, &b) in spots.iter().enumerate() {
                let charged = if flow == Flow::Out { step(a, b) } else { step(b, a) };
                if let Some(charged) = charged.filter(|_| costs[n] != u64::MAX)
                    && costs[n] + charged < costs[m]
                {
                    costs[m] = costs[n] + charged;
                    changed = true;
                }
            }
        }
        if !changed {
            return spots.into_iter().zip(costs).collect();
        }
    }
}

#[test]
fn floods_and_ways_in_a_window_cost_what_the_steps_do() {
    let shape = Shape::new(40, 30);
    let (mut search, mut whole) = (LocalSearch::default(), ClusterFlood::default());
    for seed in 0..40_u32 {
        let stands = noise(seed, shape, [150, 200, 250][seed as usize % 3]);
        let mode = DiagonalMode::ALL[seed as usize / 3 % 4];
        let mut terrain = Terrain::new(crate::geometry::CellRect::new(0, 0, 40, 30)).unwrap();
        for k in 0..i32::try_from(seed).unwrap() {
            let patch = crate::geometry::CellRect::new(k * 7 % 37, k * 5 % 27, 1 + k % 6, 1 + k % 4);
            terrain.fill_weight(patch, 0.5 + (k % 9) as f32).unwrap();
        }
        let costs = StandCosts::build(&terrain, &stands, Footprint::ONE, &TerrainCosts::default());
        let window = Window { x0: 9, y0: 5, x1: 24, y1: 17 };
        for costs in [None, Some(&costs)] {
            let ground = BodyGround::new(&stands, costs, mode);
            let Some(from) = (9..=24).map(|x| Spot::new(x, 11)).find(|&s| ground.is_stand(s)) else {
                continue;
            };
            for flow in [Flow::Out, Flow::In] {
                let expected = by_rounds(&ground, window, from, flow);
                search.flood(&ground, window, &[from], flow);
                whole.lay_out(&ground, window);
                whole.run(from, PruningTable::of(mode));
                for &(spot, cost) in &expected {
                    let found = search.cost(spot).map_or(u64::MAX, u64::from);
                    assert_eq!(found, cost, "seed {seed}, {mode:?}, {flow:?}");
                    let found = whole.cost(spot).map_or(u64::MAX, u64::from);
                    assert!(flow == Flow::In || found == cost, "seed {seed}, {mode:?}: {found} {cost}");
                }
            }
            for &(to, cost) in by_rounds(&ground, window, from, Flow::Out).iter().step_by(7) {
                let found = search.find(&ground, window, from, to).map_or(u64::MAX, u64::from);
                assert_eq!(found, cost, "seed {seed}, {mode:?}");
            }
        }
    }
}

#[test]
fn edges_that_are_left_out_can_be_put_together_again() {
    let shape = Shape::new(100, 100);
    let stands = noise(8, shape, 215);
    let ground = BodyGround::new(&stands, None, DiagonalMode::OnlyIfNoObstacles);
    let fine = Division::new(shape, FINE_SHIFT);
    let mut maker = Maker::default();
    let window = fine.window(fine.columns() + 1);
    let spots = representatives(&ground, window, 1 << FINE_SHIFT);
    let cluster = Cluster::of_cells(&ground, window, spots.clone(), &mut maker.flood);
    assert!(cluster.edge_count() < spots.len() * (spots.len() - 1));
    maker.interior.assemble(&[std::sync::Arc::new(cluster)]);
    for &from in &spots {
        maker.local.flood(&ground, window, &[from], Flow::Out);
        maker.interior.flood(from);
        for &to in &spots {
            let (cells, edges) = (maker.local.cost(to), maker.interior.cost(to));
            assert_eq!(cells.is_some(), edges.is_some());
            let (cells, edges) = (cells.unwrap_or(0), edges.unwrap_or(0));
            assert!(cells <= edges && edges <= cells + cells / 8, "{cells} {edges}");
        }
    }
}

#[test]
fn a_wall_is_walked_around_and_a_closed_one_is_not() {
    let mut terrain = Terrain::new(crate::geometry::CellRect::new(0, 0, 300, 300)).unwrap();
    terrain.fill_solid(crate::geometry::CellRect::new(150, 0, 1, 299), true);
    let mut scratch = HierarchyScratch::default();
    let mut answer = |terrain: &Terrain| {
        let stands = open_grid(terrain, Capability::ALL);
        let ground = BodyGround::new(&stands, None, DiagonalMode::OnlyIfNoObstacles);
        let hierarchy = Hierarchy::new(terrain.shape());
        let at = |x, y| terrain.shape().index(x, y);
        let mut journey = hierarchy.find(&ground, at(5, 5), &[at(290, 5)], u32::MAX, &mut scratch)?;
        let mut cells = vec![];
        while journey.next_piece(&hierarchy, &ground, &mut scratch, &mut cells).unwrap() {}
        assert!(journey.expanded() > 0 && journey.cost() > 0);
        Ok::<_, (JourneyEnd, u32)>(cells)
    };
    let cells = answer(&terrain).unwrap();
    assert_eq!(cells.last(), Some(&(290, 5)));
    assert!(cells.contains(&(150, 299)));
    terrain.fill_solid(crate::geometry::CellRect::cell(Cell::new(150, 299)), true);
    assert!(matches!(answer(&terrain), Err((JourneyEnd::Nothing, _))));
}
