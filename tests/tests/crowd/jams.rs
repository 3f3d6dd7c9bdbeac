//! Jams that agents must get out of by themselves.

use pathforge_core::crowd::{AgentState, AgentView};
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::maps::Walls;
use pathforge_tests::rng::Rng;

const STEP: f64 = 1.0 / 60.0;

/// Where two streets meet. Two bodies of three cells can lean on each other and on both walls, and on the way
/// on there is room for one.
const STREETS: &str = "
    #############################
    #############................
    #############................
    ############.................
    .............................
    .............................
    ...............##############
    ..............###############
    ..............###############
    .............################
    ############.################
";

#[test]
fn two_that_hold_each_other_where_streets_meet_take_turns() {
    for (first, second) in [(0, 1), (1, 0), (0, 3), (3, 0)] {
        let mut hall = Hall::draw(STREETS);
        let field = hall.field(3, &[Cell::new(0, 6)], 0);
        // Ids decide whose turn it is.
        let ids: Vec<u32> = (0..4)
            .map(|n| hall.add(Cell::new(24 - n, 1), 3, 3.0, None).expect("there is room for all"))
            .collect();
        let pair = [(ids[first], [14.4078, 2.4078]), (ids[second], [16.0367, 4.5922])];
        for &id in &ids {
            if id != ids[first] && id != ids[second] {
                hall.crowd.remove(&[id]);
            }
        }
        for (id, [x, y]) in pair {
            hall.with_ground(|crowd, ground| crowd.set_position(id, x, y, ground));
        }
        hall.crowd.assign_field(&ids, field);
        for _ in 0..60 * 40 {
            hall.step(STEP);
        }
        assert_eq!(hall.states()[AgentState::Arrived as usize], 2, "{first} and {second}");
    }
}

/// A street of five cells steps to the side by two. Bodies of three cells pass one by one, and the body in
/// the pocket beside the passage has to go before a body nearer to the goal.
#[test]
fn bodies_of_three_cells_come_round_the_step_of_a_street() {
    for seed in 0..3 {
        let mut walls = Walls::filled(60, 100, true);
        let open = [[5, 2, 50, 25], [26, 27, 5, 22], [28, 49, 5, 14], [5, 63, 50, 35]];
        for [x, y, w, h] in open {
            walls.fill(x, y, w, h, false);
        }
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let field = hall.field(3, &[Cell::new(30, 84)], 0);
        let mut rng = Rng::new(seed);
        while hall.crowd.len() < 16 {
            let (x, y) = (rng.int(5..52), rng.int(2..24));
            let touches = |view: AgentView| {
                (view.x - f64::from(x) - 1.5).hypot(view.y - f64::from(y) - 1.5)
                    < f64::from(2.0 * view.radius)
            };
            if !hall.crowd.views_unordered().any(touches) {
                hall.add(Cell::new(x, y), 3, 3.0, Some(field));
            }
        }
        let is_through = |hall: &Hall| hall.crowd.views_unordered().all(|view| view.y > 50.0);
        let passed = (0..180 * 60).position(|_| {
            hall.step(STEP);
            is_through(&hall)
        });
        println!("seed {seed}: {passed:?} steps");
        // Some hold each other at the step for seconds.
        assert!(passed.is_some_and(|steps| steps < 80 * 60), "seed {seed}: {passed:?} steps");
    }
}

/// While a crowd gathers, bodies on paths walk through it, and are gone. Agents that stepped aside for
/// them took each other for bodies on a path, for ever.
#[test]
fn none_steps_aside_for_others_that_do() {
    for seed in 0..4 {
        let mut hall = Hall::new(Walls::filled(60, 60, false).into_terrain(Cell::default()));
        let field = hall.field(1, &[Cell::new(30, 30)], 0);
        let mut rng = Rng::new(seed);
        let ids: Vec<u32> = (0..500)
            .filter_map(|_| hall.add(Cell::new(rng.int(2..58), rng.int(2..58)), 1, 3.0, Some(field)))
            .collect();
        let walkers: Vec<u32> = (0..6)
            .map(|n| hall.add(Cell::new(1, 24 + 2 * n), 2, 3.0, None).expect("there is room for all"))
            .collect();
        for (n, &id) in walkers.iter().enumerate() {
            hall.crowd.assign_path(&[id], &[[57.0, 25.0 + 2.0 * n as f64]], 1 + n as u32);
        }
        let steps = |hall: &mut Hall, seconds: u32| (0..60 * seconds).for_each(|_| drop(hall.step(STEP)));
        steps(&mut hall, 20);
        hall.crowd.remove(&walkers);
        steps(&mut hall, 5);
        let traces = ids.iter().filter_map(|&id| hall.crowd.trace(id));
        let aside = traces.filter(|trace| trace.behaviour() == "Aside").count();
        assert_eq!(aside, 0, "seed {seed}: so many stand aside though none comes");
    }
}

/// An agent that is paused, or driven, holds the only door for longer than any agent tries to close up.
#[test]
fn those_before_a_held_door_are_told_as_blocked_and_go_on_when_it_is_free() {
    for is_paused in [false, true] {
        let mut walls = Walls::filled(40, 20, false);
        walls.fill(20, 0, 1, 20, true);
        walls.fill(20, 10, 1, 1, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let field = hall.field(1, &[Cell::new(30, 10)], 0);
        let door = Cell::new(20, 10);
        let holder = if is_paused {
            let id = hall.add(door, 1, 4.0, None).expect("room");
            assert!(hall.crowd.set_paused(id, true));
            id
        } else {
            hall.add_driven(door, 1, None)
        };
        let cells = (0..5).map(|n| Cell::new(5 + n % 3, 8 + n / 3));
        let ids: Vec<u32> = cells.map(|cell| hall.add_driven(cell, 1, Some(field))).collect();
        let told = |hall: &mut Hall, seconds: u32| {
            let (mut blocked, mut groups) = (Vec::new(), Vec::new());
            for _ in 0..60 * seconds {
                let news = hall.drive(&ids, 4.0, STEP);
                assert_eq!(news.stuck, [], "paused {is_paused}: none is stuck");
                blocked.extend(news.blocked);
                groups.extend(news.groups.into_iter().map(|news| (news.arrived, news.blocked)));
            }
            blocked.sort_unstable();
            blocked.dedup();
            (blocked, groups)
        };
        // An agent that has come nearer by its width is reported again.
        assert_eq!(told(&mut hall, 60), (ids.clone(), vec![(0, 5)]), "paused {is_paused}");
        assert_eq!(told(&mut hall, 90), (vec![], vec![]), "paused {is_paused}: once");
        hall.crowd.remove(&[holder]);
        // Some may be blocked still when the first are there; that they have come, too, is told then.
        let (blocked, groups) = told(&mut hall, 40);
        assert_eq!((blocked, groups.last()), (vec![], Some(&(5, 0))), "paused {is_paused}: {groups:?}");
    }
}

/// Nodes of two sizes that rest before a door, each in the way of the other, go on when it is free.
#[test]
fn none_before_a_door_that_is_free_again_waits_for_one_that_waits_for_it() {
    for seed in [2, 16, 25] {
        let mut rng = Rng::new(seed);
        let mut walls = Walls::filled(40, 20, false);
        walls.fill(20, 0, 2, 20, true);
        walls.fill(20, 9, 2, 2, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let fields = [1, 2].map(|side| hall.field(side, &[Cell::new(30, 9)], 0));
        let holder = hall.add(Cell::new(20, 9), 2, 4.0, None).expect("room");
        assert!(hall.crowd.set_paused(holder, true));
        let ids: Vec<u32> = (0..8)
            .map(|n| {
                let (dx, dy) = (rng.int(0..2), rng.int(-3..3));
                let cell = Cell::new(2 + 3 * (n % 4) + dx, 6 + 6 * (n / 4) + dy);
                hall.add_driven(cell, 1 + n % 2, Some(fields[n as usize % 2]))
            })
            .collect();
        (0..60 * 120).for_each(|_| drop(hall.drive(&ids, 6.25, STEP)));
        hall.crowd.remove(&[holder]);
        (0..60 * 60).for_each(|_| drop(hall.drive(&ids, 6.25, STEP)));
        for id in ids {
            let view = hall.crowd.view(id).expect("it is there");
            assert!(view.x > 22.0, "seed {seed}: {view:?}");
        }
    }
}

/// A paused body fills a door, and eighteen bodies that pass through no other wait before it. Behind the
/// corner of the door, some saw a wall ahead, and rested for good before it when it was free.
#[test]
fn those_that_slip_through_none_come_through_a_door_that_is_free_again() {
    for (seed, wide) in [(1, 1), (2, 2), (3, 3)] {
        let mut rng = Rng::new(seed);
        let mut walls = Walls::filled(50, 24, false);
        walls.fill(24, 0, 2, 24, true);
        walls.fill(24, 11, 2, wide, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        hall.crowd.settings_mut().frees_stuck = false;
        let holder = hall.add(Cell::new(24, 11), wide, 4.0, None).expect("room");
        assert!(hall.crowd.set_paused(holder, true));
        let fields: Vec<u32> = (1..=wide).map(|side| hall.field(side, &[Cell::new(38, 11)], 0)).collect();
        let mut add = |n: i32| {
            let cell = Cell::new(1 + rng.int(0..18), 1 + rng.int(0..19));
            hall.add(cell, 1 + n % wide, 4.0, Some(fields[(n % wide) as usize]))
        };
        let ids: Vec<u32> = (0..18).filter_map(&mut add).collect();
        (0..60 * 45).for_each(|_| drop(hall.step(STEP)));
        hall.crowd.remove(&[holder]);
        (0..60 * 60).for_each(|_| drop(hall.step(STEP)));
        for id in ids {
            let view = hall.crowd.view(id).expect("it is there");
            assert!(view.x > 25.0, "a door of {wide}: {view:?}");
        }
    }
}

/// Two nodes that lean on each other and on both corners of a door: contact took back each of their steps,
/// and neither counted as held up.
#[test]
fn nodes_before_a_door_as_wide_as_one_come_through() {
    for seed in 60..70 {
        let mut rng = Rng::new(seed);
        let mut walls = Walls::filled(96, 64, false);
        walls.fill(47, 0, 1, 64, true);
        walls.fill(47, 31, 1, 1, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let field = hall.field(1, &[Cell::new(80, 31)], 0);
        let mut starts: Vec<[f64; 2]> = Vec::new();
        while starts.len() < 4 {
            let [x, y] = [rng.int(4000..4650), rng.int(2688..3625)].map(|v| f64::from(v) / 100.0);
            if starts.iter().all(|at| (at[0] - x).hypot(at[1] - y) >= 0.82) {
                starts.push([x, y]);
            }
        }
        let start = |[x, y]: [f64; 2]| {
            let first = Cell::new(x.floor() as i32, y.floor() as i32);
            let next = |at: &Cell| hall.next_cell(field, *at).filter(|next| next != at);
            let path: Vec<[f64; 2]> = std::iter::successors(Some(first), next)
                .map(|cell| [f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5])
                .collect();
            let id = hall.add_driven(first, 1, None);
            hall.crowd.set_driven_position(id, x, y, STEP);
            // Each by a path of its own.
            hall.crowd.assign_path(&[id], &path, 1);
            id
        };
        let ids: Vec<u32> = starts.into_iter().map(start).collect();
        for _ in 0..60 * 60 {
            hall.drive(&ids, 5.625, STEP);
        }
        for id in ids {
            let view = hall.crowd.view(id).expect("it is there");
            assert!(view.x > 48.0, "seed {seed}: {id} is {:?} at ({}, {})", view.state, view.x, view.y);
        }
    }
}

/// An agent without a path to its goal stands in a doorway, through which the rest of its group wants.
#[test]
fn one_that_no_way_leads_to_its_goal_makes_way_for_its_group() {
    for is_driven in [false, true] {
        let mut walls = Walls::filled(60, 30, false);
        walls.fill(20, 0, 4, 30, true);
        walls.fill(20, 13, 4, 3, false);
        walls.fill(45, 0, 1, 30, true);
        walls.fill(45, 14, 1, 1, false);
        let mut hall = Hall::new(walls.into_terrain(Cell::default()));
        let goal = Cell::new(52, 14);
        let fields = [1, 2, 3].map(|side| hall.field(side, &[goal], 0));
        let mut add = |x, side: i32| {
            let (at, field) = (Cell::new(x, 13), Some(fields[side as usize - 1]));
            if is_driven {
                hall.add_driven(at, side, field)
            } else {
                hall.add(at, side, 3.0, field).expect("it fits")
            }
        };
        let lost = add(20, 3);
        let others: Vec<u32> = (0..6).map(|n| add(17 - 2 * n, 1)).collect();
        let driven: Vec<u32> = others.iter().copied().chain([lost]).filter(|_| is_driven).collect();
        for _ in 0..60 * 60 {
            hall.drive(&driven, 3.0, STEP);
        }
        let states = |hall: &mut Hall| {
            let mut state = |id: u32| hall.crowd.view(id).expect("it is there").state;
            (state(lost), others.iter().map(|&id| state(id)).collect::<Vec<_>>())
        };
        assert_eq!(
            states(&mut hall),
            (AgentState::Stuck, vec![AgentState::Arrived; 6]),
            "driven: {is_driven}"
        );
    }
}
