//! Bodies that begin outside the region or in closed cells, or that something is built over.

use super::*;

#[test]
fn a_body_outside_the_region_walks_in() {
    for (x, y) in [(-3.5, 1.5), (5.5, -60.5), (14.2, 9.9)] {
        let mut scene = Scene::new(ROOM, (x, y));
        scene.order(9.5, 3.5);
        assert!(scene.ask() && scene.answer(), "from ({x}, {y})");
        assert!(scene.arrives());
    }
    // The nearest placement is not the nearest cell, and a map without room refuses.
    let mut scene = Scene::new("###..\n###..\n.....", (-2.5, 0.5));
    scene.order(4.5, 0.5);
    assert!(scene.ask() && scene.answer() && scene.arrives());
    let mut scene = Scene::new("####\n####", (-2.5, 0.5));
    scene.order(3.5, 0.5);
    assert!(scene.ask() && scene.answer() && scene.walker.is_finished());
}

#[test]
fn a_body_deep_in_closed_cells_walks_out() {
    for x in [2.5, 3.5, 4.5] {
        let mut scene = Scene::new(".........\n.#####...\n.#####...\n.#####...\n.........", (x, 2.5));
        scene.order(8.5, 2.5);
        assert!(scene.ask() && scene.answer(), "from {x}");
        assert!(scene.arrives());
    }
}

#[test]
fn one_that_is_built_over_walks_out_and_goes_on() {
    let mut scene = Scene::new(ROOM, (2.5, 2.5));
    scene.set_out(2.5, 6.5);
    scene.fill(CellRect::new(0, 0, 6, 5), true);
    assert!(scene.ask() && scene.answer());
    assert!(scene.arrives());
    assert_eq!(scene.told().into_iter().filter(|event| *event == Event::Finished).count(), 1);
}
