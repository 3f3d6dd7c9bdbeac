use super::*;
use crate::geometry::{Side, open_cells};

fn map() -> Terrain {
    Terrain::new(CellRect::new(-3, -2, 8, 6)).unwrap()
}

#[test]
fn edits_report_the_cells_that_changed() {
    let mut map = map();
    assert_eq!(map.fill_solid(CellRect::new(-10, -10, 10, 10), true), Some(CellRect::new(-3, -2, 3, 2)));
    assert_eq!(map.fill_solid(CellRect::new(-10, -10, 10, 10), true), None);
    assert_eq!(map.revision(), 1);
    assert!(
        map.is_solid(Cell::new(-1, -1)) && !map.is_solid(Cell::new(0, 0)) && map.is_solid(Cell::new(99, 0))
    );
    assert_eq!(map.fill_terrain(CellRect::new(0, 0, 2, 1), 5).unwrap(), Some(CellRect::new(0, 0, 2, 1)));
    assert_eq!(map.terrain(Cell::new(1, 0)), 5);
    assert!(map.fill_terrain(CellRect::new(0, 0, 2, 1), 32).is_err());
    assert!(map.fill_weight(CellRect::new(0, 0, 2, 1), f32::NAN).is_err());
    assert!(map.fill_weight(CellRect::new(0, 0, 2, 1), -0.5).is_err());
    assert_eq!(map.revision(), 2);
    assert_eq!(map.clear(), Some(CellRect::new(-3, -2, 5, 3)));
    assert_eq!(map.clear(), None);
}

#[test]
fn a_single_cell_is_edited_as_a_rectangle_of_one() {
    let (mut one, mut rect) = (map(), map());
    for (x, y, solid) in [(-3, -2, true), (4, 3, true), (4, 3, true), (4, 3, false), (5, 0, true)] {
        let cell = Cell::new(x, y);
        let changed = rect.fill_solid(CellRect::cell(cell), solid);
        assert_eq!(one.set_solid(cell, solid), one.region().contains(cell).then_some(changed.is_some()));
        assert_eq!((one.solid(), one.revision()), (rect.solid(), rect.revision()));
        assert!(one.journal().since(0).unwrap().eq(rect.journal().since(0).unwrap()));
    }
}

#[test]
fn arrays_take_no_memory_while_they_say_nothing() {
    let mut map = map();
    assert_eq!(map.fill_weight(map.region(), 1.0).unwrap(), None);
    assert!(map.weights().is_none());
    map.fill_weight(CellRect::new(0, 0, 1, 1), 2.0).unwrap();
    assert!(map.weights().is_some());
    assert_eq!(map.fill_weight(map.region(), 1.0).unwrap(), Some(CellRect::new(0, 0, 1, 1)));
    assert!(map.weights().is_none());
}

#[test]
fn regions_have_limits() {
    for bad in [
        CellRect::new(0, 0, -1, 4),
        CellRect::new(i32::MAX - 2, 0, 4, 4),
        CellRect::new(0, 0, 16_385, 1),
        CellRect::new(0, 0, 16_384, 16_384),
        CellRect::new(0, 0, i32::MAX, i32::MAX),
    ] {
        assert!(Terrain::new(bad).is_err(), "{bad:?}");
    }
    assert!(Terrain::new(CellRect::new(0, 0, 16_384, 8_192)).is_ok());
    assert!(Terrain::new(CellRect::new(5, 5, 0, 0)).is_ok());
}

#[test]
fn a_resized_map_keeps_the_shared_cells() {
    let mut map = map();
    map.fill_solid(CellRect::new(0, 0, 2, 2), true);
    map.fill_terrain(CellRect::new(1, 1, 2, 2), 3).unwrap();
    map.fill_weight(CellRect::new(-3, -2, 1, 1), 4.0).unwrap();
    map.fill_one_way(CellRect::new(-1, 0, 3, 1), true);
    for region in
        [CellRect::new(-1, -1, 4, 4), CellRect::new(-70, -70, 150, 150), CellRect::new(50, 50, 3, 3)]
    {
        let other = map.resized(region).unwrap();
        for cell in region.cells() {
            let inside = map.region().contains(cell);
            assert_eq!(other.is_solid(cell), inside && map.is_solid(cell), "{cell:?}");
            assert_eq!(other.terrain(cell), map.terrain(cell));
            assert_eq!(other.is_one_way(cell), map.is_one_way(cell));
            assert!((other.weight(cell) - map.weight(cell)).abs() < f32::EPSILON);
        }
    }
}

#[test]
fn text_is_read_in_both_dialects() {
    let plain = Terrain::from_text("#.~=\nW@S.\n", Cell::new(-1, 0)).unwrap();
    assert_eq!(plain.region(), CellRect::new(-1, 0, 4, 2));
    assert_eq!(plain.one_way_data(), [0, 0, 0, 1, 0, 0, 0, 0]);
    assert!(!plain.is_solid(Cell::new(2, 0)));
    assert!(plain.is_solid(Cell::new(-1, 0)) && plain.is_solid(Cell::new(0, 1)));
    assert_eq!(plain.terrain(Cell::new(1, 0)), 1);
    assert_eq!(plain.terrain(Cell::new(-1, 1)), 1);
    let octile =
        Terrain::from_text("type octile\nheight 2\nwidth 3\nmap\nO.W\nTGS\n", Cell::default()).unwrap();
    let solid: Vec<_> = octile.region().cells().map(|c| octile.is_solid(c)).collect();
    assert_eq!(solid, [true, false, true, true, false, false]);
    assert!(octile.ids().is_none());
    for bad in
        ["#.\n#", "#x", "type octile\nheight 2\nwidth 3\nmap\n...\n", "type octile\nheight x\nwidth 3\nmap\n"]
    {
        assert!(Terrain::from_text(bad, Cell::default()).is_err(), "{bad}");
    }
}

#[test]
fn saved_bytes_come_back() {
    let mut map = map();
    map.fill_solid(CellRect::new(0, 0, 2, 2), true);
    map.fill_terrain(CellRect::new(1, 1, 2, 2), 3).unwrap();
    map.fill_weight(CellRect::new(-3, -2, 1, 1), 4.5).unwrap();
    map.fill_one_way(CellRect::new(-3, -2, 3, 1), true);
    let bytes = map.to_bytes();
    let back = Terrain::from_bytes(&bytes).unwrap();
    assert_eq!(back.state_hash(), map.state_hash());
    assert_eq!((back.solid(), back.ids(), back.weights()), (map.solid(), map.ids(), map.weights()));
    assert_eq!(back.one_way(), map.one_way());
    for cut in 0..bytes.len() {
        assert!(Terrain::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    let mut more = bytes.clone();
    more.push(0);
    assert!(Terrain::from_bytes(&more).is_err());
    let before = map.state_hash();
    map.fill_solid(CellRect::new(4, 3, 1, 1), true);
    assert_ne!(map.state_hash(), before);
    let before = map.state_hash();
    map.fill_one_way(CellRect::new(4, 3, 1, 1), true);
    assert_ne!(map.state_hash(), before);
}

#[test]
fn bulk_data_round_trips_and_is_checked_before_it_is_used() {
    let mut map = map();
    let mut solid = vec![0_u8; 48];
    solid[9] = 7;
    assert_eq!(map.set_solid_data(&solid).unwrap(), Some(CellRect::new(-2, -1, 1, 1)));
    solid[9] = 1;
    assert_eq!(map.solid_data(), solid);
    assert!(map.set_solid_data(&solid[1..]).is_err());
    let mut ids = vec![0_u8; 48];
    ids[47] = 32;
    assert!(map.set_terrain_data(&ids).is_err());
    assert!(map.ids().is_none());
    ids[47] = 31;
    assert_eq!(map.set_terrain_data(&ids).unwrap(), Some(CellRect::new(4, 3, 1, 1)));
    assert_eq!(map.terrain_data(), ids);
    let mut weights = vec![1.0_f32; 48];
    weights[0] = f32::INFINITY;
    assert!(map.set_weight_data(&weights).is_err());
    weights[0] = 2.5;
    assert_eq!(map.set_weight_data(&weights).unwrap(), Some(CellRect::new(-3, -2, 1, 1)));
    assert_eq!(map.weight_data(), weights);
}

#[test]
fn the_journal_tells_what_changed_since_a_revision() {
    let mut map = map();
    map.fill_solid(CellRect::new(0, 0, 1, 1), true);
    let seen = map.revision();
    map.fill_weight(CellRect::new(1, 1, 1, 1), 2.0).unwrap();
    let entries: Vec<_> = map.journal().since(seen).unwrap().collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].change, Change::WEIGHT);
    assert_eq!(map.journal().since(map.revision()).unwrap().count(), 0);
    for k in 0..2000 {
        map.fill_solid(CellRect::new(k % 8 - 3, k % 6 - 2, 1, 1), k % 5 < 3);
    }
    assert!(map.journal().since(seen).is_none_or(|entries| entries.count() > 0));
}

#[test]
fn an_edit_of_the_whole_map_does_not_swallow_the_small_ones_after_it() {
    let mut map = Terrain::new(CellRect::new(0, 0, 100, 100)).unwrap();
    map.fill_solid(map.region(), true);
    let seen = map.revision();
    map.fill_solid(CellRect::new(50, 50, 1, 1), false);
    let areas: Vec<_> = map.journal().since(seen).unwrap().map(|entry| entry.rect.area()).collect();
    assert_eq!(areas, [1]);
}

#[test]
fn polygons_open_the_cells_that_they_overlap() {
    let mut map = map();
    map.fill_solid(CellRect::new(0, 0, 2, 1), true);
    let square = |x: f64, y: f64| vec![vec![[x, y], [x + 2.0, y], [x + 2.0, y + 1.0], [x, y + 1.0]]];
    let (slow, fast) = (square(0.0, 0.0), square(1.0, 0.0));
    let parts = [(slow.as_slice(), 3.0), (fast.as_slice(), 0.5)];
    let open = open_cells(parts.into_iter(), map.region());
    assert_eq!(map.set_open(&open).unwrap(), Some(map.region()));
    let opened: Vec<_> = map.region().cells().filter(|&cell| !map.is_solid(cell)).collect();
    assert_eq!(opened, [Cell::new(0, 0), Cell::new(1, 0), Cell::new(2, 0)]);
    assert_eq!(opened.iter().map(|&cell| map.weight(cell)).collect::<Vec<_>>(), [3.0, 0.5, 0.5]);
    assert_eq!(map.set_open(&open).unwrap(), None, "nothing has changed");
}

#[test]
fn few_and_many_cells_are_set_alike() {
    let region = CellRect::new(-3, -2, 40, 30);
    let rock = CellData { solid: true, terrain: 4, ..CellData::default() };
    let cells: Vec<_> = CellRect::new(-5, 1, 20, 15).cells().map(|cell| (cell, rock)).collect();
    let (mut at_once, mut in_parts) = (Terrain::new(region).unwrap(), Terrain::new(region).unwrap());
    assert_eq!(at_once.set_some_cells(&cells).unwrap(), Some(CellRect::new(-3, 1, 18, 15)));
    for part in cells.chunks(100) {
        in_parts.set_some_cells(part).unwrap();
    }
    assert_eq!(at_once.state_hash(), in_parts.state_hash());
    assert_eq!(at_once.set_some_cells(&cells[..10]).unwrap(), None);
}

#[test]
fn cells_change_in_the_edges_that_are_named() {
    let region = CellRect::new(0, 0, 40, 30);
    let mut map = Terrain::new(region).unwrap();
    let cell = Cell::new(4, 4);
    map.fill_edges(CellRect::cell(cell), Side::Left, true, true);
    let was = CellData { edges: 1, ..CellData::default() };
    let is = CellData { edges: 4, solid: true, ..CellData::default() };
    assert_eq!(CellChange::between(cell, was, was), None);
    let change = CellChange::between(cell, was, is).unwrap();
    assert_eq!((change.only_edges, change.sides), (false, 5));
    let only_edges = CellChange { only_edges: true, sides: 4, ..change };
    let (mut few, mut many) = (map.clone(), map.clone());
    few.change_cells(&[only_edges]).unwrap();
    assert_eq!(few.cell(cell), CellData { edges: 5, ..CellData::default() }, "others stay");
    many.change_cells(&vec![only_edges; 300]).unwrap();
    assert_eq!(few.state_hash(), many.state_hash());
    few.change_cells(&[change]).unwrap();
    assert_eq!(few.cell(cell), is);
}
