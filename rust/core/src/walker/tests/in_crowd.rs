//! A body and its agent of the crowd: what the crowd is told, what it tells, and that both together come to a
//! target.

use super::*;
use crate::crowd::{AgentSpec, AgentState, Crowd, CrowdGround, CrowdKind, CrowdSettings};
use crate::passability::{LayerKey, Placements, open_grid};
use crate::terrain::Capability;

const REST: Option<Order> = Some(Order::Rest { has_arrived: false });

#[test]
fn the_crowd_is_told_of_a_walk_once() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    assert_eq!(scene.walker.take_order(), None);
    scene.order(9.5, 3.5);
    assert_eq!(scene.walker.take_order(), None, "it has no path yet");
    assert!(scene.ask() && scene.answer());
    let send = Some(Order::Send(Cell::new(9, 3)));
    assert_eq!([scene.walker.take_order(), scene.walker.take_order()], [send, None]);
    assert!(scene.arrives());
    let arrived = Some(Order::Rest { has_arrived: true });
    assert_eq!([scene.walker.take_order(), scene.walker.take_order()], [arrived, None]);
    // Refused, it rests and has not arrived.
    scene.set_out(1.5, 1.5);
    scene.walker.take_order();
    scene.fill(CellRect::new(1, 1, 1, 1), true);
    assert!(!scene.arrives());
    assert_eq!(scene.walker.take_order(), REST);
}

#[test]
fn one_that_is_at_its_target_at_once_is_sent_there_and_rests() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(1.5, 1.5);
    scene.step();
    assert!(scene.walker.is_target_reached());
    let (send, arrived) = (Some(Order::Send(Cell::new(1, 1))), Some(Order::Rest { has_arrived: true }));
    assert_eq!([(); 3].map(|()| scene.walker.take_order()), [send, arrived, None]);
    // In another crowd it has its place, too.
    scene.walker.hear(Notice::LetGo);
    assert_eq!([(); 3].map(|()| scene.walker.take_order()), [send, arrived, None]);
    // A refusal is no arrival, wherever it arrived before.
    scene.fill(CellRect::new(8, 3, 1, 1), true);
    scene.order(8.5, 3.5);
    assert!(!scene.arrives() && scene.walker.is_finished());
    assert_eq!([scene.walker.take_order(), scene.walker.take_order()], [REST, None]);
}

#[test]
fn one_that_is_pushed_off_its_target_comes_back() {
    let mut scene = Scene::new(ROOM, (3.5, 5.5));
    let (send, arrived) = (Some(Order::Send(Cell::new(4, 5))), Some(Order::Rest { has_arrived: true }));
    scene.set_out(4.5, 5.5);
    assert_eq!(scene.walker.take_order(), send);
    assert!(scene.arrives());
    assert_eq!(scene.walker.take_order(), arrived);
    scene.told();
    let push = |scene: &mut Scene, x: f64, y: f64| {
        scene.position = Point::new(x, y);
        scene.step();
        assert!(scene.walker.is_finished() && scene.told().is_empty(), "its crowd brings it back");
        scene.walker.is_target_reached()
    };
    assert!(push(&mut scene, 3.9, 5.5) && !push(&mut scene, 2.5, 5.5) && push(&mut scene, 4.5, 5.5));
    let hinder =
        |scene: &mut Scene| scene.with(|walker, ground, position| walker.hinder(ground, position, &[]));
    hinder(&mut scene);
    assert!(scene.walker.is_target_reached() && scene.walker.take_order().is_none(), "it is there");
    // Behind the wall.
    assert!(!push(&mut scene, 7.5, 5.5));
    hinder(&mut scene);
    assert!(!scene.walker.is_finished() && scene.ask() && scene.answer());
    assert_eq!(scene.walker.take_order(), send);
    assert!(scene.arrives());
    assert_eq!(scene.walker.take_order(), arrived);
    assert_eq!(scene.told(), [Event::PathChanged, Event::Finished], "that it has arrived is told once");
    // Others are in its place.
    assert!(!push(&mut scene, 2.5, 5.5));
    hinder(&mut scene);
    assert_eq!([scene.walker.take_order(), scene.walker.take_order()], [Some(Order::Wait), None]);
    assert_eq!(scene.told(), [Event::Blocked]);
    assert!(scene.walker.is_blocked(None) && scene.walker.is_finished());
    // They leave, and its crowd lets it move up.
    scene.position = Point::new(4.5, 5.5);
    scene.step();
    assert_eq!((scene.told(), scene.walker.take_order()), (vec![], arrived));
    assert!(scene.walker.is_target_reached());
    // The same target is an order of its own where the body has left it.
    scene.position = Point::new(2.5, 5.5);
    scene.set_out(4.5, 5.5);
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn one_that_moves_up_from_beside_others_tells_that_it_has_arrived_then() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 1.5);
    scene.walker.take_order();
    scene.walker.hear(Notice::Rests);
    assert_eq!(scene.told(), [Event::PathChanged, Event::Blocked, Event::Finished]);
    for told in [&[Event::TargetReached] as &[Event], &[]] {
        scene.position = Point::new(9.5, 1.5);
        scene.step();
        assert!(scene.walker.is_target_reached());
        assert_eq!(scene.told(), told);
        scene.position = Point::new(7.5, 1.5);
        scene.step();
        scene.with(|walker, ground, position| walker.hinder(ground, position, &[]));
        assert_eq!(scene.told(), [Event::Blocked]);
    }
}

#[test]
fn one_with_another_target_is_blocked_only_after_its_crowd_knows_of_it() {
    const AGENT: [Option<AgentState>; 2] = [Some(AgentState::Blocked), Some(AgentState::Stuck)];
    let is_blocked = |scene: &Scene| AGENT.map(|agent| scene.walker.is_blocked(agent));
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 1.5);
    scene.walker.take_order();
    assert_eq!(is_blocked(&scene), [true; 2]);
    // Under way it walks the former path; at rest it asks.
    for x in [8.5, 7.5] {
        scene.order(x, 1.5);
        scene.told();
        assert_eq!(is_blocked(&scene), [false; 2]);
        scene.walker.hear(Notice::Stuck);
        assert!(scene.told().is_empty(), "for the target before");
        assert!(scene.ask() && scene.answer());
        assert_eq!(is_blocked(&scene), [false; 2]);
        assert!(matches!(scene.walker.take_order(), Some(Order::Send(_))));
        assert_eq!(is_blocked(&scene), [true; 2]);
        scene.walker.hear(Notice::Rests);
    }
    scene.order(6.5, 1.5);
    scene.walker.hear(Notice::Sent);
    assert_eq!(is_blocked(&scene), [true; 2], "an order of its crowd");
}

#[test]
fn one_that_is_pushed_off_where_its_path_stops_short_is_blocked_until_it_is_back() {
    let mut scene = Scene::new(ROOM, (3.5, 5.5));
    scene.walker.settings.goal_mode = GoalMode::Nearest;
    scene.fill(CellRect::new(8, 3, 1, 1), true);
    scene.order(8.5, 3.5);
    assert!(!scene.arrives() && scene.walker.is_finished());
    scene.told();
    let end = scene.position;
    let hinder =
        |scene: &mut Scene| scene.with(|walker, ground, position| walker.hinder(ground, position, &[]));
    hinder(&mut scene);
    assert!(scene.told().is_empty() && !scene.walker.is_blocked(None), "it is there");
    let put = |scene: &mut Scene, at: Point| {
        scene.position = at;
        scene.step();
    };
    put(&mut scene, Point::new(end.x, end.y + 2.0));
    hinder(&mut scene);
    assert_eq!(scene.told(), [Event::Blocked]);
    assert!(scene.walker.is_blocked(None));
    put(&mut scene, end);
    assert!(scene.told().is_empty() && scene.walker.is_finished());
    assert!(!(scene.walker.is_blocked(None) || scene.walker.is_target_reached()), "as near as its path came");
}

#[test]
fn one_without_a_crowd_walks_back_from_afar() {
    let mut scene = Scene::new(ROOM, (3.5, 5.5));
    scene.set_out(4.5, 5.5);
    assert!(scene.arrives());
    scene.position = Point::new(4.5, 2.5);
    scene.step();
    assert!(scene.walker.is_finished() && !scene.walker.is_target_reached(), "near by, it stays");
    scene.position = Point::new(11.5, 0.5);
    scene.step();
    assert!(!scene.walker.is_finished() && scene.arrives());
}

#[test]
fn an_order_of_the_crowd_is_instead_of_the_target() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 3.5);
    scene.told();
    scene.walker.take_order();
    scene.walker.hear(Notice::Sent);
    assert!(scene.walker.is_led() && !scene.walker.is_finished() && scene.walker.target().is_none());
    assert!(!scene.ask() && scene.walker.take_order().is_none(), "the crowd leads");
    scene.walker.hear(Notice::Rests);
    assert!(scene.walker.is_target_reached() && !scene.walker.is_led());
    scene.walker.hear(Notice::Rests);
    assert_eq!(scene.told(), ARRIVAL[1..], "once");
    // A target ends the order.
    let target = |walker: &mut Walker, ground: &Ground<'_>, position| {
        walker.set_target(ground, position, Point::new(9.5, 3.5))
    };
    assert_eq!(scene.with(target), REST);
    assert_eq!(scene.with(target), None);
    assert!(!scene.walker.is_target_reached() && scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn one_that_is_cut_off_has_finished_until_it_is_led_on() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.walker.hear(Notice::CutOff(None));
    scene.walker.hear(Notice::Sent);
    scene.walker.hear(Notice::CutOff(Some(Reason::Disconnected)));
    assert!(scene.walker.is_finished() && !scene.walker.is_target_reached());
    assert!(!scene.walker.is_blocked(Some(AgentState::Stuck)), "not by others");
    assert_eq!(scene.told(), [Event::Failed(Some(Reason::Disconnected)), Event::Finished]);
    scene.walker.hear(Notice::LedOn);
    assert!(!scene.walker.is_finished() && scene.walker.is_blocked(Some(AgentState::Stuck)));
    scene.walker.hear(Notice::LetGo);
    assert_eq!(scene.told(), [Event::Finished]);
    assert!(scene.walker.is_finished() && !scene.walker.is_led());
}

#[test]
fn one_that_rests_beside_others_is_blocked_until_it_walks() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.walker.hear(Notice::Rests);
    assert!(!scene.walker.is_blocked(None), "it was not on its way");
    scene.set_out(9.5, 3.5);
    scene.told();
    scene.walker.take_order();
    scene.walker.hear(Notice::Rests);
    assert!(scene.walker.is_blocked(None) && scene.walker.is_finished() && !scene.walker.is_target_reached());
    assert_eq!(scene.told(), [Event::Blocked, Event::Finished]);
    assert_eq!(scene.walker.take_order(), None, "the crowd knows");
    scene.order(1.5, 1.5);
    assert!(!scene.walker.is_blocked(None) && scene.ask() && scene.answer());
    assert_eq!(scene.walker.take_order(), Some(Order::Send(Cell::new(1, 1))));
    scene.walker.hear(Notice::Stuck);
    assert_eq!(scene.told(), [Event::PathChanged, Event::Blocked]);
}

#[test]
fn one_that_settles_rests_when_the_crowd_says_so() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.set_out(11.5, 0.5);
    scene.steps(6);
    scene.walker.take_order();
    scene.fill(CellRect::new(5, 0, 1, 7), true);
    assert!(scene.ask() && scene.answer() && !scene.walker.is_finished());
    scene.walker.hear(Notice::Rests);
    assert!(scene.walker.is_finished() && !scene.walker.is_under_way());
}

/// Both are one mover: the walker says to where, the crowd how among others, and the game moves the body.
#[test]
fn two_bodies_with_one_target_rest_beside_each_other() {
    const STEP: f64 = 1.0 / 60.0;
    let mut bodies = [Scene::new(ROOM, (1.5, 1.5)), Scene::new(ROOM, (1.5, 4.5))];
    let layer = Placements::from(open_grid(bodies[0].world.terrain(), Capability::ALL));
    let region = bodies[0].world.terrain().region();
    let ground = CrowdGround { region, revision: 0, layers: &[&layer], costs: &[], fields: &[] };
    let mut crowd = Crowd::new(CrowdSettings::default());
    let kind = crowd.kind(CrowdKind::from(LayerKey::default()));
    let spec = AgentSpec { x: 0.0, y: 0.0, kind, speed: 4.0, radius: 0.4 };
    let ids = [0, 1].map(|_| crowd.add_driven(&ground, &spec).expect("an agent"));
    let mut told = [Vec::new(), Vec::new()];
    for body in &mut bodies {
        body.walker.settings.target_desired_distance = 0.2;
        body.order(9.5, 1.5);
    }
    for _ in 0..600 {
        for (body, &id) in bodies.iter_mut().zip(&ids) {
            if body.ask() {
                body.answer();
            }
            crowd.set_driven_position(id, body.position.x, body.position.y, STEP);
            let aim = body.with(Walker::advance);
            match body.walker.take_order() {
                Some(Order::Send(_)) => assert!(crowd.assign_course(id, 1)),
                Some(Order::Rest { has_arrived: true }) => crowd.finish(id),
                Some(Order::Rest { has_arrived: false }) => assert_eq!(crowd.stop(&[id]), 1),
                Some(Order::Wait) => crowd.keep_off(id),
                None => {}
            }
            if let Some(end) = body.walker.end().filter(|_| body.walker.is_under_way()) {
                let left = body.walker.cells_left(body.position) as f32;
                crowd.set_course(id, [aim.x, aim.y], [end.x, end.y], left);
            }
            crowd.steer(id, 4.0);
        }
        let news = crowd.step(STEP, &ground).expect("a step");
        for ((body, &id), told) in bodies.iter_mut().zip(&ids).zip(&mut told) {
            let [x, y] = crowd.safe_velocity(id).expect("it was asked for");
            body.position =
                Point::new(body.position.x + f64::from(x) * STEP, body.position.y + f64::from(y) * STEP);
            if news.arrived.contains(&id) {
                body.walker.hear(Notice::Rests);
            }
            told.extend(body.told());
        }
    }
    let [first, second] = &bodies;
    assert!(first.position.distance(second.position) >= 0.79, "{:?} {:?}", first.position, second.position);
    assert!(first.walker.is_target_reached() && !first.walker.is_blocked(None));
    assert!(second.walker.is_finished() && second.walker.is_blocked(None));
    assert_eq!(told, [ARRIVAL.to_vec(), vec![Event::PathChanged, Event::Blocked, Event::Finished]]);
}

/// A wall with two doors; the body is before the one that is on its way.
const DOORS: &str = "
    .....@......
    .....@......
    ............
    .....@......
    .....@......
    ............
";

#[test]
fn one_that_is_hindered_goes_round_those_that_stand_on_its_path() {
    let mut scene = Scene::new(DOORS, (3.5, 2.5));
    scene.set_out(9.5, 2.5);
    scene.told();
    let send = Some(Order::Send(Cell::new(9, 2)));
    assert_eq!(scene.walker.take_order(), send);
    let hinder = |scene: &mut Scene, cells: &[Cell]| {
        scene.with(|walker, ground, position| walker.hinder(ground, position, cells));
        scene.ask()
    };
    assert!(!hinder(&mut scene, &[Cell::new(5, 5), Cell::new(7, 3)]), "none stands on its path");
    let (first, second) = (Cell::new(5, 2), Cell::new(5, 5));
    assert!(hinder(&mut scene, &[Cell::new(3, 2), first]), "nor can one stand where it is itself");
    assert!(scene.answer());
    assert_eq!(scene.told(), [Event::PathChanged]);
    assert_eq!(scene.walker.take_order(), send, "its crowd had let it rest");
    assert!(scene.walker.points().iter().any(|point| point.y > 4.5), "by the other door");
    assert!(!hinder(&mut scene, &[first]), "its path leads past that");
    let points = scene.walker.points().to_vec();
    assert!(hinder(&mut scene, &[second]), "the first is remembered");
    assert!(!scene.answer() && scene.walker.points() == points, "there is no third door");
    assert_eq!((scene.told(), scene.walker.take_order()), (vec![], None));
    assert!(!hinder(&mut scene, &[first, second]), "it does not ask again and again");
    // An edit beside its path; its crowd need not say once more that it is hindered.
    scene.fill(CellRect::new(5, 0, 1, 1), false);
    assert!(scene.ask() && scene.answer(), "the same path");
    assert!(scene.ask() && scene.answer(), "and one by the door that has opened");
    assert!(scene.arrives());
    assert!(!hinder(&mut scene, &[first]), "it is there");
}

#[test]
fn one_that_is_hindered_looks_for_a_way_round_after_edits_elsewhere() {
    let map = format!("{DOORS}    .....@......\n    .....@......\n    .....@......\n");
    let mut scene = Scene::new(&map, (3.5, 2.5));
    scene.set_out(9.5, 2.5);
    let doors = [Cell::new(5, 2), Cell::new(5, 5)];
    let hinder = |scene: &mut Scene| {
        scene.with(|walker, ground, position| walker.hinder(ground, position, &doors[..1]));
        scene.ask()
    };
    scene.with(|walker, ground, position| walker.hinder(ground, position, &doors));
    assert!(scene.ask() && !scene.answer());
    scene.fill(CellRect::new(8, 8, 1, 1), false);
    assert!(!hinder(&mut scene), "not all in one frame");
    scene.walker.frame(0.3);
    assert!(scene.ask() && !scene.answer(), "none leads past them still");
    assert!(hinder(&mut scene), "one of them may have left");
    assert!(scene.answer(), "it has");
    scene.with(|walker, ground, position| walker.hinder(ground, position, &doors));
    assert!(scene.ask() && !scene.answer());
    scene.fill(CellRect::new(5, 8, 1, 1), false);
    scene.walker.frame(1.3);
    assert!(scene.ask() && scene.answer(), "by the door that has opened");
    assert!(scene.arrives());
}

#[test]
fn a_path_that_is_needed_comes_before_a_way_round() {
    let mut scene = Scene::new(DOORS, (3.5, 2.5));
    scene.set_out(9.5, 2.5);
    let standing = [Cell::new(5, 2)];
    scene.with(|walker, ground, position| walker.hinder(ground, position, &standing));
    assert!(scene.ask());
    scene.fill(CellRect::new(7, 2, 1, 1), true);
    scene.with(|walker, ground, position| walker.hinder(ground, position, &standing));
    assert!(!scene.answer(), "an edit came first");
    assert!(scene.ask() && scene.query.as_ref().is_some_and(|query| query.blocked().is_empty()));
    assert!(scene.answer() && scene.arrives());
}
