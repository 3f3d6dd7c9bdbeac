//! A crowd on a map with corridors of one, two and three cells, in both directions, for long, with steps of
//! any length.
//!
//! The whole scene, 10,000 agents and 3,000 steps, is run with `PATHFORGE_EFFORT=2`; the gate runs a small
//! part of it.

use pathforge_core::crowd::AgentView;
use pathforge_tests::gathering::Rest;
use pathforge_tests::hall::{Hall, moves, percentile, walks};
use pathforge_tests::halls::{lane, lanes, passages};

/// How far from its goal an agent may settle, in radii of the disc that all agents of the goal would fill.
/// They do not settle round a point: an agent that made way for others may settle where it is then.
const AROUND_GOAL: f64 = 2.5;
/// Overlap below which 99.9 % of walking agents stay, in parts of the smaller radius.
const OVERLAP_MAX: f32 = 0.13;

/// Steps on so many threads and checks after each step that no agent is in a wall; returns overlaps of
/// walking agents.
fn run(hall: &mut Hall, threads: usize, steps: u32) -> Vec<f32> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut overlaps = Vec::new();
        for step in 0..steps {
            let delta = match step % 100 {
                20 => 0.0,
                40 => 1.0 / 240.0,
                60 => 1.0,
                80 => 1.0 / 60.0,
                _ => 1.0 / 30.0,
            };
            hall.step(delta);
            if step % 100 == 50 {
                let refused =
                    |delta| hall.clone().with_ground(|crowd, ground| crowd.step(delta, ground).is_err());
                assert!(step > 50 || refused(f64::NAN) && refused(-1.0));
            }
            if step % 20 == 0 {
                assert_eq!(hall.in_a_wall(), None, "step {step}");
                overlaps.extend(hall.overlaps(moves, moves));
            }
        }
        overlaps
    })
}

#[test]
fn everybody_gets_through_corridors_of_every_width() {
    let (columns, rows, count, steps) = if crate::is_long() { (10, 12, 42, 3000) } else { (1, 2, 30, 2000) };
    let (mut hall, goals) = passages(1, columns, rows, count);
    let mut other = hall.clone();
    let all = hall.crowd.len();
    let mut overlaps = run(&mut hall, 1, steps);
    run(&mut other, 2, steps);
    assert_eq!(hall.crowd.state_hash(), other.crowd.state_hash(), "one thread and two");
    let (p99, p999) = (percentile(&mut overlaps, 0.99), percentile(&mut overlaps, 0.999));
    println!("{all} agents: {:?}, overlap p99 {p99:.3}, p99.9 {p999:.3}", hall.states());
    let left: Vec<_> = hall.crowd.views().filter(walks).collect();
    assert!(left.is_empty(), "{} of {all} are not there: {left:?}", left.len());
    assert!(p999 <= OVERLAP_MAX, "overlap of moving agents: {p999}");
    let rests = |view: &AgentView| !moves(view);
    let overlap = hall.overlaps(rests, rests).into_iter().fold(0.0, f32::max);
    assert!(overlap <= 0.01, "overlap of resting agents: {overlap}");
    let mut far = 0;
    for (n, goal) in goals.iter().enumerate() {
        let here: Vec<_> = hall
            .crowd
            .views()
            .filter(rests)
            .filter(|v| v.field.is_some_and(|field| field as usize / 3 == n))
            .collect();
        let area: f64 = here.iter().map(|v| f64::from(v.radius).powi(2) * 4.0).sum();
        let reach = (area / std::f64::consts::PI).sqrt() * AROUND_GOAL;
        let distance = |v: &AgentView| (v.x - f64::from(goal.x) - 0.5).hypot(v.y - f64::from(goal.y) - 0.5);
        far += here.iter().filter(|v| distance(v) > reach).count();
    }
    assert_eq!(far, 0, "settled far from their goal");
}

/// Without ghosting: one group waits in its room or backs out, or some agents step into a niche. Agents that
/// arrived and are pushed back through the corridor return.
#[test]
fn groups_that_meet_in_a_corridor_all_get_through() {
    let seeds = if crate::is_long() { 40 } else { 5 };
    let all = (1..=3).flat_map(|width| (0..seeds).map(move |seed| (width, seed)));
    let all =
        all.flat_map(|(width, seed)| lanes().map(move |(groups, niches)| (width, seed, groups, niches)));
    // Three that held each other and stirred without end, and two that were left where they had been pushed
    // to.
    let known = [
        (2, 13, [8, 1], 1),
        (2, 246, [8, 8], 1),
        (3, 196, [6, 6], 0),
        (2, 17, [8, 8], 2),
        (2, 176, [8, 8], 2),
    ];
    let mut slowest = [(0.0, String::new()), (0.0, String::new()), (0.0, String::new())];
    for (width, seed, groups, niches) in all.chain(known) {
        let mut hall = lane(seed, width, groups, niches);
        let rest = Rest::await_all(&mut hall, &[], 0.0, 120);
        let scene = format!("width {width}, seed {seed}, groups {groups:?}, niches {niches}");
        assert!(rest.seconds.is_some(), "{scene}: {:?}", hall.states());
        let is_there = |v: AgentView| (v.x > 40.0) == v.field.is_some_and(|field| field < 2);
        if !hall.crowd.views().all(is_there) {
            (0..60 * 60).for_each(|_| drop(hall.step(1.0 / 60.0)));
        }
        assert!(hall.crowd.views().all(is_there), "{scene}: not all are there");
        let slowest = &mut slowest[width as usize - 1];
        if rest.seconds > Some(slowest.0) {
            *slowest = (rest.seconds.unwrap_or_default(), scene);
        }
    }
    println!("slowest: {slowest:?}");
}
