//! A walker takes links: it enters them where they begin, waits where they take so many bodies only, and asks
//! for no path on them.

use super::{Event, Point, Scene};
use crate::geometry::{Cell, Footprint};
use crate::terrain::Link;

/// Two rooms without a door.
const ROOMS: &str = "
    ......@......
    ......@......
    ......@......
    ......@......
    ......@......
";

/// A body at (1.5, 1.5) and a link from (4, 3) to (9, 1).
fn scene(link: impl FnOnce(Link) -> Link) -> Scene {
    let mut scene = Scene::new(ROOMS, (1.5, 1.5));
    let ladder = link(Link::new(Cell::new(4, 3), Cell::new(9, 1)));
    scene.world.terrain_mut().add_link(ladder).expect("a link between the rooms");
    scene
}

const TOLD: [Event; 5] = [
    Event::PathChanged,
    Event::LinkReached { id: 0, index: 1 },
    Event::LinkLeft { id: 0, index: 1 },
    Event::TargetReached,
    Event::Finished,
];

#[test]
fn a_body_walks_to_a_link_over_it_and_on() {
    for side in [1, 2] {
        let mut scene = scene(|link| link);
        scene.profile.footprint = Footprint::square(side).expect("a footprint");
        let half = side as f64 / 2.0;
        scene.position = Point::new(1.0 + half, 1.0 + half);
        scene.set_out(10.0 + half, 3.0 + half);
        let mut entered = None;
        for _ in 0..200 {
            scene.step();
            entered = entered.or_else(|| scene.walker.link_under().map(|_| scene.position));
        }
        let entered = entered.expect("it takes the link");
        assert!(entered.distance(Point::new(4.5, 3.5)) < 1.3, "at {entered:?}");
        assert_eq!(scene.told(), TOLD, "a body of {side} cells");
        assert!(scene.position.x > 9.0 && scene.walker.is_target_reached());
    }
}

#[test]
fn a_body_waits_before_a_link_until_it_may_enter() {
    let mut scene = scene(|link| Link { bodies_max: 1, ..link });
    scene.set_out(10.5, 3.5);
    scene.steps(100);
    assert_eq!(scene.told(), [Event::PathChanged]);
    assert!(scene.walker.link_ahead().is_some_and(|link| (link.id, link.bodies_max) == (0, 1)));
    assert!(scene.position.distance(Point::new(4.5, 3.5)) < 0.51);
    scene.walker.enter_link();
    scene.steps(100);
    assert_eq!(scene.told(), TOLD[1..]);
}

#[test]
fn a_body_that_its_game_moves_over_a_link_goes_on_from_its_end() {
    let mut scene = scene(|link| link);
    scene.set_out(10.5, 3.5);
    while scene.walker.link_under().is_none() {
        scene.step();
    }
    scene.position = Point::new(9.5, 1.5);
    scene.steps(60);
    assert_eq!(scene.told(), TOLD);
}

#[test]
fn a_target_that_is_set_on_a_link_counts_from_its_end() {
    let mut scene = scene(|link| link);
    scene.set_out(10.5, 3.5);
    while scene.walker.link_under().is_none() {
        scene.step();
    }
    scene.steps(5);
    scene.order(1.5, 4.5);
    while scene.walker.link_under().is_some() {
        assert!(!scene.ask(), "no path begins on a link");
        scene.step();
    }
    assert!(scene.position.x > 9.0, "{:?}", scene.position);
    assert!(scene.arrives(), "back over the link");
    assert!(scene.position.distance(Point::new(1.5, 4.5)) < 0.7);
}

#[test]
fn a_link_that_goes_is_not_taken() {
    let mut scene = scene(|link| link);
    scene.set_out(10.5, 3.5);
    scene.steps(4);
    scene.world.terrain_mut().remove_link(0).expect("the link");
    let rects = [Cell::new(4, 3), Cell::new(9, 1)].map(crate::geometry::CellRect::cell);
    scene.with(|walker, ground, position| walker.edited(ground, position, Some(&rects)));
    assert!(!scene.arrives());
    assert!(scene.position.x < 6.0);
    assert!(!scene.told().iter().any(|event| matches!(event, Event::LinkReached { .. })));
}

#[test]
fn a_path_that_ends_with_a_link_ends_there() {
    let mut scene = scene(|link| link);
    scene.set_out(9.5, 1.5);
    scene.steps(150);
    assert_eq!(scene.told(), TOLD);
    assert!(scene.position.distance(Point::new(9.5, 1.5)) < 0.4);
}
