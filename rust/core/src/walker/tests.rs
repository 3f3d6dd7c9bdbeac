//! A walker on small maps: what it asks, what it makes of answers, and where it leads the body.

mod in_crowd;
mod links;
mod off_map;

use super::{Event, Ground, Metric, Notice, Order, Point, Walker};
use crate::geometry::{Cell, CellRect, Footprint, Side};
use crate::terrain::Terrain;
use crate::world::{GoalMode, PathQuery, Profile, Reason, World};

/// A map, a body on it, and the last request.
struct Scene {
    world: World,
    profile: Profile,
    walker: Walker,
    position: Point,
    query: Option<PathQuery>,
}

impl Scene {
    fn new(map: &str, position: (f64, f64)) -> Self {
        let terrain = Terrain::from_text(map, Cell::default()).expect("a map");
        Self {
            world: World::from_terrain(terrain),
            profile: Profile::default(),
            walker: Walker::new(0),
            position: Point::new(position.0, position.1),
            query: None,
        }
    }

    fn with<R>(&mut self, work: impl FnOnce(&mut Walker, &Ground<'_>, Point) -> R) -> R {
        let ground = Ground { terrain: self.world.terrain(), profile: &self.profile, metric: Metric::CELLS };
        work(&mut self.walker, &ground, self.position)
    }

    /// Sends the body somewhere, and gives it the path.
    fn set_out(&mut self, x: f64, y: f64) {
        self.order(x, y);
        assert!(self.ask() && self.answer());
    }

    fn order(&mut self, x: f64, y: f64) {
        self.with(|walker, ground, position| walker.set_target(ground, position, Point::new(x, y)));
    }

    /// Makes the request that is wanted; returns `true` if one is.
    fn ask(&mut self) -> bool {
        let ask = self.with(Walker::next_request);
        let Some(ask) = ask else { return false };
        let query = PathQuery {
            goal_mode: ask.goal.mode,
            smoothing: true,
            ..PathQuery::new(ask.start, ask.goal.cell, self.profile).past(&ask.blocked)
        };
        assert!(self.query.replace(query).is_none(), "one request at a time");
        true
    }

    /// Answers the request under way; returns `true` if the answer counts.
    fn answer(&mut self) -> bool {
        let query = self.query.take().expect("a request");
        let outcome = self.world.find_path(&query);
        self.with(|walker, ground, position| walker.answer(ground, position, &outcome))
    }

    /// Walks for a frame; returns where the body is to go.
    fn step(&mut self) -> Point {
        let next = self.with(Walker::advance);
        let ground = Ground { terrain: self.world.terrain(), profile: &self.profile, metric: Metric::CELLS };
        let is_free = self.walker.link_under().is_some()
            || ground.has_room(self.position, next)
            || ground.is_off(self.position);
        assert!(is_free, "a wall is between {:?} and {next:?}", self.position);
        self.position = self.position.toward(next, 0.2);
        next
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            self.step();
        }
    }

    fn told(&mut self) -> Vec<Event> {
        let mut events = self.walker.take_events();
        events.retain(|event| !matches!(event, Event::Waypoint { .. }));
        events
    }

    fn fill(&mut self, rect: CellRect, solid: bool) {
        self.world.terrain_mut().fill_solid(rect, solid);
        self.with(|walker, ground, position| walker.edited(ground, position, Some(&[rect])));
    }

    fn arrives(&mut self) -> bool {
        for _ in 0..2000 {
            self.walker.frame(0.05);
            if self.ask() {
                self.answer();
            }
            self.step();
            if self.walker.is_finished() {
                return self.walker.is_target_reached();
            }
        }
        false
    }
}

const ROOM: &str = "
    ............
    ............
    ............
    .....@......
    .....@......
    .....@......
    .....@......
";
const ARRIVAL: [Event; 3] = [Event::PathChanged, Event::TargetReached, Event::Finished];

#[test]
fn a_body_walks_to_its_target_and_says_so_once() {
    let mut scene = Scene::new(ROOM, (1.5, 6.5));
    scene.order(8.5, 6.3);
    assert!(!scene.walker.is_finished());
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
    assert!(scene.position.distance(Point::new(8.5, 6.3)) <= 0.6);
    for _ in 0..3 {
        scene.order(8.5, 6.3);
        assert!(scene.walker.is_finished() && !scene.ask(), "it rests there");
        assert_eq!(scene.told(), ARRIVAL[1..], "and each order is answered");
    }
    scene.order(8.5, 6.3);
    scene.order(1.5, 6.5);
    assert!(scene.told().is_empty(), "another order replaces it before it is answered");
}

#[test]
fn what_a_path_was_planned_on_changes_under_way() {
    let mut scene = Scene::new("........\n........\n...@....\n........\n........\n........", (1.0, 2.0));
    scene.set_out(6.0, 3.0);
    scene.steps(2);
    // The path leads by where the larger body has no room.
    scene.profile.footprint = Footprint::square(2).expect("a footprint");
    scene.walker.look_anew();
    for _ in 0..40 {
        scene.step();
    }
    assert!(scene.ask() && scene.answer(), "a path for the body of now");
    assert!(scene.arrives());
    // At rest what changes nothing is not told.
    scene.told();
    scene.walker.look_anew();
    assert!(scene.ask() && scene.answer());
    assert!(scene.walker.is_target_reached() && scene.told().is_empty());
}

#[test]
fn one_that_was_put_elsewhere_asks_from_there() {
    let mut scene = Scene::new(ROOM, (1.5, 6.5));
    scene.set_out(10.5, 6.5);
    scene.steps(3);
    scene.position = Point::new(8.5, 4.5);
    assert_eq!(scene.step(), Point::new(8.5, 4.5), "the points of its path lie behind it");
    assert!(scene.ask() && scene.answer());
    assert!(scene.step().x > 8.5 && scene.arrives());
}

#[test]
fn a_body_at_rest_does_not_follow_the_answer_to_a_former_target() {
    let mut scene = Scene::new(ROOM, (6.5, 1.5));
    scene.order(0.5, 1.5);
    assert!(scene.ask());
    scene.order(11.5, 1.5);
    assert!(!scene.ask(), "the first is under way");
    assert!(!scene.answer());
    assert_eq!(scene.step(), Point::new(6.5, 1.5));
    assert!(scene.told().is_empty() && !scene.walker.is_under_way());
    assert!(scene.ask() && scene.answer());
    scene.steps(3);
    assert!(scene.position.x > 6.5);
}

#[test]
fn a_body_under_way_goes_on_when_an_answer_to_a_former_target_comes() {
    let mut scene = Scene::new(ROOM, (6.5, 1.5));
    scene.set_out(11.5, 1.5);
    scene.steps(2);
    scene.order(0.5, 1.5);
    assert!(scene.ask());
    scene.order(11.5, 5.5);
    assert!(!scene.answer());
    let before = scene.position.x;
    scene.steps(2);
    assert!(scene.position.x > before, "along its former path");
    assert!(scene.arrives());
    assert_eq!(scene.told(), [&ARRIVAL[..1], &ARRIVAL].concat());
}

#[test]
fn it_does_not_finish_at_a_former_target() {
    let mut scene = Scene::new(ROOM, (6.5, 1.5));
    scene.set_out(8.5, 1.5);
    scene.order(11.5, 5.5);
    scene.steps(40);
    assert!(!scene.walker.is_finished() && scene.position.distance(Point::new(8.5, 1.5)) < 0.6);
    assert!(scene.arrives());
    assert_eq!(scene.told(), [&ARRIVAL[..1], &ARRIVAL].concat());
}

#[test]
fn one_that_chases_follows_answers_to_where_its_target_was() {
    let mut scene = Scene::new(&format!("{}\n", ".".repeat(200)).repeat(2), (0.5, 0.5));
    let mut target = 10.5;
    for _ in 0..400 {
        scene.order(target, 0.5);
        // Each answer comes when the target is in another cell already.
        let is_asked = scene.ask();
        target = (target + 0.15).min(180.0);
        scene.order(target, 0.5);
        if is_asked && !scene.ask() {
            scene.answer();
        }
        scene.step();
    }
    assert!(scene.position.x > 60.0, "it came to {}", scene.position.x);
}

#[test]
fn a_refusal_of_a_former_target_says_nothing() {
    let mut scene = Scene::new(ROOM, (6.5, 1.5));
    scene.order(5.5, 5.5);
    assert!(scene.ask());
    scene.order(6.5, 5.5);
    assert!(!scene.answer());
    assert!(scene.told().is_empty());
    assert!(scene.arrives());
}

#[test]
fn one_that_was_moved_behind_a_wall_does_not_cut_through_it() {
    // The answer comes after the move.
    let mut scene = Scene::new(ROOM, (3.5, 6.5));
    scene.order(0.5, 6.5);
    assert!(scene.ask());
    scene.position = Point::new(7.5, 6.5);
    assert!(!scene.answer());
    assert_eq!(scene.step(), Point::new(7.5, 6.5), "it waits");
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
    // The move comes after the answer.
    scene.set_out(3.5, 0.5);
    scene.steps(5);
    scene.position = Point::new(6.5, 6.5);
    assert_eq!(scene.step(), Point::new(6.5, 6.5), "it waits");
    assert!(scene.arrives());
}

#[test]
fn a_body_that_is_pushed_through_a_door_beside_its_target_is_not_there() {
    let mut scene = Scene::new(&["..........."; 5].join("\n"), (1.5, 1.5));
    let wall = CellRect::new(6, 0, 1, 4);
    scene.world.terrain_mut().fill_edges(wall, Side::Left, true, false);
    scene.set_out(5.5, 1.5);
    assert!(scene.arrives());
    assert_eq!(scene.told().last(), Some(&Event::Finished));
    // A wall without thickness is between, and less than what counts as being there.
    scene.position = Point::new(6.05, 1.5);
    scene.step();
    assert!(!scene.walker.is_target_reached());
    assert!(scene.arrives() && scene.position.x < 6.0, "it walks round, to {:?}", scene.position);
    assert_eq!(scene.told(), [Event::PathChanged, Event::Finished], "reached is told once");
}

#[test]
fn a_refusal_from_where_the_body_was_before_it_was_moved_is_not_taken() {
    let mut scene = Scene::new("@@@.....\n@.@.....\n@@@.....\n", (1.5, 1.5));
    scene.order(7.5, 0.5);
    assert!(scene.ask());
    scene.position = Point::new(4.5, 1.5);
    assert!(!scene.answer());
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn one_that_was_pushed_beside_its_line_comes_back_to_it() {
    let map = "
        ......
        .@@@@.
        ......
        @@@@@.
    ";
    let mut scene = Scene::new(map, (0.5, 2.5));
    scene.set_out(0.5, 0.5);
    scene.steps(2);
    scene.position = Point::new(0.9, 2.5);
    scene.steps(1);
    assert!(scene.walker.is_walking(), "without another path");
    assert!(scene.arrives());
}

#[test]
fn a_refusal_is_told_again_when_its_reason_changes() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.profile.footprint = Footprint::square(2).unwrap();
    scene.position = Point::new(2.0, 2.0);
    scene.fill(CellRect::new(5, 0, 1, 7), true);
    scene.set_out(9.0, 2.0);
    assert_eq!(scene.told(), [Event::Failed(Some(Reason::Disconnected)), Event::Finished]);
    let looks = |scene: &mut Scene| {
        scene.walker.frame(2.0);
        assert!(scene.ask(), "it looks again");
        scene.answer();
        scene.told()
    };
    scene.fill(CellRect::new(11, 6, 1, 1), true);
    scene.fill(CellRect::new(11, 6, 1, 1), false);
    assert_eq!(looks(&mut scene), [], "the same reason is not told twice");
    scene.fill(CellRect::new(9, 1, 1, 2), true);
    scene.fill(CellRect::new(11, 5, 1, 1), false);
    let reason = Event::Failed(Some(Reason::GoalClearance));
    let told = looks(&mut scene);
    assert!(told == [reason] || told == [Event::Failed(Some(Reason::GoalSolid))], "{told:?}");
    scene.fill(CellRect::new(5, 0, 1, 7), false);
    scene.fill(CellRect::new(9, 1, 1, 2), false);
    assert_eq!(looks(&mut scene), [Event::PathChanged]);
    assert!(scene.arrives());
}

#[test]
fn a_body_that_is_refused_between_placements_settles_on_one() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.set_out(11.5, 0.5);
    scene.steps(6);
    scene.fill(CellRect::new(5, 0, 1, 7), true);
    assert!(scene.ask() && scene.answer());
    assert!(!scene.walker.is_finished() && !scene.walker.is_walking());
    scene.steps(9);
    assert!(scene.walker.is_finished());
    assert!((scene.position.x - scene.position.x.floor() - 0.5).abs() < 0.06, "{:?}", scene.position);
    let failed = Event::Failed(Some(Reason::Disconnected));
    assert_eq!(scene.told(), [Event::PathChanged, failed, Event::Finished]);
}

#[test]
fn the_end_of_a_path_that_stops_short_is_an_end_and_a_refusal_is_none() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    assert!(!scene.walker.is_at_path_end(), "no target");
    scene.walker.settings.goal_mode = GoalMode::Nearest;
    scene.order(5.5, 5.5);
    assert!(!scene.arrives() && scene.walker.is_finished() && scene.walker.is_at_path_end());
    scene.walker.settings.goal_mode = GoalMode::Exact;
    scene.order(5.5, 4.5);
    assert!(!scene.arrives() && scene.walker.is_finished() && !scene.walker.is_at_path_end());
    scene.order(3.5, 0.5);
    assert!(!scene.walker.is_at_path_end(), "it walks");
    assert!(scene.arrives() && scene.walker.is_at_path_end());
}

#[test]
fn a_new_target_while_it_settles_finishes_once() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.set_out(11.5, 0.5);
    scene.steps(6);
    scene.fill(CellRect::new(5, 0, 1, 7), true);
    assert!(scene.ask() && scene.answer());
    scene.told();
    scene.order(0.5, 6.5);
    scene.steps(9);
    assert!(scene.told().is_empty(), "the end of settling is not the end of the new order");
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn an_arrival_is_not_told_again_when_an_edit_touched_the_end_of_the_path() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.set_out(2.5, 0.5);
    scene.fill(CellRect::new(3, 0, 1, 1), true);
    assert!(scene.ask());
    scene.steps(30);
    scene.answer();
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn a_wall_under_the_body_lets_it_out() {
    let mut scene = Scene::new(ROOM, (2.9, 2.8));
    scene.fill(CellRect::new(2, 2, 1, 1), true);
    scene.order(2.5, 6.5);
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn without_a_map_it_is_refused_and_goes_on_when_there_is_one() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.walker.set_target_off_map();
    assert!(scene.walker.wants_path() && !scene.ask());
    scene.walker.refuse(Reason::NoGrid);
    assert_eq!(scene.told(), [Event::Failed(Some(Reason::NoGrid)), Event::Finished]);
    scene.walker.enter_map(Point::new(4.5, 0.5));
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn one_that_was_stopped_takes_no_answer() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.order(4.5, 0.5);
    assert!(scene.ask());
    scene.walker.stop();
    scene.order(8.5, 0.5);
    assert!(!scene.answer() && !scene.walker.is_under_way());
    assert!(scene.arrives());
    assert_eq!(scene.told(), ARRIVAL);
}

#[test]
fn a_request_that_is_lost_is_made_again() {
    let mut scene = Scene::new(ROOM, (0.5, 0.5));
    scene.order(4.5, 0.5);
    assert!(scene.ask() && !scene.ask());
    scene.query = None;
    scene.walker.answer_is_lost();
    assert!(scene.arrives());
}

#[test]
fn the_same_target_is_an_order_again() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 3.5);
    scene.steps(20);
    // Others are at the target: it settles beside them.
    scene.walker.take_order();
    scene.walker.hear(Notice::Rests);
    assert!(scene.walker.is_finished() && !scene.walker.is_target_reached());
    scene.order(9.5, 3.5);
    assert!(scene.ask() && scene.answer() && scene.arrives(), "they have left");

    scene.order(9.5, 3.5);
    assert!(!scene.ask(), "it rests there");
    scene.position = Point::new(1.5, 1.5);
    scene.order(9.5, 3.5);
    assert!(scene.ask() && scene.answer() && scene.arrives(), "it was put elsewhere");
}

#[test]
fn one_that_its_crowd_leads_to_its_target_after_all_has_reached_it() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 3.5);
    scene.steps(20);
    scene.walker.take_order();
    scene.walker.hear(Notice::Rests);
    scene.told();
    scene.with(Walker::advance);
    assert!(scene.walker.is_blocked(None) && !scene.walker.is_target_reached(), "beside others");
    scene.position = Point::new(9.4, 3.5);
    scene.with(Walker::advance);
    assert!(scene.walker.is_target_reached() && !scene.walker.is_blocked(None), "those have left");
    assert_eq!(scene.told(), [Event::TargetReached], "that it has finished was told");
}

#[test]
fn a_body_that_is_nowhere_has_not_arrived() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    scene.set_out(9.5, 3.5);
    scene.steps(5);
    let before = scene.position;
    scene.told();
    for nowhere in [f64::NAN, f64::INFINITY] {
        scene.position = Point::new(nowhere, 1.5);
        scene.with(Walker::advance);
        assert!(!scene.walker.is_finished() && scene.told().is_empty(), "at {nowhere}");
    }
    scene.position = before;
    assert!(scene.arrives(), "it goes on when it is back");
}

#[test]
fn an_order_leads_there_unless_it_is_cut_off() {
    let mut scene = Scene::new(ROOM, (1.5, 1.5));
    assert_eq!(scene.walker.can_reach(), None, "without a target");
    scene.walker.hear(Notice::Sent);
    assert_eq!(scene.walker.can_reach(), Some(true));
    scene.walker.hear(Notice::CutOff(None));
    assert_eq!(scene.walker.can_reach(), Some(false));
}

#[test]
fn the_same_target_is_not_refused_again_before_the_body_is_elsewhere() {
    let mut scene = Scene::new("...#...\n...#...", (0.5, 0.5));
    scene.order(6.5, 0.5);
    assert!(scene.ask() && scene.answer() && scene.walker.is_finished());
    for _ in 0..3 {
        scene.order(6.5, 0.5);
        assert!(!scene.ask(), "the same answer would come");
        let told = scene.told();
        assert!(matches!(told[..], [.., Event::Failed(_), Event::Finished]), "{told:?}");
    }
    scene.position = Point::new(4.5, 0.5);
    scene.order(6.5, 0.5);
    assert!(scene.ask() && scene.answer() && scene.arrives());
}

#[test]
fn a_body_of_any_speed_arrives_at_full_speed() {
    let maps = [
        ("..........#########\n#########.#########\n#########.#########\n#########..........", (18.5, 3.5)),
        (
            "..#######\n#..######\n##..#####\n###..####\n####..###\n#####..##\n######..#\n#######..",
            (8.5, 7.5),
        ),
        (".........#.........\n.........#.........\n...................\n.........#.........", (18.5, 3.5)),
    ];
    for (map, goal) in maps {
        for step in [0.1, 0.3, 0.6, 0.83, 1.2, 1.7] {
            let mut scene = Scene::new(map, (0.5, 0.5));
            scene.set_out(goal.0, goal.1);
            for _ in 0..600 {
                let aim = scene.with(Walker::advance);
                if scene.walker.is_finished() {
                    break;
                }
                // Not shortened to where it is to go, as the usual lines of a script have it.
                let far = scene.position.distance(aim).max(1e-9);
                scene.position = scene.position.lerp(aim, step / far);
                if scene.ask() {
                    scene.answer();
                }
            }
            assert!(scene.walker.is_target_reached(), "{map}\nsteps of {step}: at {:?}", scene.position);
            assert!(scene.position.distance(Point::new(goal.0, goal.1)) <= step.max(0.6) + 0.01);
        }
    }
}
