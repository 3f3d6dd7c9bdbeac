//! Sampling at random positions: unit vectors that never lead into a wall within one cell.

use pathforge_core::cost::Cost;
use pathforge_core::field::FlowField;
use pathforge_core::geometry::{Cell, DiagonalMode};
use pathforge_tests::bodies::{Body, any_body};
use pathforge_tests::maps::{any_ground, any_map};
use pathforge_tests::oracle::Ground;
use pathforge_tests::rng::{Rng, seeds};

use crate::scene::Scene;

/// The cell nearest to a position, halves rounded up.
fn nearest(scene: &Scene, x: f64, y: f64) -> Cell {
    let region = scene.terrain.region();
    region_cell(region.x, region.y, (x + 0.5).floor() as i32, (y + 0.5).floor() as i32)
}

const fn region_cell(left: i32, top: i32, x: i32, y: i32) -> Cell {
    Cell::new(left.saturating_add(x), top.saturating_add(y))
}

/// Checks that every position up to one cell along `direction` has a nearest placement that is valid, or that
/// a diagonal step may cut past.
pub fn stays(
    scene: &Scene,
    ground: &Ground,
    (x, y): (f32, f32),
    direction: (f32, f32),
) -> Result<(), String> {
    let (x, y, dx, dy) = (f64::from(x), f64::from(y), f64::from(direction.0), f64::from(direction.1));
    let home = nearest(scene, x, y);
    let cuts = matches!(scene.body.mode, DiagonalMode::Always | DiagonalMode::AtLeastOneWalkable);
    let may_pass = |cell: Cell| {
        cuts && ground.neighbours(home).any(|(to, _)| {
            to.x != home.x
                && to.y != home.y
                && (cell == Cell::new(to.x, home.y) || cell == Cell::new(home.x, to.y))
        })
    };
    for part in 0..=200 {
        let t = f64::from(part) / 200.0;
        let cell = nearest(scene, x + dx * t, y + dy * t);
        if !ground.fits(cell) && !may_pass(cell) {
            return Err(format!("({x}, {y}) towards ({dx}, {dy}) is in {cell:?} after {t}"));
        }
    }
    Ok(())
}

fn assert_sample(scene: &Scene, ground: &Ground, field: &FlowField, x: f32, y: f32, label: &str) {
    let [dx, dy] = field.sample([x, y]);
    let length = f64::from(dx).hypot(f64::from(dy));
    let home = nearest(scene, f64::from(x), f64::from(y));
    let cost = field.integration().cost(home).map(Cost::units);
    let say = || format!("{label} at ({x}, {y}): ({dx}, {dy})");
    if field.link_from(home).is_some() {
        assert!(length == 0.0, "{}: a body takes the link here", say());
    } else if cost.is_some_and(|c| c > 0) {
        assert!((length - 1.0).abs() < 1e-5, "{}: no unit vector", say());
        if let Err(why) = stays(scene, ground, (x, y), (dx, dy)) {
            let goals: Vec<Cell> = field.integration().goals().collect();
            panic!("{}: {why}\n{}", say(), scene.show(&goals));
        }
    } else {
        assert!(length == 0.0 || cost.is_none() && (length - 1.0).abs() < 1e-5, "{}", say());
    }
}

#[test]
fn a_million_samples_never_lead_into_a_wall() {
    let mut samples = 0;
    for seed in seeds(340, 500) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let terrain = any_map(&mut rng, any);
        let body = match rng.int(0..3) {
            0 => any_body(&mut rng, true),
            1 => Body::new(2, 2, DiagonalMode::default()),
            _ => Body::new(1, 1, DiagonalMode::default()),
        };
        let scene = Scene::new(terrain, body);
        let ground = Ground::new(&scene.terrain, &scene.body);
        let count = rng.pick(&[1, 1, 3]);
        let goals = scene.any_goals(&mut rng, count);
        let field = scene.build(&goals, None);
        let region = scene.terrain.region();
        // Fractions of all kinds: at cells, just beside their edges, anywhere.
        let mut place = |side: i32| {
            let whole = rng.int(-2..side + 2) as f32;
            let part = match rng.int(0..8) {
                0 => 0.0,
                1 => 0.5,
                2 => rng.pick(&[0.499, 0.501, 0.001, 0.999]),
                _ => (rng.bits() >> 40) as f32 / (1_u64 << 24) as f32,
            };
            whole + part
        };
        for _ in 0..2000 {
            let (x, y) = (place(region.w), place(region.h));
            assert_sample(&scene, &ground, &field, x, y, &format!("seed {seed}"));
            samples += 1;
        }
    }
    assert!(samples >= 1_000_000, "{samples}");
}

#[test]
fn a_batch_equals_single_samples() {
    let terrain =
        pathforge_core::terrain::Terrain::from_text("....\n.#..\n....", Cell::new(5, 5)).expect("a map");
    let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
    let field = scene.build(&[Cell::new(5, 5)], None);
    let positions = [
        [0.0, 0.0],
        [3.2, 1.7],
        [f32::NAN, 1.0],
        [1.0, f32::INFINITY],
        [-0.5, -0.4],
        [1e30, -1e30],
        [2.0, 2.0],
    ];
    let mut directions = [[9.0; 2]; 7];
    field.sample_batch(&positions, &mut directions);
    for (position, direction) in positions.iter().zip(directions) {
        let [x, y] = field.sample(*position);
        assert_eq!(direction.map(f32::to_bits), [x, y].map(f32::to_bits));
    }
    assert_eq!([directions[0], directions[2], directions[3], directions[5]], [[0.0; 2]; 4]);
    // Out of sight of the goal, behind the wall: around it.
    assert!(directions[6][0] <= 0.0 && directions[6][1] <= 0.0);
}

/// Positions are sampled in groups; what is longer of positions and directions is left as it is.
#[test]
fn batches_of_any_length_equal_single_samples() {
    for seed in seeds(342, 60) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let terrain = any_map(&mut rng, any);
        let scene = Scene::new(terrain, Body::new(1, 1, DiagonalMode::default()));
        let goals = scene.any_goals(&mut rng, 2);
        let field = scene.build(&goals, None);
        let region = scene.terrain.region();
        let mut place = |size: i32| rng.int(-200..size * 100 + 200) as f32 / 100.0;
        let positions: Vec<[f32; 2]> = (0..150).map(|_| [place(region.w), place(region.h)]).collect();
        for (given, asked) in [(31, 31), (32, 32), (33, 33), (150, 150), (40, 64), (64, 40), (5, 32)] {
            let mut directions = vec![[9.0; 2]; asked];
            field.sample_batch(&positions[..given], &mut directions);
            for (n, direction) in directions.iter().enumerate() {
                let expected = match positions[..given].get(n) {
                    Some(&at) => field.sample(at),
                    None => [9.0; 2],
                };
                assert_eq!(direction.map(f32::to_bits), expected.map(f32::to_bits), "seed {seed}: {n}");
            }
        }
    }
}

/// A point that follows samples in steps shorter than a cell arrives, on the field's path, and is never in a
/// wall.
#[test]
fn following_samples_leads_to_a_goal() {
    for seed in seeds(341, 150) {
        let mut rng = Rng::new(seed);
        let any = any_ground(&mut rng);
        let terrain = any_map(&mut rng, any);
        let (w, h) = rng.pick(&[(1, 1), (2, 2), (4, 2)]);
        let scene = Scene::new(terrain, Body::new(w, h, DiagonalMode::default()));
        let ground = Ground::new(&scene.terrain, &scene.body);
        let goals = scene.any_goals(&mut rng, 1);
        let field = scene.build(&goals, None);
        let region = scene.terrain.region();
        for _ in 0..20 {
            let start = pathforge_tests::maps::any_cell(&mut rng, region);
            let Some(cost) = field.integration().cost(start) else { continue };
            let (mut x, mut y) = ((start.x - region.x) as f32, (start.y - region.y) as f32);
            let stride = 0.25;
            let steps_max = 200 + (cost.cells() * 12.0) as u32;
            let mut steps = 0;
            while field.integration().cost(nearest(&scene, f64::from(x), f64::from(y))).map(Cost::units)
                != Some(0)
            {
                let home = nearest(&scene, f64::from(x), f64::from(y));
                let [dx, dy] = match field.link_from(home) {
                    Some((_, to)) => [(to.x - home.x) as f32 / stride, (to.y - home.y) as f32 / stride],
                    None => field.sample([x, y]),
                };
                (x, y) = (x + dx * stride, y + dy * stride);
                let cell = nearest(&scene, f64::from(x), f64::from(y));
                assert!(ground.fits(cell), "seed {seed}: in a wall at {cell:?}\n{}", scene.show(&goals));
                steps += 1;
                assert!(
                    steps < steps_max,
                    "seed {seed}: from {start:?} does not arrive, is at ({x}, {y})\n{}",
                    scene.show(&goals)
                );
            }
        }
    }
}
