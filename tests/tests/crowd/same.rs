//! The same state twice, on one thread and two, and after saving.

use pathforge_core::crowd::Crowd;
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::Hall;
use pathforge_tests::halls::{Sizes, corridor, fill};
use pathforge_tests::maps::rooms;
use pathforge_tests::rng::Rng;

const STEP: f64 = 1.0 / 60.0;

fn crowded() -> Hall {
    let mut rng = Rng::new(11);
    let mut hall = Hall::new(rooms(&mut rng, 90, 90, 14).into_terrain(Cell::new(-7, 12)));
    let fields = [1, 2, 3].map(|side| Some(hall.field(side, &[Cell::new(30, 60)], 0)));
    let others = [1, 2, 3].map(|side| Some(hall.field(side, &[Cell::new(60, 30)], 1)));
    fill(&mut hall, &mut rng, [-6, 13, 80, 40], 800, Sizes::Mixed, fields);
    fill(&mut hall, &mut rng, [-6, 55, 80, 40], 800, Sizes::Small, others);
    hall
}

fn hash_on(threads: usize, steps: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    pool.install(|| {
        let mut hall = crowded();
        (0..steps).for_each(|_| drop(hall.step(STEP)));
        hall.crowd.state_hash()
    })
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let steps = if crate::is_long() { 3000 } else { 90 };
    let one = hash_on(1, steps);
    assert_eq!(one, hash_on(1, steps), "twice");
    assert_eq!(one, hash_on(2, steps), "two threads");
    assert_eq!(one, hash_on(3, steps), "three threads");
}

#[test]
fn a_saved_crowd_goes_on_as_if_nothing_had_been() {
    let mut hall = corridor(5, 2, 10, 40, Sizes::Small);
    let ids: Vec<u32> = hall.crowd.ids().take(5).collect();
    hall.crowd.assign_path(&ids, &[[20.5, 20.5], [30.5, 20.5]], 9);
    (0..200).for_each(|_| drop(hall.step(STEP)));
    let bytes = hall.crowd.to_bytes();
    let mut copy = hall.clone();
    copy.crowd = Crowd::from_bytes(&bytes).expect("its own bytes");
    assert_eq!(copy.crowd.to_bytes(), bytes);
    for _ in 0..200 {
        hall.step(STEP);
        copy.step(STEP);
    }
    assert_eq!(hall.crowd.state_hash(), copy.crowd.state_hash());
}

#[test]
fn queries_change_nothing_and_find_all() {
    let mut hall = crowded();
    for step in 0..40 {
        hall.step(STEP);
        let hash = hall.crowd.state_hash();
        let views: Vec<_> = hall.crowd.views().collect();
        let x = f64::from(step) * 2.0;
        let expected: Vec<u32> = views
            .iter()
            .filter(|v| v.x >= x && v.x <= x + 9.0 && v.y >= 20.0 && v.y <= 31.5)
            .map(|v| v.id)
            .collect();
        let found = hall.crowd.views_in_rect(x, 20.0, x + 9.0, 31.5);
        assert_eq!(found.iter().map(|v| v.id).collect::<Vec<_>>(), expected);
        let distance =
            |v: &pathforge_core::crowd::AgentView| (v.x - x) * (v.x - x) + (v.y - 40.0) * (v.y - 40.0);
        let nearest = views.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.id.cmp(&b.id)));
        assert_eq!(hall.crowd.nearest(x, 40.0, f64::INFINITY).map(|v| v.id), nearest.map(|v| v.id));
        assert_eq!(hall.crowd.state_hash(), hash);
        if step == 20 {
            hall.crowd.remove(&[3, 4, 5, 5]);
            let everywhere = hall.crowd.views_in_rect(-1e9, -1e9, 1e9, 1e9);
            assert!(everywhere.iter().all(|v| !(3..6).contains(&v.id)));
        }
    }
}
