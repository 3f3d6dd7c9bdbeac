//! On every level, for every body: the oracle's cost, the oracle's reachability, and only steps that the rule
//! allows.

use pathforge_core::cost::Cost;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Terrain;
use pathforge_platformer::{
    JumpProfile, KeyKind, PlatformerOutcome, PlatformerQuery, PlatformerReason, StepKind,
};
use pathforge_tests::jumps::Jumps;
use pathforge_tests::maps::any_cell;
use pathforge_tests::rng::{Rng, seeds};

use super::levels::{any_level, any_profile, any_rng, draw};
use super::oracle::Oracle;

/// What is wrong with an outcome; `None` if nothing is.
fn fault(
    oracle: &Oracle,
    map: &Terrain,
    query: &PlatformerQuery,
    outcome: &PlatformerOutcome,
) -> Option<String> {
    let region = map.region();
    let expected = if !region.contains(query.start) {
        Err(vec![PlatformerReason::StartOutOfBounds])
    } else if map.is_solid(query.start) {
        Err(vec![PlatformerReason::StartSolid])
    } else if !oracle.fits(query.start) {
        Err(vec![PlatformerReason::StartClearance])
    } else if !region.contains(query.goal) {
        Err(vec![PlatformerReason::GoalOutOfBounds])
    } else if map.is_solid(query.goal) {
        Err(vec![PlatformerReason::GoalSolid])
    } else if oracle.goal_place(query.goal, false).is_none() {
        Err(vec![PlatformerReason::GoalClearance])
    } else {
        match oracle.goal_place(query.goal, query.goal_on_ground) {
            None => Err(vec![PlatformerReason::GoalWithoutGround]),
            Some(goal) => oracle
                .costs(query.start)
                .get(&goal)
                .map(|&cost| (goal, cost))
                .ok_or(vec![PlatformerReason::NoPath, PlatformerReason::Disconnected]),
        }
    };
    match expected {
        Err(reasons) if outcome.reason.is_some_and(|reason| reasons.contains(&reason)) => {
            (!outcome.path.cells.is_empty() || outcome.cost.is_some())
                .then(|| "a path or a cost without success".to_owned())
        }
        Err(reasons) => Some(format!("the reason should be one of {reasons:?}")),
        Ok((goal, cost)) => {
            if outcome.cost.map(Cost::units) != Some(cost) || outcome.path.cells.last().copied() != Some(goal)
            {
                return Some(format!("the oracle goes to {goal:?} for {cost}"));
            }
            match oracle.walk(query.start, &outcome.path) {
                Err(why) => Some(why),
                Ok(walked) if walked != cost => Some(format!("step by step the path costs {walked}")),
                Ok(_) => labels_fault(outcome),
            }
        }
    }
}

/// What is wrong with the step kinds and key points of a path.
fn labels_fault(outcome: &PlatformerOutcome) -> Option<String> {
    let path = &outcome.path;
    let rises_later = |at: usize| {
        let flight = (at..path.cells.len() - 1).take_while(|&n| !path.on_ground[n]);
        flight.into_iter().any(|n| path.cells[n + 1].y < path.cells[n].y)
    };
    for at in 1..path.cells.len() {
        let (before, here) = (path.cells[at - 1], path.cells[at]);
        let (from_ground, to_ground) = (path.on_ground[at - 1], path.on_ground[at]);
        let right = match path.steps[at] {
            StepKind::Walk => from_ground && to_ground && here.y == before.y,
            StepKind::Jump => !to_ground && (here.y < before.y || here.y == before.y && rises_later(at)),
            StepKind::Fall => !to_ground && (here.y > before.y || here.y == before.y && !rises_later(at)),
            StepKind::DropThrough => from_ground && here.y > before.y,
            StepKind::Land => to_ground && (!from_ground || here.y < before.y),
            StepKind::Climb => false,
        };
        if !right {
            return Some(format!("step {at} is no {:?}", path.steps[at]));
        }
    }
    let points = &path.key_points;
    if points.first().map(|p| (p.index, p.kind)) != Some((0, KeyKind::Start))
        || points.last().map(|p| (p.index, p.kind)) != Some((path.cells.len() - 1, KeyKind::Goal))
        || !points.is_sorted_by_key(|p| p.index)
    {
        return Some("the key points are out of order".to_owned());
    }
    // Between key points the path turns nowhere on ground, and every flight is marked at both ends.
    for at in 1..path.cells.len() {
        let leaves = path.on_ground[at - 1] && path.steps[at] != StepKind::Walk;
        let marked =
            |kinds: &[KeyKind], index| points.iter().any(|p| p.index == index && kinds.contains(&p.kind));
        let begins = [KeyKind::TakeOff, KeyKind::StepOff, KeyKind::DropThrough];
        if leaves != marked(&begins, at - 1) {
            return Some(format!("cell {} is not marked as the begin of a flight", at - 1));
        }
        let lands = path.on_ground[at] && path.steps[at] != StepKind::Walk;
        if lands != marked(&[KeyKind::Landing], at) {
            return Some(format!("cell {at} is not marked as its end"));
        }
    }
    None
}

fn show(map: &Terrain, query: &PlatformerQuery, outcome: &PlatformerOutcome) -> String {
    let mut marks: Vec<(Cell, char)> = outcome.path.cells.iter().map(|&c| (c, '*')).collect();
    marks.extend([(query.start, 'S'), (query.goal, 'G')]);
    format!("{query:?}\n{outcome:?}\n{}", draw(map, &marks))
}

/// A cell at which the body probably fits.
fn likely_cell(rng: &mut Rng, oracle: &Oracle, region: CellRect) -> Cell {
    let stands: Vec<Cell> = region.cells().filter(|&c| oracle.fits(c) && oracle.is_on_ground(c)).collect();
    let fits: Vec<Cell> = region.cells().filter(|&c| oracle.fits(c)).collect();
    match rng.int(0..10) {
        0..7 if !stands.is_empty() => rng.pick(&stands),
        0..9 if !fits.is_empty() => rng.pick(&fits),
        _ => any_cell(rng, region),
    }
}

#[test]
fn every_outcome_is_the_oracles() {
    let (mut complete, mut refused, mut jumped, mut dropped) = (0, 0, 0, 0);
    for seed in seeds(50, 4000) {
        let mut rng = any_rng(seed);
        let map = any_level(&mut rng);
        let mut platformer = Jumps::new(map.clone());
        let profile = any_profile(&mut rng);
        let oracle = Oracle::new(&map, &profile);
        for _ in 0..3 {
            let start = likely_cell(&mut rng, &oracle, map.region());
            let goal = likely_cell(&mut rng, &oracle, map.region());
            let query = PlatformerQuery {
                goal_on_ground: rng.percent(30),
                ..PlatformerQuery::new(start, goal, profile)
            };
            let outcome = platformer.find_path(&query);
            if let Some(why) = fault(&oracle, &map, &query, &outcome) {
                panic!("seed {seed}: {why}\n{}", show(&map, &query, &outcome));
            }
            let any = |kind| outcome.path.key_points.iter().any(|p| p.kind == kind);
            complete += usize::from(outcome.is_complete());
            refused += usize::from(!outcome.is_complete());
            jumped += usize::from(any(KeyKind::TakeOff));
            dropped += usize::from(any(KeyKind::DropThrough));
        }
    }
    // The levels are varied enough to test anything.
    assert!(complete > 2000 && refused > 2000, "{complete} complete, {refused} refused");
    assert!(jumped > 500 && dropped > 100, "{jumped} with a jump, {dropped} with a drop");
}

/// One search reaches what the oracle reaches, everywhere: the goal is a cell that cannot be reached.
#[test]
fn every_cell_is_reached_at_the_oracles_cost() {
    for seed in seeds(51, 400) {
        let mut rng = any_rng(seed);
        let map = any_level(&mut rng);
        let profile = any_profile(&mut rng);
        let oracle = Oracle::new(&map, &profile);
        let start = likely_cell(&mut rng, &oracle, map.region());
        if !oracle.fits(start) {
            continue;
        }
        let costs = oracle.costs(start);
        let mut platformer = Jumps::new(map.clone());
        for goal in map.region().cells().filter(|&c| oracle.fits(c)) {
            let query = PlatformerQuery::new(start, goal, profile);
            let outcome = platformer.find_path(&query);
            let cost = outcome.cost.map(Cost::units);
            assert_eq!(cost, costs.get(&goal).copied(), "seed {seed}\n{}", show(&map, &query, &outcome));
        }
    }
}

/// The outcome does not depend on earlier queries, and a limit stops the search with its reason.
#[test]
fn outcomes_repeat_and_limits_hold() {
    for seed in seeds(52, 300) {
        let mut rng = any_rng(seed);
        let map = any_level(&mut rng);
        let profile = any_profile(&mut rng);
        let oracle = Oracle::new(&map, &profile);
        let mut used = Jumps::new(map.clone());
        for _ in 0..4 {
            let start = likely_cell(&mut rng, &oracle, map.region());
            let query = PlatformerQuery::new(start, likely_cell(&mut rng, &oracle, map.region()), profile);
            let free = used.find_path(&query);
            assert_eq!(Jumps::new(map.clone()).find_path(&query), free, "seed {seed}");
            if free.expanded > 0 {
                let tight = PlatformerQuery { expansions_max: free.expanded - 1, ..query };
                let stopped = used.find_path(&tight);
                assert_eq!(stopped.reason, Some(PlatformerReason::Limit), "seed {seed}");
                assert_eq!(stopped.expanded, free.expanded - 1);
                let enough = PlatformerQuery { expansions_max: free.expanded, ..query };
                assert_eq!(used.find_path(&enough), free);
            }
            // Other bodies in between.
            let other = any_profile(&mut rng);
            used.find_path(&PlatformerQuery { profile: other, ..query });
        }
    }
}

/// On high levels flights have more states than are kept.
#[test]
fn high_levels_are_as_the_oracle_says() {
    for seed in seeds(54, 6) {
        let mut rng = any_rng(seed);
        let mut map = Terrain::new(CellRect::new(0, 0, 70, 150)).expect("a level");
        for _ in 0..14 {
            let (x, y) = (rng.int(0..70), rng.int(4..150));
            map.fill_solid(CellRect::new(x, y, rng.int(1..6), 1), true);
        }
        map.fill_solid(CellRect::new(0, 149, 70, 1), true);
        let limited = JumpProfile { max_air_run: 9, ..JumpProfile::default() };
        for profile in [JumpProfile::default(), limited] {
            let oracle = Oracle::new(&map, &profile);
            let mut platformer = Jumps::new(map.clone());
            for _ in 0..3 {
                let start = likely_cell(&mut rng, &oracle, map.region());
                let costs = oracle.costs(start);
                for _ in 0..20 {
                    let goal = likely_cell(&mut rng, &oracle, map.region());
                    if !oracle.fits(start) || !oracle.fits(goal) {
                        continue;
                    }
                    let query = PlatformerQuery::new(start, goal, profile);
                    let outcome = platformer.find_path(&query);
                    let cost = outcome.cost.map(Cost::units);
                    assert_eq!(
                        cost,
                        costs.get(&goal).copied(),
                        "seed {seed}\n{}",
                        show(&map, &query, &outcome)
                    );
                    if cost.is_some() {
                        assert_eq!(oracle.walk(start, &outcome.path).ok(), cost, "seed {seed}");
                    }
                }
            }
        }
    }
}
