use super::*;
use crate::bitgrid::{BitGrid, GridLayout};
use crate::crowd::{AgentSpec, CrowdGround, CrowdSettings};
use crate::geometry::CellRect;
use crate::passability::LayerKey;

const STEP: f64 = 1.0 / 60.0;

/// A map with its middle row open, or all of it, and agents at places along that row.
fn crowd(places: &[f64], is_narrow: bool) -> (Crowd, BitGrid) {
    let mut layer = BitGrid::new(GridLayout::new(30, 5));
    let open = if is_narrow { CellRect::new(0, 2, 30, 1) } else { CellRect::new(0, 0, 30, 5) };
    open.cells().for_each(|cell| {
        let index = layer.layout().index(cell.x as u32, cell.y as u32);
        layer.set(index, true);
    });
    let mut crowd = Crowd::new(CrowdSettings::default());
    let kind = crowd.kind(LayerKey::default());
    let spec = |&x: &f64| AgentSpec { x, y: 2.5, kind, speed: 4.0, radius: 0.4 };
    let specs: Vec<AgentSpec> = places.iter().map(spec).collect();
    on(&layer, |ground| crowd.add(ground, &specs));
    (crowd, layer)
}

fn on<T>(layer: &BitGrid, work: impl FnOnce(&CrowdGround<'_>) -> T) -> T {
    let region = CellRect::new(0, 0, 30, 5);
    work(&CrowdGround { region, revision: 0, layers: &[layer], costs: &[], fields: &[] })
}

fn steps(crowd: &mut Crowd, layer: &BitGrid, count: u32) {
    for _ in 0..count {
        on(layer, |ground| crowd.step(STEP, ground)).unwrap();
    }
}

#[test]
fn a_way_from_its_order_to_its_end() {
    let (mut crowd, layer) = crowd(&[2.5], false);
    let idle = crowd.trace(0).unwrap();
    assert_eq!((idle.behaviour(), idle.guide, idle.wait), ("Idle", AgentGuide::None, None));
    crowd.assign_path(&[0], &[[2.5, 2.5], [8.5, 2.5]], 1);
    let sent = crowd.trace(0).unwrap();
    assert_eq!(sent.cause_since(&idle).as_deref(), Some("Ordered"));
    steps(&mut crowd, &layer, 30);
    let walking = crowd.trace(0).unwrap();
    assert_eq!((walking.behaviour(), walking.cause_since(&sent)), ("Travelling", None));
    assert_eq!(walking.guide, AgentGuide::Path([8.5, 2.5]));
    steps(&mut crowd, &layer, 150);
    let settled = crowd.trace(0).unwrap();
    assert_eq!(settled.behaviour(), "Settled");
    assert_eq!(settled.cause_since(&walking).as_deref(), Some("Arrived"));
    assert!(settled.place.is_some_and(|[x, _]| (x - 8.5).abs() < 0.3));
    assert_eq!(crowd.trace(9), None);
}

#[test]
fn the_agent_in_the_way_is_named() {
    let (mut crowd, layer) = crowd(&[2.5, 6.5], true);
    crowd.set_paused(1, true);
    crowd.assign_path(&[0], &[[12.5, 2.5]], 1);
    steps(&mut crowd, &layer, 120);
    assert_eq!(crowd.trace(1).unwrap().wait, Some(AgentWait::Paused));
    let held_up = crowd.trace(0).unwrap();
    assert_eq!(held_up.wait.map(|wait| wait.to_string()).as_deref(), Some("held up by 1"));
    assert!(held_up.timers.iter().any(|&(name, seconds)| name == "held up" && seconds > 0.2));
    assert!(crowd.throw(0, [-1.0, 0.0], 1.0));
    let thrown = crowd.trace(0).unwrap();
    assert_eq!((thrown.wait, thrown.timers[0]), (Some(AgentWait::Thrown), ("thrown", 1.0)));
}

#[test]
fn one_that_rests_makes_way_for_the_one_that_presses() {
    let (mut crowd, layer) = crowd(&[2.5, 6.5], false);
    crowd.assign_path(&[0], &[[6.5, 2.5]], 1);
    crowd.assign_path(&[1], &[[6.5, 2.5]], 2);
    let mut before = crowd.trace(1).unwrap();
    let (mut causes, mut waits) = (Vec::new(), Vec::new());
    for _ in 0..600 {
        steps(&mut crowd, &layer, 1);
        let now = crowd.trace(1).unwrap();
        causes.extend(now.cause_since(&before));
        waits.extend(now.wait);
        before = now;
    }
    assert!(waits.contains(&AgentWait::AsideFor(Some(0))), "{waits:?}");
    assert!(causes.contains(&"Pressed".to_owned()) && causes.contains(&"Released".to_owned()), "{causes:?}");
    assert!(!causes.contains(&"several causes".to_owned()), "{causes:?}");
}
