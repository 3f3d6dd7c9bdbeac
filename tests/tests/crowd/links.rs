//! Agents take links: each enters a link where it begins and leaves it where it ends. No more are on it than it
//! takes, and none is in a wall before or after.

use std::collections::HashMap;

use pathforge_core::cost::Cost;
use pathforge_core::crowd::Crowd;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::Link;
use pathforge_tests::hall::Hall;
use pathforge_tests::halls::SPEED;

/// Both rooms are as wide as this, with a wall of two columns between.
const ROOM: i32 = 20;
const FROM: Cell = Cell::new(15, 7);
const TO: Cell = Cell::new(26, 4);

/// Two rooms that nothing but `link` joins, and agents in the left room whose goal is in the right one.
fn rooms(link: Link, count: i32, side: i32) -> (Hall, u32) {
    let mut hall = Hall::draw(&vec![".".repeat(2 * ROOM as usize + 2); 14].join("\n"));
    hall.edit(|terrain| {
        terrain.fill_solid(CellRect::new(ROOM, 0, 2, 14), true);
        terrain.add_link(link).expect("a link between the rooms");
    });
    let field = hall.field(side, &[Cell::new(36, 10)], 0);
    for n in 0..count {
        let anchor = Cell::new(n % 6 * 2 + 1, n / 6 * 2 + 1);
        assert!(hall.add(anchor, side, SPEED, Some(field)).is_some(), "{anchor:?}");
    }
    (hall, field)
}

/// What a run of a hall has seen.
#[derive(Default)]
struct Seen {
    /// By agent, when it entered a link, and when it left it.
    entered: HashMap<u32, f64>,
    left: HashMap<u32, f64>,
    most_at_once: usize,
}

/// Steps until all of `count` agents are over, at most so long; checks each agent in each step.
fn run(hall: &mut Hall, count: usize, seconds: f64) -> Seen {
    let mut seen = Seen::default();
    for frame in 0..(seconds * 60.0) as u32 {
        let now = f64::from(frame) / 60.0;
        let news = hall.step(1.0 / 60.0);
        for (id, link) in news.entered_links {
            assert_eq!(link, 0);
            assert!(seen.entered.insert(id, now).is_none(), "{id} takes the link once");
            let view = hall.crowd.view(id).expect("an agent");
            assert!((view.x - 15.5).abs() < 1.01 && (view.y - 7.5).abs() < 1.01, "enters at {view:?}");
        }
        for (id, link) in news.left_links {
            assert_eq!(link, 0);
            assert!(seen.left.insert(id, now).is_none(), "{id} leaves once");
            assert!(hall.crowd.view(id).expect("an agent").x > f64::from(ROOM + 2), "{id} comes out");
        }
        let on: Vec<u32> = hall.crowd.views_unordered().map(|view| view.id).collect();
        let on = on.into_iter().filter(|&id| hall.crowd.link_under(id).is_some()).collect::<Vec<_>>();
        seen.most_at_once = seen.most_at_once.max(on.len());
        let walls = hall.crowd.views_unordered().filter(|view| {
            let is_off = |x: f64| (f64::from(ROOM)..f64::from(ROOM + 2)).contains(&x);
            !on.contains(&view.id) && is_off(view.x)
        });
        assert_eq!(walls.count(), 0, "in the wall after {now} s");
        if seen.left.len() == count {
            break;
        }
    }
    seen
}

#[test]
fn all_of_a_group_take_a_link_on_their_way() {
    for (count, side) in [(24, 1), (12, 2)] {
        let (mut hall, _) = rooms(Link::new(FROM, TO), count, side);
        let seen = run(&mut hall, count as usize, 60.0);
        assert_eq!(seen.left.len(), count as usize, "bodies of {side}: {:?}", hall.states());
        for (id, entered) in &seen.entered {
            // At its speed along the straight line.
            let took = seen.left[id] - entered;
            let expected = 11.0_f64.hypot(3.0) / f64::from(SPEED);
            assert!((took - expected).abs() < 0.1, "{id} took {took} s, not {expected}");
        }
        for _ in 0..1200 {
            hall.step(1.0 / 60.0);
        }
        assert_eq!(hall.states()[3], count as usize, "all arrive: {:?}", hall.states());
        assert_eq!(hall.in_a_wall(), None);
    }
}

#[test]
fn a_link_has_no_more_agents_on_it_than_it_takes() {
    for bodies_max in [1, 3] {
        let link = Link { bodies_max, seconds: Some(0.5), ..Link::new(FROM, TO) };
        let (mut hall, _) = rooms(link, 12, 1);
        let seen = run(&mut hall, 12, 60.0);
        assert_eq!((seen.left.len(), seen.most_at_once), (12, bodies_max as usize));
        for (id, entered) in &seen.entered {
            assert!((seen.left[id] - entered - 0.5).abs() < 0.04, "{id} is on it for half a second");
        }
    }
}

#[test]
fn a_portal_takes_no_time() {
    let portal = Link { cost: Cost::from_units(1), seconds: Some(0.0), ..Link::new(FROM, TO) };
    let (mut hall, _) = rooms(portal, 12, 1);
    let seen = run(&mut hall, 12, 30.0);
    assert_eq!(seen.left.len(), 12);
    assert!(seen.entered.iter().all(|(id, entered)| seen.left[id] - entered < 0.02));
}

#[test]
fn an_agent_on_a_path_takes_the_links_of_that() {
    let (mut hall, _) = rooms(Link::new(FROM, TO), 0, 1);
    let id = hall.add(Cell::new(3, 3), 1, SPEED, None).expect("it fits");
    let path = [[3.5, 3.5], [15.5, 7.5], [26.5, 4.5], [30.5, 8.5]];
    hall.crowd.assign_path(&[id], &path, 0);
    let seen = run(&mut hall, 1, 30.0);
    assert_eq!(seen.left.len(), 1);
    for _ in 0..300 {
        hall.step(1.0 / 60.0);
    }
    let view = hall.crowd.view(id).expect("an agent");
    assert!((view.x - 30.5).hypot(view.y - 8.5) < 0.2, "{view:?}");
}

#[test]
fn links_that_go_while_agents_are_on_them_are_left_at_their_end() {
    let (mut hall, field) = rooms(Link { seconds: Some(1.0), ..Link::new(FROM, TO) }, 12, 1);
    let mut frames = 0;
    while hall.step(1.0 / 60.0).entered_links.is_empty() {
        frames += 1;
        assert!(frames < 600, "none has entered the link");
    }
    let is_on = |hall: &Hall| {
        hall.crowd.views_unordered().filter(|view| hall.crowd.link_under(view.id).is_some()).count()
    };
    let on = is_on(&hall);
    hall.edit(|terrain| drop(terrain.remove_link(0).expect("the link")));
    hall.rebuild_field(field, 1, &[Cell::new(36, 10)]);
    let mut left = 0;
    for _ in 0..180 {
        let news = hall.step(1.0 / 60.0);
        assert!(news.entered_links.is_empty(), "the link is gone");
        left += news.left_links.len();
    }
    assert_eq!((left, is_on(&hall)), (on, 0));
    let over = hall.crowd.views_unordered().filter(|view| view.x > f64::from(ROOM)).count();
    assert_eq!(over, on, "the others stay");
}

#[test]
fn a_crowd_that_is_saved_with_agents_on_links_goes_on_as_it_was() {
    let (mut hall, _) = rooms(Link { bodies_max: 2, ..Link::new(FROM, TO) }, 12, 1);
    let mut checked = 0;
    for frame in 0..900 {
        hall.step(1.0 / 60.0);
        if frame % 90 != 0 {
            continue;
        }
        let mut loaded = hall.clone();
        loaded.crowd = Crowd::from_bytes(&hall.crowd.to_bytes()).expect("its own bytes");
        assert_eq!(loaded.crowd.state_hash(), hall.crowd.state_hash());
        let mut going = hall.clone();
        for _ in 0..60 {
            loaded.step(1.0 / 60.0);
            going.step(1.0 / 60.0);
            assert_eq!(loaded.crowd.state_hash(), going.crowd.state_hash(), "after {frame} frames");
        }
        checked += hall.crowd.views_unordered().filter(|v| hall.crowd.link_under(v.id).is_some()).count();
    }
    assert!(checked > 3, "{checked}");
}

#[test]
fn an_agent_that_is_put_elsewhere_or_removed_is_on_no_link() {
    let (mut hall, _) = rooms(Link { seconds: Some(5.0), ..Link::new(FROM, TO) }, 2, 1);
    let mut entered = Vec::new();
    for _ in 0..900 {
        entered.extend(hall.step(1.0 / 60.0).entered_links);
        if entered.len() == 2 {
            break;
        }
    }
    let ids: Vec<u32> = entered.iter().map(|&(id, _)| id).collect();
    hall.with_ground(|crowd, ground| crowd.set_position(ids[0], 2.5, 2.5, ground));
    hall.crowd.remove(&[ids[1]]);
    hall.step(1.0 / 60.0);
    assert!(ids.iter().all(|&id| hall.crowd.link_under(id).is_none()));
    let view = hall.crowd.view(ids[0]).expect("an agent");
    assert!((view.x - 2.5).hypot(view.y - 2.5) < 0.2, "{view:?}");
}

/// The way over the portal is much shorter than that on foot, which is open, too.
#[test]
fn a_large_group_takes_the_portal_to_its_room() {
    let portal = Link { cost: Cost::from_units(35), seconds: Some(0.0), ..Link::new(FROM, TO) };
    let (mut hall, _) = rooms(portal, 0, 1);
    hall.edit(|terrain| {
        terrain.fill_solid(CellRect::new(ROOM, 13, 2, 1), false);
    });
    let field = hall.field(1, &[Cell::new(30, 5)], 0);
    for n in 0..40 {
        hall.add(Cell::new(n % 10 + 1, n / 10 + 1), 1, SPEED, Some(field)).expect("it fits");
    }
    let seen = run(&mut hall, 40, 60.0);
    assert_eq!(seen.left.len(), 40, "by the portal: {:?}", hall.states());
    for _ in 0..1800 {
        hall.step(1.0 / 60.0);
    }
    assert_eq!(hall.states()[3], 40, "all arrive: {:?}", hall.states());
}
