//! Bodies keep clear by their outlines: long ones are as wide and as long as they are, boxes lie side by
//! side.

use pathforge_core::crowd::{AgentView, Crowd, OutlineForm};
use pathforge_core::geometry::Cell;
use pathforge_tests::hall::{Hall, moves, overlap, percentile};
use pathforge_tests::rng::Rng;

use crate::is_long;

/// A barge of 4×2 lies in a basin beside a lane as wide as the carts that drive through it.
#[test]
fn a_moored_barge_holds_up_none_on_the_bridge_beside_it() {
    let lane = ".".repeat(40);
    let wall = "#".repeat(40);
    let basin = format!("{}....{}", "#".repeat(18), "#".repeat(18));
    let mut hall = Hall::draw(&[&*wall, &basin, &basin, &lane, &lane, &wall].join("\n"));
    let barge = hall.add_kind(4, 2, OutlineForm::Round);
    hall.add_of(barge, Cell::new(18, 1), 1.0, None).expect("it fits");
    let field = hall.field(2, &[Cell::new(38, 3)], 0);
    let carts = [0, 3, 6].map(|x| hall.add(Cell::new(x, 3), 2, 4.0, Some(field)).expect("it fits"));
    let mut seconds = 0.0;
    while hall.crowd.views().any(|view| carts.contains(&view.id) && view.x < 30.0) {
        hall.step(1.0 / 60.0);
        seconds += 1.0 / 60.0;
        assert!(seconds < 12.0, "{:?}", hall.crowd.views().collect::<Vec<_>>());
    }
    // The last has 29 cells to go.
    println!("all past after {seconds:.1} s");
    assert!(seconds < 9.0, "{seconds}");
    let moored = hall.crowd.view(0).expect("the barge");
    assert!((moored.x - 20.0).hypot(moored.y - 2.0) < 0.01, "{moored:?}");
}

/// Kinds of every form, in numbers of the hall.
fn kinds(hall: &mut Hall) -> Vec<usize> {
    let more = [(1, 1, OutlineForm::Box), (2, 2, OutlineForm::Box), (3, 3, OutlineForm::Box)];
    let long = [(4, 2, OutlineForm::Round), (1, 2, OutlineForm::Round), (3, 1, OutlineForm::Box)];
    let added = more.into_iter().chain(long).map(|(w, h, form)| hall.add_kind(w, h, form));
    added.chain([0, 1]).collect()
}

/// A yard with some pillars, bodies of some kinds on its left, and all sent to its right.
fn yard(seed: u64, count: usize, kinds: fn(&mut Hall) -> Vec<usize>) -> Hall {
    let mut rng = Rng::new(seed);
    let is_pillar = |x: usize, y: usize| x % 12 == 6 && y % 9 == 4;
    let row = |y| (0..60).map(|x| if is_pillar(x, y) { '#' } else { '.' }).collect::<String>();
    let mut hall = Hall::draw(&(0..40).map(row).collect::<Vec<_>>().join("\n"));
    let kinds = kinds(&mut hall);
    let fields: Vec<u32> = kinds.iter().map(|&kind| hall.field_of(kind, &[Cell::new(45, 20)], 0)).collect();
    while hall.crowd.len() < count {
        let (n, anchor) = (rng.place(kinds.len()), Cell::new(rng.int(0..24), rng.int(0..36)));
        if let Some(id) = hall.add_of(kinds[n], anchor, 3.0, Some(fields[n])) {
            let added = hall.crowd.view(id).expect("an agent");
            if hall.crowd.views().any(|view| view.id != id && overlap(&added, &view) > 0.0) {
                hall.crowd.remove(&[id]);
            }
        }
    }
    hall
}

#[test]
fn outlines_of_every_form_part_and_rest_side_by_side() {
    let boxes = |hall: &mut Hall| [1, 2, 3].map(|side| hall.add_kind(side, side, OutlineForm::Box)).to_vec();
    let seeds = if is_long() { 1..9 } else { 1..3 };
    for (name, kinds) in [("every form", kinds as fn(&mut Hall) -> Vec<usize>), ("boxes", boxes)] {
        let (mut moving, mut resting) = (Vec::new(), Vec::new());
        for seed in seeds.clone() {
            let mut hall = yard(seed, 60, kinds);
            for step in 0..60 * 60 {
                hall.step(1.0 / 60.0);
                if step % 10 == 0 {
                    assert_eq!(hall.in_a_wall(), None, "{name}, seed {seed}, step {step}");
                    moving.extend(hall.overlaps(moves, moves));
                }
            }
            let rests = |view: &AgentView| !moves(view);
            resting.extend(hall.overlaps(rests, rests));
        }
        let (p999, deepest) = (percentile(&mut moving, 0.999), percentile(&mut resting, 1.0));
        println!("{name}: moving p99.9 {p999:.3}, at rest {deepest:.3}");
        assert!(p999 <= 0.1, "{name}: {p999}");
        assert!(deepest <= 0.02, "{name}: {deepest}");
    }
}

/// Bodies at one place, of whatever form, and of other forms than their neighbours.
#[test]
fn outlines_that_lie_on_each_other_part() {
    let mut hall = Hall::draw(&vec![".".repeat(30); 30].join("\n"));
    let kinds = kinds(&mut hall);
    for n in 0..24 {
        hall.add_of(kinds[n % kinds.len()], Cell::new(13 + n as i32 / 8, 14), 2.0, None).expect("it fits");
    }
    for _ in 0..60 * 20 {
        hall.step(1.0 / 60.0);
    }
    let mut all = hall.overlaps(|_| true, |_| true);
    let deepest = percentile(&mut all, 1.0);
    assert!(deepest <= 0.02, "{deepest}");
}

#[test]
fn a_crowd_of_every_form_goes_on_from_saved_bytes_and_on_any_number_of_threads() {
    let mut hall = yard(3, 50, kinds);
    for _ in 0..200 {
        hall.step(1.0 / 60.0);
    }
    let mut other = hall.clone();
    other.crowd = Crowd::from_bytes(&hall.crowd.to_bytes()).expect("what was saved");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("a pool");
    for _ in 0..200 {
        hall.step(1.0 / 60.0);
        pool.install(|| other.step(1.0 / 60.0));
    }
    assert_eq!(hall.crowd.state_hash(), other.crowd.state_hash());
}

/// A body that rests across the way of another one is gone round: wherever the way meets it, from whichever
/// side, whatever the ids.
#[test]
fn a_long_box_goes_round_one_that_is_paused_on_its_way() {
    let mut latest = 0.0_f64;
    for case in 0..4 * 7 * 4 * 2 * 2 {
        let (ids_before, offset, side) = (case % 4, case / 4 % 7 - 3, case / 28 % 4);
        let speed = [1.0_f32, 3.0][case as usize / 112 % 2];
        let is_one_group = case / 224 == 0;
        let mut hall = Hall::draw(&vec![".".repeat(40); 40].join("\n"));
        // It could slip through one of another group at last.
        hall.crowd.settings_mut().frees_stuck = false;
        let barge = hall.add_kind(4, 2, OutlineForm::Box);
        // From the left, the right, above and below.
        let turned = |along: i32, across: i32| match side {
            0 => Cell::new(along, across),
            1 => Cell::new(36 - along, across),
            2 => Cell::new(across, along),
            _ => Cell::new(across, 36 - along),
        };
        let goal = turned(34, 19);
        let field = hall.field_of(barge, &[goal], 0);
        for n in 0..ids_before / 2 {
            hall.add(Cell::new(n, 0), 1, 1.0, None).expect("it fits");
        }
        let mut bodies =
            [(turned(18, 19 + offset), is_one_group.then_some(field)), (turned(4, 19), Some(field))];
        bodies.rotate_left(ids_before as usize % 2);
        let mut ids = bodies.map(|(at, field)| hall.add_of(barge, at, speed, field).expect("it fits"));
        ids.rotate_right(ids_before as usize % 2);
        let [paused, walker] = ids;
        hall.crowd.set_paused(paused, true);
        let mut late = -30.0 / f64::from(speed);
        let is_there = |view: &AgentView| {
            (view.x - f64::from(goal.x) - 2.0).hypot(view.y - f64::from(goal.y) - 1.0) < 1.0
        };
        loop {
            let [view, other] = [walker, paused].map(|id| hall.crowd.view(id).expect("an agent"));
            if is_there(&view) {
                break;
            }
            let what = format!("{ids_before} {offset} {side} {speed} {is_one_group}: {view:?}");
            assert!(late < 9.0, "{what}");
            assert!(overlap(&view, &other) < 0.05, "{what}");
            hall.step(1.0 / 60.0);
            late += 1.0 / 60.0;
        }
        latest = latest.max(late);
    }
    println!("the latest is {latest:.1} s later than straight through");
}
