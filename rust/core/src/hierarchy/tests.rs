use super::builder::ClusterBuilder;
use super::cluster_dijkstra::ClusterDijkstra;
use super::partition::{CLUSTER_SHIFT, Partition};
use super::transitions::transitions;
use super::window_search::{CostsRun, WindowSearch};
use super::*;
use crate::bitgrid::{BitGrid, GridLayout};
use crate::derived::Derived;
use crate::geometry::{Cell, DiagonalMode, Footprint};
use crate::passability::{PlacementCosts, Placements, TerrainCosts, open_grid};
use crate::primitives::{GridBounds, GridPoint, PruningTable, SearchEnd};
use crate::terrain::{Capability, Terrain};

fn noise(seed: u32, layout: GridLayout, open_of_256: u32) -> Placements {
    let mut grid = BitGrid::new(layout);
    let mut random = seed;
    for y in 0..layout.height() {
        for x in 0..layout.width() {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            grid.set(layout.index(x, y), random >> 24 < open_of_256);
        }
    }
    grid.into()
}

#[test]
fn neighbours_share_the_transitions_on_their_line() {
    let layout = GridLayout::new(150, 100);
    let layer = noise(3, layout, 190);
    let ground = BodyGround::new(&layer, None, DiagonalMode::OnlyIfNoObstacles);
    let fine = Partition::new(layout, CLUSTER_SHIFT);
    let found = |cluster: u32| transitions(&ground, fine.window(cluster), 1 << CLUSTER_SHIFT);
    let (left, right) = (found(0), found(1));
    let on_line = |points: &[GridPoint]| -> Vec<GridPoint> {
        // Corners may be transitions of another side.
        points.iter().copied().filter(|s| s.x() == 32 && s.y() % 32 != 0).collect()
    };
    assert!(!on_line(&left).is_empty());
    assert_eq!(on_line(&left), on_line(&right));
    assert!(left.iter().all(|&point| fine.window(0).contains(point) && ground.is_placement(point)));
    let corner = GridPoint::new(32, 64);
    assert_eq!(fine.squares(corner).count(), 4);
    assert!(fine.squares(corner).all(|n| fine.window(n).contains(corner)));
}

/// Costs within a window by the definition: Bellman and Ford's rounds over all steps.
fn by_rounds(
    ground: &BodyGround<'_>,
    window: GridBounds,
    from: GridPoint,
    direction: CostsRun,
) -> Vec<(GridPoint, u64)> {
    let points: Vec<GridPoint> = (window.y0..=window.y1)
        .flat_map(|y| (window.x0..=window.x1).map(move |x| GridPoint::new(x, y)))
        .filter(|&point| ground.is_placement(point))
        .collect();
    let layout = ground.layer.layout();
    let step = |a: GridPoint, b: GridPoint| -> Option<u64> {
        let (dx, dy) = (a.x().abs_diff(b.x()), a.y().abs_diff(b.y()));
        let charged = ground.costs.map_or(crate::cost::StepCost::UNIT, |c| c.get(b.index(layout)).unwrap());
        let open = |x, y| ground.is_placement(GridPoint::new(x, y));
        match (dx, dy) {
            (0, 1) | (1, 0) => Some(u64::from(charged.straight)),
            (1, 1) => ground
                .mode
                .allows(open(a.x(), b.y()), open(b.x(), a.y()))
                .then_some(u64::from(charged.diagonal)),
            _ => None,
        }
    };
    let mut costs = vec![u64::MAX; points.len()];
    costs[points.iter().position(|&s| s == from).unwrap()] = 0;
    loop {
        let mut changed = false;
        for (n, &a) in points.iter().enumerate() {
            for (m, &b) in points.iter().enumerate() {
                let charged = if direction == CostsRun::FromSources { step(a, b) } else { step(b, a) };
                if let Some(charged) = charged.filter(|_| costs[n] != u64::MAX)
                    && costs[n] + charged < costs[m]
                {
                    costs[m] = costs[n] + charged;
                    changed = true;
                }
            }
        }
        if !changed {
            return points.into_iter().zip(costs).collect();
        }
    }
}

#[test]
fn searches_in_a_window_find_what_the_steps_cost() {
    let layout = GridLayout::new(40, 30);
    let (mut search, mut whole) = (WindowSearch::default(), ClusterDijkstra::default());
    for seed in 0..40_u32 {
        let layer = noise(seed, layout, [150, 200, 250][seed as usize % 3]);
        let mode = DiagonalMode::ALL[seed as usize / 3 % 4];
        let mut terrain = Terrain::new(crate::geometry::CellRect::new(0, 0, 40, 30)).unwrap();
        for k in 0..i32::try_from(seed).unwrap() {
            let patch = crate::geometry::CellRect::new(k * 7 % 37, k * 5 % 27, 1 + k % 6, 1 + k % 4);
            terrain.fill_weight(patch, 0.5 + (k % 9) as f32).unwrap();
        }
        let costs =
            PlacementCosts::build((&terrain, &layer, (&TerrainCosts::default()).into()), Footprint::ONE);
        let window = GridBounds { x0: 9, y0: 5, x1: 24, y1: 17 };
        for costs in [None, Some(&costs)] {
            let ground = BodyGround::new(&layer, costs, mode);
            let Some(from) = (9..=24).map(|x| GridPoint::new(x, 11)).find(|&s| ground.is_placement(s)) else {
                continue;
            };
            for direction in [CostsRun::FromSources, CostsRun::ToSources] {
                let expected = by_rounds(&ground, window, from, direction);
                search.search_all(&ground, window, &[from], direction);
                whole.load(&ground, window);
                whole.run(from, PruningTable::of(mode));
                for &(point, cost) in &expected {
                    let found = search.cost(point).map_or(u64::MAX, u64::from);
                    assert_eq!(found, cost, "seed {seed}, {mode:?}, {direction:?}");
                    let found = whole.cost(point).map_or(u64::MAX, u64::from);
                    assert!(
                        direction == CostsRun::ToSources || found == cost,
                        "seed {seed}, {mode:?}: {found} {cost}"
                    );
                }
            }
            for &(to, cost) in by_rounds(&ground, window, from, CostsRun::FromSources).iter().step_by(7) {
                let found = search.find(&ground, window, from, to).map_or(u64::MAX, u64::from);
                assert_eq!(found, cost, "seed {seed}, {mode:?}");
            }
        }
    }
}

#[test]
fn edges_that_are_left_out_can_be_put_together_again() {
    let layout = GridLayout::new(100, 100);
    let layer = noise(8, layout, 215);
    let ground = BodyGround::new(&layer, None, DiagonalMode::OnlyIfNoObstacles);
    let fine = Partition::new(layout, CLUSTER_SHIFT);
    let mut builder = ClusterBuilder::default();
    let window = fine.window(fine.columns() + 1);
    let points = transitions(&ground, window, 1 << CLUSTER_SHIFT);
    let cluster = builder.cluster_of(&ground, window, points.clone());
    assert!(cluster.edge_count() < points.len() * (points.len() - 1));
    builder.block_graph.assemble(&[std::sync::Arc::new(cluster)]);
    for &from in &points {
        builder.windows.search_all(&ground, window, &[from], CostsRun::FromSources);
        builder.block_graph.search_all(from);
        let block_cost = |to| {
            let graph = &builder.block_graph;
            let cost = graph.costs()[graph.transitions().binary_search(&to).unwrap()];
            (cost != u32::MAX).then_some(cost)
        };
        for &to in &points {
            let (cells, edges) = (builder.windows.cost(to), block_cost(to));
            assert_eq!(cells.is_some(), edges.is_some());
            let (cells, edges) = (cells.unwrap_or(0), edges.unwrap_or(0));
            assert!(cells <= edges && edges <= cells + cells / 8, "{cells} {edges}");
        }
    }
}

#[test]
fn a_path_leads_around_a_wall_unless_it_is_closed() {
    let mut terrain = Terrain::new(crate::geometry::CellRect::new(0, 0, 300, 300)).unwrap();
    terrain.fill_solid(crate::geometry::CellRect::new(150, 0, 1, 299), true);
    let mut scratch = HierarchyScratch::default();
    let mut answer = |terrain: &Terrain| {
        let layer = Placements::from(open_grid(terrain, Capability::ALL));
        let ground = BodyGround::new(&layer, None, DiagonalMode::OnlyIfNoObstacles);
        let hierarchy = Hierarchy::build((&layer, None), DiagonalMode::OnlyIfNoObstacles);
        let at = GridPoint::of_cell;
        let mut refiner = hierarchy.find(&ground, at(5, 5), &[at(290, 5)], u32::MAX, &mut scratch)?;
        let mut points = vec![];
        while refiner.next_piece(&hierarchy, &ground, &mut scratch, &mut points).unwrap() {}
        assert!(refiner.expanded() > 0 && refiner.cost() > 0);
        Ok::<_, (SearchEnd, u32)>(points)
    };
    let points = answer(&terrain).unwrap();
    assert_eq!(points.last(), Some(&GridPoint::of_cell(290, 5)));
    assert!(points.contains(&GridPoint::of_cell(150, 299)));
    terrain.fill_solid(crate::geometry::CellRect::cell(Cell::new(150, 299)), true);
    assert!(matches!(answer(&terrain), Err((SearchEnd::Exhausted, _))));
}
