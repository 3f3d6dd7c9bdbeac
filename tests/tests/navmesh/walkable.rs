//! Cells hang together as the polygons of a bake do, or it is told where not.

use std::collections::{HashMap, HashSet};

use pathforge_core::geometry::{
    Cell, CellRect, Facet, Ground, cells_around, ground_of, joined_islands, open_cells,
};
use pathforge_core::terrain::Terrain;
use pathforge_navmesh::{BakeSettings, Corner, NavMesh, bake};
use pathforge_tests::rng::{Rng, seeds};

use crate::level::{Level, Polygon, number};

/// Area that may be left out, in cells: corners are put onto lines between cells that are a 5000th near.
const NO_AREA: f64 = 2.5e-4;

/// The polygons of a bake in cells of `side` pixels.
fn polygons_of(mesh: &NavMesh, side: f64) -> Vec<Polygon> {
    let corner = |&at: &u32| mesh.vertices()[at as usize].map(|v| f64::from(v) / side);
    mesh.polygons().map(|polygon| polygon.iter().map(corner).collect()).collect()
}

/// The number of the island of each polygon. Polygons that have a side in common, by the numbers of its ends,
/// are of one island.
fn islands_of(mesh: &NavMesh) -> Vec<usize> {
    let polygons: Vec<Vec<u32>> = mesh.polygons().map(<[u32]>::to_vec).collect();
    let mut by_side: HashMap<[u32; 2], Vec<usize>> = HashMap::new();
    for (number, polygon) in polygons.iter().enumerate() {
        for (i, &a) in polygon.iter().enumerate() {
            let b = polygon[(i + 1) % polygon.len()];
            by_side.entry([a.min(b), a.max(b)]).or_default().push(number);
        }
    }
    let next = |number: usize| {
        let polygon = &polygons[number];
        let ends = (0..polygon.len()).map(|i| (polygon[i], polygon[(i + 1) % polygon.len()]));
        ends.flat_map(|(a, b)| by_side[&[a.min(b), a.max(b)]].clone()).collect()
    };
    flooded(0..polygons.len(), next)
}

/// A number for each of `all`, the same for members that can be reached from each other.
fn flooded(all: std::ops::Range<usize>, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut numbers = vec![usize::MAX; all.len()];
    for first in all {
        let mut open = vec![first];
        while let Some(at) = open.pop() {
            if numbers[at] == usize::MAX {
                numbers[at] = first;
                open.extend(next(at));
            }
        }
    }
    numbers
}

/// The area of the part of a convex polygon that lies in a cell: it is cut at the cell's four sides.
fn area_in_cell(polygon: &[[f64; 2]], cell: Cell) -> f64 {
    let mut part = polygon.to_vec();
    for (axis, at) in [(0, f64::from(cell.x)), (1, f64::from(cell.y))] {
        for (limit, sign) in [(at, 1.0), (at + 1.0, -1.0)] {
            let mut cut = Vec::new();
            for (i, &a) in part.iter().enumerate() {
                let b = part[(i + 1) % part.len()];
                let [da, db] = [a, b].map(|c| sign * (c[axis] - limit));
                if da >= 0.0 {
                    cut.push(a);
                }
                if da * db < 0.0 {
                    cut.push([0, 1].map(|k| a[k] + (b[k] - a[k]) * da / (da - db)));
                }
            }
            part = cut;
        }
    }
    let doubled = (0..part.len()).map(|i| {
        let (a, b) = (part[i], part[(i + 1) % part.len()]);
        a[0] * b[1] - a[1] * b[0]
    });
    doubled.sum::<f64>().abs() / 2.0
}

/// What ground in space makes of polygons that all lie at height 7.
fn flat_ground(polygons: &[Polygon], region: CellRect) -> Ground {
    let facet = |polygon: &Polygon| {
        let corners: Vec<_> = polygon.iter().map(|&[x, y]| [x, y, 7.0]).collect();
        Facet::new(&corners, [f64::NEG_INFINITY, f64::INFINITY], 0.25)
    };
    ground_of(&polygons.iter().filter_map(facet).collect::<Vec<_>>(), region)
}

#[test]
fn cells_are_connected_as_polygons_are_or_it_is_told() {
    let (mut told, mut kept) = (0, 0);
    for seed in seeds(92, 300) {
        let mut rng = Rng::new(seed);
        let tiles = rng.int(2..14);
        let (floor, colliders) = Level::random(&mut rng, tiles).sets();
        let half = [0, 1].map(|_| number(&mut rng, 0.0, 7.9));
        let corner = rng.pick(&[Corner::Box, Corner::Round]);
        let mesh = bake(&floor, &colliders, &BakeSettings::new(half, corner).unwrap());
        if mesh.is_empty() {
            continue;
        }
        let side = rng.pick(&[2.0, 4.0, 5.3, 8.0, 16.0, 23.0]);
        let label = format!("seed {seed}: cells of {side} px, {half:?}");
        let (polygons, islands) = (polygons_of(&mesh, side), islands_of(&mesh));
        let region = cells_around(&polygons.iter().flatten());
        let mut terrain = Terrain::new(region).unwrap();
        let open = open_cells([(polygons.as_slice(), 1.0)].into_iter(), region);
        terrain.set_open(&open).unwrap();
        let ground = flat_ground(&polygons, region);
        let is_open = |facets: &[Option<usize>]| facets.iter().map(Option::is_some).collect::<Vec<_>>();
        assert_eq!(is_open(&ground.facets), open.iter().map(Option::is_some).collect::<Vec<_>>(), "{label}");
        let slices: Vec<_> = polygons.iter().map(Vec::as_slice).collect();
        assert_eq!(ground.joined.len(), joined_islands(&slices, region).len(), "{label}: as on the plane");
        assert_eq!((ground.covered, ground.heights), (vec![], vec![7.0; open.len()]), "{label}: flat");

        let cells: Vec<Cell> = region.cells().collect();
        let next = |at: usize| {
            let Cell { x, y } = cells[at];
            let around = [(1, 0), (-1, 0), (0, 1), (0, -1)].map(|(dx, dy)| Cell::new(x + dx, y + dy));
            let is_open = |cell: &Cell| region.contains(*cell) && !terrain.is_solid(*cell);
            around.into_iter().filter(is_open).map(|cell| place_in(region, cell)).collect()
        };
        let components =
            flooded(0..cells.len(), |at| if terrain.is_solid(cells[at]) { vec![] } else { next(at) });

        // The cells of each polygon, and so of each island, are open, and no others.
        let mut covered = vec![0.0; cells.len()];
        let mut components_of: HashMap<usize, HashSet<usize>> = HashMap::new();
        for (polygon, &island) in polygons.iter().zip(&islands) {
            for cell in cells_around(&polygon.iter()).cells().filter(|&cell| region.contains(cell)) {
                let (place, area) = (place_in(region, cell), area_in_cell(polygon, cell));
                covered[place] += area;
                if area > 0.0 && !terrain.is_solid(cell) {
                    components_of.entry(island).or_default().insert(components[place]);
                }
            }
        }
        for (&cell, &area) in cells.iter().zip(&covered) {
            assert!(area <= NO_AREA || !terrain.is_solid(cell), "{label}: {cell:?} is closed");
            assert!(area > 0.0 || terrain.is_solid(cell), "{label}: {cell:?} is open");
        }
        let distinct: HashSet<usize> = components_of.values().flatten().copied().collect();
        assert!(components_of.values().all(|one| one.len() == 1), "{label}: an island is split");
        let slices: Vec<&[[f64; 2]]> = polygons.iter().map(Vec::as_slice).collect();
        let joined = joined_islands(&slices, region);
        let islands: HashSet<usize> = islands.into_iter().collect();
        assert_eq!(joined.len(), islands.len() - distinct.len(), "{label}: {joined:?}");
        told += usize::from(!joined.is_empty());
        kept += usize::from(joined.is_empty() && islands.len() > 1);
    }
    assert!(told > 50 && kept > 50, "{told} joined, {kept} kept apart");
}

fn place_in(region: CellRect, cell: Cell) -> usize {
    (cell.y - region.y) as usize * region.w as usize + (cell.x - region.x) as usize
}
