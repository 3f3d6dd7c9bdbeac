//! Small drawn cases; the oracle's laws are in the crate of the tests.
#![allow(clippy::float_cmp)]

use super::body::{Body, FlightCosts, Motion};
use super::control::Control;
use super::floor_shapes::FloorShape;
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
    climb_speed: 0.0,
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
fn nothing_stands_outside_the_level() {
    let level = level("....... ....... ####### .......");
    for body in [Body::rectangle(14.0, 30.0), Body::capsule(10.0, 30.0)] {
        let foothold = Foothold { level: &level, body };
        assert_eq!(foothold.standing_at(50.0, 32.0), Some(at(3, 1)));
        for far in [-1e300, -1e12, -1e9, 1e9, 1e12, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(foothold.standing_at(50.0, far), None, "{far}");
        }
    }
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

/// A level of letters: `#` solid, `/` and `\\` slopes of 45°, `a` to `d` slopes over two cells. Digits are slabs of
/// so many px, `-` one-way slabs of 8 px.
fn hills(text: &str) -> Level {
    let rows: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
    let letter = |x: i32, y: i32| rows[y as usize][x as usize];
    let floor = |x, y| {
        let (left, right) = match letter(x, y) {
            b'/' => (0.0, 16.0),
            b'\\' => (16.0, 0.0),
            b'a' => (0.0, 8.0),
            b'b' => (8.0, 16.0),
            b'c' => (16.0, 8.0),
            b'd' => (8.0, 0.0),
            b'-' => (8.0, 8.0),
            digit @ b'1'..=b'9' => (f64::from(digit - b'0'), f64::from(digit - b'0')),
            _ => return None,
        };
        Some(FloorShape { left, right, one_way: letter(x, y) == b'-' })
    };
    let size = (rows[0].len() as i32, rows.len() as i32);
    Level::with_floors(size, (16.0, 16.0), |x, y| letter(x, y) == b'#', |_, _| false, floor)
}

#[test]
fn feet_touch_slopes_with_a_corner_or_an_arc() {
    let level = hills("........ ..../##. ..ab###. ########");
    let height = |body: Body, cell, x| Foothold { level: &level, body }.height(cell, x);
    let (thin, capsule) = (Body::rectangle(4.0, 14.0), Body::capsule(4.0, 14.0));
    // Along the slope of 45° from (64, 32) up to (80, 16).
    assert_eq!(height(thin, at(4, 1), 72.0), 24.0 - 2.0);
    assert!((height(capsule, at(4, 1), 72.0) - (24.0 - 4.0 * (2.0_f64.sqrt() - 1.0))).abs() < 1e-9);
    // The right corner is on the slope while the centre is over its foot.
    assert_eq!(height(Body::rectangle(14.0, 14.0), at(1, 2), 30.0), 48.0 - 2.5);
    assert_eq!(height(thin, at(1, 2), 20.0), 48.0);
    // On the flat ground beyond the slope.
    assert_eq!(height(thin, at(5, 0), 90.0), 16.0);
}

#[test]
fn walks_lead_over_hills_and_stop_at_slabs() {
    let level = hills("......... ......... ../#cd..5 #########");
    let foothold = |body| Foothold { level: &level, body };
    for body in [Body::rectangle(6.0, 14.0), Body::capsule(4.0, 14.0)] {
        let (mut cell, mut cells) = (at(1, 2), Vec::new());
        while let Some(next) = foothold(body).walk(cell, 1) {
            cells.push((next.column, next.row));
            cell = next;
        }
        assert_eq!(cells, [(2, 2), (3, 1), (4, 2), (5, 2), (6, 2), (7, 2)], "{body:?}");
        assert_eq!(foothold(body).walk(at(8, 2), -1), None, "down from a slab is a fall");
        // Twice as long up 45°, not longer down: half of each cell is gone.
        assert_eq!(foothold(body).walk_cost(at(2, 2), at(3, 1)), 70 + 35);
        assert_eq!(foothold(body).walk_cost(at(3, 1), at(2, 2)), 70);
    }
}

#[test]
fn slabs_are_jumped_on_and_walked_off() {
    let level = hills("......... ......... .....88.. #########");
    let mut flyer = Flyer::new(level, Body::rectangle(14.0, 30.0), MOTION, FlightCosts::default()).unwrap();
    let mut to = |from| -> Vec<(StandCell, TakeOff)> {
        flyer.flights(from).iter().map(|flight| (flight.to, flight.kind)).collect()
    };
    assert!(to(at(2, 2)).contains(&(at(5, 2), TakeOff::Jump)));
    assert!(to(at(5, 2)).contains(&(at(4, 2), TakeOff::WalkOff(-1))));
    // Nothing is under ground that carries.
    assert!(to(at(5, 2)).iter().all(|&(_, kind)| kind != TakeOff::Drop));
}

#[test]
fn one_way_slabs_are_passed_from_below_and_others_bumped_at() {
    let jumps = |text: &str| {
        let mut flyer =
            Flyer::new(hills(text), Body::rectangle(14.0, 14.0), MOTION, FlightCosts::default()).unwrap();
        flyer.flights(at(3, 4)).iter().any(|flight| flight.to == at(3, 2))
    };
    assert!(jumps("####### ....... ------- ....... ....... #######"));
    assert!(!jumps("####### ....... 8888888 ....... ....... #######"));
}

#[test]
fn ground_that_is_too_steep_does_not_carry() {
    let level = hills("...... ../... ######");
    let stands = |level: &Level| Foothold { level, body: Body::rectangle(6.0, 14.0) }.at(at(2, 1)).is_some();
    assert!(stands(&level));
    assert!(!stands(&level.with_floor_max_angle(0.7)));
}

/// A level with ladders: `H`, and `T`, which carries from above.
fn ladders(text: &str) -> Level {
    let rows: Vec<&[u8]> = text.split_whitespace().map(str::as_bytes).collect();
    let is = |letters: &'static [u8]| {
        let rows = rows.clone();
        move |x: i32, y: i32| letters.contains(&rows[y as usize][x as usize])
    };
    let size = (rows[0].len() as i32, rows.len() as i32);
    Level::from_cells(size, (16.0, 16.0), is(b"#"), is(b"=T")).with_ladders(&is(b"HT"))
}

fn climber(text: &str, body: Body) -> Flyer {
    let motion = Motion { climb_speed: 80.0, jump_speed: 0.0, ..MOTION };
    Flyer::new(ladders(text), body, motion, FlightCosts::default()).unwrap()
}

/// Where climbs from a cell lead, and at which places.
fn climbs(flyer: &mut Flyer, from: StandCell) -> Vec<(i32, i32, f64)> {
    let flights = flyer.flights(from).iter().filter(|flight| matches!(flight.kind, TakeOff::Climb(_)));
    flights.map(|flight| (flight.to.column, flight.to.row, flight.start_x)).collect()
}

const SHAFT: &str = "
    .......
    .......
    ##.T.##
    ##.H.##
    ##=H=##
    ##.H.##
    ##.H.##
    #######";

#[test]
fn ladders_lead_to_ground_at_them_and_beside_them() {
    let mut flyer = climber(SHAFT, Body::rectangle(14.0, 30.0));
    // The planks end beside the ladder: the body stands with its edge on them, at 3.1 px from the middle.
    let (top, middle) = ((3, 1, 56.0), (2, 3, 54.9));
    let found = climbs(&mut flyer, at(3, 6));
    assert_eq!(found.iter().map(|&(column, row, _)| (column, row)).collect::<Vec<_>>(), [(3, 1), (2, 3)]);
    assert!((found[0].2 - top.2).abs() + (found[1].2 - middle.2).abs() < 1e-9, "{found:?}");
    let down: Vec<(i32, i32)> = climbs(&mut flyer, at(3, 1)).iter().map(|climb| (climb.0, climb.1)).collect();
    assert_eq!(down, [(2, 3), (3, 6)]);
    // No ladder, and a ladder that begins above its feet.
    let mut walker = climber(SHAFT, Body::rectangle(14.0, 30.0));
    walker.set_level(ladders(&SHAFT.replace(['H', 'T'], ".")));
    assert!(climbs(&mut walker, at(3, 6)).is_empty());
    let mut high = climber("... .T. .H. ... ###", Body::rectangle(14.0, 14.0));
    assert!(climbs(&mut high, at(1, 3)).is_empty());
    assert_eq!(climbs(&mut high, at(1, 0)), []);
}

#[test]
fn wide_bodies_climb_where_there_is_room_for_them() {
    let shaft = ".... #TT# #HH# #HH# #HH# ####";
    let places = |width: f64, text| climbs(&mut climber(text, Body::rectangle(width, 14.0)), at(1, 4));
    assert_eq!(places(14.0, shaft), [(1, 0, 24.0)]);
    // Its middle is between both columns.
    assert_eq!(places(31.0, shaft), [(1, 0, 32.0)]);
    assert_eq!(places(33.0, shaft), []);
    let narrow = ".... #T## #H## #H## #H.# ####";
    assert_eq!(places(14.0, narrow).len(), 1);
    assert_eq!(places(18.0, narrow), []);
}

#[test]
fn a_ladder_that_changes_is_seen() {
    let mut flyer = climber(SHAFT, Body::rectangle(14.0, 14.0));
    assert_eq!(climbs(&mut flyer, at(3, 6)).len(), 2);
    let broken = SHAFT.replacen("##.H.##", "##...##", 1);
    flyer.set_level(ladders(&broken));
    assert_eq!(climbs(&mut flyer, at(3, 6)), [(2, 3, climbs(&mut flyer, at(3, 6))[0].2)]);
    flyer.set_level(ladders(SHAFT));
    assert_eq!(climbs(&mut flyer, at(3, 6)).len(), 2);
    flyer.set_level(ladders(&SHAFT.replace(['H', 'T'], ".")));
    assert_eq!(climbs(&mut flyer, at(3, 6)), []);
}

#[test]
fn a_route_climbs_and_costs_its_time() {
    use super::route::{Departure, Gait};
    let mut flyer = climber(SHAFT, Body::rectangle(14.0, 14.0));
    let route = flyer.find_route(Departure::Cell(at(2, 6)), at(3, 1), u32::MAX);
    // A cell to the ladder; five rows of 80 px/s, in cells of a run of 180 px/s; taking hold.
    assert_eq!(route.cost, 70 + (5.0 * 16.0 / 80.0 * 180.0 / 16.0 * 70.0) as u32 + 1 + 1);
    let rows: Vec<(i32, bool)> =
        route.cells.iter().zip(&route.gaits).map(|(cell, &gait)| (cell.y, gait == Gait::Climb)).collect();
    assert_eq!(rows, [(6, false), (6, false), (5, true), (4, true), (3, true), (2, true), (1, true)]);
}

#[test]
fn ladders_stand_on_floors_inside_cells() {
    // The foot is 4 px high in its cell, the plank at the top 12 px.
    let rows: Vec<&[u8]> =
        "..... ..... ..T.. ..H.. ..H.. ..f.. #####".split_whitespace().map(str::as_bytes).collect();
    let is = |letters: &'static [u8]| {
        let rows = rows.clone();
        move |x: i32, y: i32| letters.contains(&rows[y as usize][x as usize])
    };
    let shape = |x: i32, y: i32| match rows[y as usize][x as usize] {
        b'T' => Some(FloorShape { left: 12.0, right: 12.0, one_way: true }),
        b'f' => Some(FloorShape { left: 4.0, right: 4.0, one_way: false }),
        _ => None,
    };
    let level = Level::with_floors((5, 7), (16.0, 16.0), is(b"#"), is(b"T"), shape);
    let motion = Motion { climb_speed: 80.0, ..MOTION };
    let climbs_to = |letters: &'static [u8]| {
        let level = level.clone().with_ladders(&is(letters));
        let mut flyer =
            Flyer::new(level, Body::rectangle(12.0, 14.0), motion, FlightCosts::default()).unwrap();
        [at(2, 5), at(2, 2)].map(|from| climbs(&mut flyer, from))
    };
    assert_eq!(climbs_to(b"THf"), [[(2, 2, 40.0)], [(2, 5, 40.0)]]);
    // The feet are in the plank's cell at last.
    assert_eq!(climbs_to(b"Hf"), [[], []]);
}
