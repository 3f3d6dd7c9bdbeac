//! Small drawn cases; the oracle's laws are in the crate of the tests.
#![allow(clippy::float_cmp)]

use super::body::{Body, FlightCosts, Motion};
use super::control::Control;
use super::holds::holds;
use super::known::Flyer;
use super::level::{Kind, Level};
use super::stand::{Foothold, StandCell};
use super::steer::{AirState, LandingRun, Steering};
use super::takeoff::TakeOff;

const MOTION: Motion = Motion {
    run_speed: 180.0,
    acceleration: 0.0,
    air_acceleration: 0.0,
    friction: 0.0,
    gravity: 980.0,
    gravity_down: 0.0,
    terminal_speed: 0.0,
    jump_speed: 330.0,
    jump_cut: 0.0,
    full_first_step: true,
    tick: 1.0 / 60.0,
};

fn level(text: &str) -> Level {
    let rows: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
    let is = |letter: u8| {
        let rows = rows.clone();
        move |x: i32, y: i32| rows[y as usize][x as usize] == letter
    };
    Level::from_cells((rows[0].len() as i32, rows.len() as i32), (16.0, 16.0), is(b'#'), is(b'='))
}

fn at(column: i32, row: i32) -> StandCell {
    StandCell { column, row }
}

#[test]
fn intervals_are_free_between_solid_cells_and_walls() {
    let level = level("........ ..#..#.. ........");
    assert_eq!(level.free((0, 2), 64.0, 7.0), [48.0 + 7.0, 80.0 - 7.0]);
    assert_eq!(level.free((0, 0), 64.0, 7.0), [7.0, 128.0 - 7.0]);
    assert_eq!(level.free((-9, -3), 64.0, 7.0), [7.0, 128.0 - 7.0]);
}

#[test]
fn an_interval_is_cut_where_a_body_overlaps_cells() {
    let level = level("..#..#.. ........");
    let pieces = |half: f64, low: f64, high: f64| {
        let mut pieces = Vec::new();
        level.split((Kind::Solid, 0), half, (low, high), |a: f64, b: f64, overlaps| {
            pieces.push((a.round(), b.round(), overlaps));
        });
        pieces
    };
    let both = [(10.0, 24.0, false), (24.0, 56.0, true), (56.0, 72.0, false), (72.0, 90.0, true)];
    assert_eq!(pieces(8.0, 10.0, 90.0), both);
    // The gaps between the cells, and to the wall, are narrower than the body.
    assert_eq!(pieces(20.0, 10.0, 90.0), [(10.0, 90.0, true)]);
    assert_eq!(pieces(8.0, 60.0, 60.0), [(60.0, 60.0, false)]);
    assert_eq!(pieces(8.0, 40.0, 40.0), [(40.0, 40.0, true)]);
}

#[test]
fn a_body_stands_beyond_an_edge_as_far_as_it_is_supported() {
    let level = level("....... ....... ..##... .......");
    let stand = |body: Body| Foothold { level: &level, body }.at(at(3, 1));
    assert_eq!(stand(Body::rectangle(14.0, 30.0)), Some((48.0, 64.0 + 6.9)));
    assert_eq!(stand(Body::capsule(10.0, 30.0)), Some((48.0, 64.0 + 6.9)));
    assert_eq!(stand(Body { support_half_width: 0.0, ..Body::rectangle(14.0, 30.0) }), Some((48.0, 64.0)));
}

#[test]
fn a_walk_crosses_gaps_that_are_narrower_than_the_body() {
    let level = level("......... ......... ###.###..");
    let walk = |width: f64| Foothold { level: &level, body: Body::rectangle(width, 14.0) }.walk(at(2, 1), 1);
    assert_eq!((walk(14.0), walk(20.0)), (None, Some(at(4, 1))));
}

#[test]
fn levels_of_speed_are_reached_exactly() {
    for (acceleration, top) in [(600.0, 3), (3000.0, 2), (9000.0, 2), (20_000.0, 0)] {
        let control = Control::new(&Motion { acceleration, ..MOTION });
        assert_eq!(control.top, top, "{acceleration}");
        if top > 0 {
            assert_eq!((control.speed(top), control.speed(-top)), (180.0, -180.0));
            assert_eq!(control.shift(top, top, 0), [3.0; 2]);
            // In a tick the speed changes by the acceleration at most.
            let shifts: Vec<f64> =
                (0..control.ticks).map(|phase| control.shift(0, 1, phase)[0] * 60.0).collect();
            assert!((shifts[0] - (acceleration / 60.0).min(180.0)).abs() < 1e-9);
            assert!((shifts.last().unwrap() - control.speed(1)).abs() < 1e-9);
        }
    }
}

#[test]
fn jumps_are_held_for_times_evenly_apart() {
    let holds = holds(&MOTION, 16.0);
    assert!(holds.len() <= 12 && holds.contains(&1), "{holds:?}");
    assert!(holds.is_sorted_by(|a, b| a > b), "{holds:?}");
}

#[test]
fn a_body_jumps_up_walks_off_and_drops() {
    let steps = level(
        "............
         ............
         ............
         ........====
         ............
         ............
         ######..####",
    );
    let mut flyer = Flyer::new(steps, Body::rectangle(14.0, 30.0), MOTION, FlightCosts::default()).unwrap();
    let to = |flyer: &mut Flyer, from| -> Vec<(StandCell, TakeOff)> {
        flyer.flights(from).iter().map(|flight| (flight.to, flight.kind)).collect()
    };
    let jumps = to(&mut flyer, at(5, 5));
    assert!(
        jumps.contains(&(at(8, 5), TakeOff::Jump)) && jumps.contains(&(at(8, 2), TakeOff::Jump)),
        "{jumps:?}"
    );
    let down = to(&mut flyer, at(10, 2));
    assert!(down.contains(&(at(10, 5), TakeOff::Drop)), "{down:?}");
    let off = to(&mut flyer, at(8, 2));
    assert!(off.contains(&(at(3, 5), TakeOff::WalkOff(-1))), "{off:?}");
    let flat = level("......... ......... #########");
    let mut flyer = Flyer::new(flat, Body::rectangle(14.0, 30.0), MOTION, FlightCosts::default()).unwrap();
    assert_eq!(to(&mut flyer, at(4, 1)), [], "level ground alone has no flights");
}

#[test]
fn a_body_too_fast_to_brake_needs_a_wall() {
    let flights = |text: &str, friction: f64| {
        let motion = Motion { acceleration: 800.0, friction, ..MOTION };
        let body = Body::rectangle(14.0, 14.0);
        let mut flyer = Flyer::new(level(text), body, motion, FlightCosts::default()).unwrap();
        flyer.flights(at(7, 2)).iter().any(|flight| flight.to.column > 11)
    };
    let open = "................ ................ ................ ########....#...";
    let wall = "................ ................ .............#.. ########....#...";
    assert!(flights(open, 2000.0));
    assert!(!flights(open, 2.0) || flights(wall, 2.0));
    assert!(flights(wall, 2.0));
}

#[test]
fn deep_falls_can_be_forbidden() {
    let text = "..... ##... ..... ..... ..... ..... #####";
    let flights = |max_fall| {
        let costs = FlightCosts { max_fall, ..FlightCosts::default() };
        let mut flyer = Flyer::new(level(text), Body::rectangle(14.0, 14.0), MOTION, costs).unwrap();
        flyer.flights(at(1, 0)).len()
    };
    assert!(flights(0) > 0 && flights(5) > 0);
    assert_eq!(flights(4), 0);
}

#[test]
fn a_course_leads_to_where_the_body_should_land() {
    let text = "..................... ..................... ..................... ##################### ";
    let level = level(text);
    let mut steering = Steering::new(Body::rectangle(14.0, 14.0), MOTION, (16.0, 16.0)).unwrap();
    let state = AirState { x: 160.0, y: 10.0, vx: 0.0, vy: 0.0, jumps: false, hold: None };
    let mut course =
        |low: f64, at: f64| steering.course(&level, &state, &LandingRun { row: 2, low, high: 336.0, at });
    let places = course(0.0, 170.0).unwrap();
    assert_eq!((places[0], *places.last().unwrap()), ((160.0, 10.0), (170.0, 48.0)));
    assert!(places.windows(2).all(|pair| (pair[1].0 - pair[0].0).abs() < 3.0 + 1e-6), "{places:?}");
    assert_eq!(course(300.0, 320.0), None);
}
