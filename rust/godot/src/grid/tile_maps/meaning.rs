//! What a kind of tile tells the cells that it lies on.

use godot::classes::TileSet;
use godot::prelude::*;
use pathforge_core::navmesh::{BakeSettings, Corner, PixelRect, PolygonSet, bake_rect};
use pathforge_core::terrain::TERRAIN_IDS;

use super::rules::{CUSTOM, Coverage, OneWay, Rules};
use crate::tile_maps::Tile;

/// Units of area measurement a cell: the core works to 1/64 of one.
const CELL_UNITS: f64 = 64.0;
/// Points as close as this to an edge, in cells, lie on it.
const ON_EDGE: f64 = 1e-5;

/// What a tile tells.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Meaning {
    /// `true` if there is a tile at all: scenes and tiles that the tile set lacks are none.
    pub is_tile: bool,
    /// `true` if custom data make all of its cells solid.
    pub solid: bool,
    /// `true` if custom data make all of its cells one-way.
    pub one_way: bool,
    /// Its terrain; 0 says nothing.
    pub terrain: u8,
    /// Its weight; 0 says nothing.
    pub weight: f32,
    /// The cells that its polygons count for.
    pub covered: Vec<Covered>,
}

/// A cell that a tile's polygons count for, from the tile's first cell; outside of the tile too.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Covered {
    pub dx: i32,
    pub dy: i32,
    pub solid: bool,
    pub one_way: bool,
    pub floor: bool,
}

/// Reads what tiles mean.
pub struct MeaningReader<'a> {
    rules: &'a Rules,
    terrain_names: &'a PackedStringArray,
    /// From a tile's pixels to cells.
    to_cells: Transform2D,
    /// Cells a tile, across and down.
    span: [i32; 2],
    physics_layers: i32,
    navigation: Option<i32>,
    custom: [Option<i32>; 4],
}

impl<'a> MeaningReader<'a> {
    /// A reader of one tile set's tiles. `to_cells` turns the layer's pixels into cells.
    pub fn new(
        rules: &'a Rules,
        terrain_names: &'a PackedStringArray,
        tile_set: &Gd<TileSet>,
        to_cells: Transform2D,
        span: [i32; 2],
    ) -> Self {
        let custom = |name: &Option<String>| {
            let index = tile_set.get_custom_data_layer_by_name(name.as_deref()?);
            (index >= 0).then_some(index)
        };
        let navigation_layers = tile_set.get_navigation_layers_count();
        Self {
            rules,
            terrain_names,
            to_cells,
            span,
            physics_layers: tile_set.get_physics_layers_count(),
            navigation: rules.navigation.filter(|layer| *layer < navigation_layers),
            custom: rules.custom.each_ref().map(custom),
        }
    }

    /// What a tile means.
    pub fn read(&self, tile: Option<&Tile>) -> Result<Meaning, String> {
        let Some(tile) = tile else { return Ok(Meaning::default()) };
        let mut meaning = Meaning { is_tile: true, ..Meaning::default() };
        self.read_custom(tile, &mut meaning)?;
        let Rules { coverage, one_way, .. } = *self.rules;
        for physics_layer in (0..self.physics_layers).filter(|&layer| self.rules.has_physics_layer(layer)) {
            let (mut solid, mut carrying) = (Vec::new(), Vec::new());
            for polygon in tile.collision(physics_layer) {
                let corners = self.in_cells(&polygon.corners);
                match one_way {
                    OneWay::Cells if polygon.is_one_way => carrying.push(corners),
                    OneWay::Ignored if polygon.is_one_way => {}
                    _ => solid.push(corners),
                }
            }
            for [dx, dy] in covered(&solid, coverage) {
                meaning.cell(dx, dy).solid = true;
            }
            // One-way polygons are as thin as a plank.
            for [dx, dy] in covered(&carrying, Coverage::ANY) {
                meaning.cell(dx, dy).one_way = true;
            }
        }
        if let Some(layer) = self.navigation {
            let polygons: Vec<_> = tile.navigation(layer).iter().map(|p| self.in_cells(p)).collect();
            for [dx, dy] in covered(&polygons, coverage) {
                meaning.cell(dx, dy).floor = true;
            }
        }
        Ok(meaning)
    }

    fn in_cells(&self, corners: &[Vector2]) -> Vec<[f64; 2]> {
        let [w, h] = self.span.map(|n| f64::from(n) / 2.0);
        let place = |corner: &Vector2| {
            let cell = self.to_cells.basis_xform(*corner);
            [f64::from(cell.x) + w, f64::from(cell.y) + h]
        };
        corners.iter().map(place).collect()
    }

    fn read_custom(&self, tile: &Tile, meaning: &mut Meaning) -> Result<(), String> {
        let bad = |place: usize, value: &Variant, wanted: &str| {
            let name = self.rules.custom[place].as_deref().unwrap_or(CUSTOM[place]);
            format!("{}: its custom data {name} is {value}, not {wanted}", tile.name())
        };
        let value = |place: usize| {
            let value = tile.custom(self.custom[place]?);
            (!value.is_nil()).then_some(value)
        };
        let flag = |place: usize| {
            let Some(value) = value(place) else { return Ok(false) };
            let number = value.try_to::<bool>().or_else(|_| value.try_to::<i64>().map(|n| n != 0));
            number.map_err(|_| bad(place, &value, "true or false"))
        };
        meaning.solid = flag(0)?;
        meaning.one_way = flag(3)?;
        if let Some(value) = value(1) {
            let id = self.terrain_id(&value);
            meaning.terrain =
                id.ok_or_else(|| bad(1, &value, "an id from 0 to 31 or one of the grid's terrain_names"))?;
        }
        if let Some(value) = value(2) {
            let number = value.try_to::<f64>().or_else(|_| value.try_to::<i64>().map(|n| n as f64)).ok();
            let weight = number.map(|w| w as f32).filter(|w| w.is_finite() && *w >= 0.0);
            meaning.weight = weight.ok_or_else(|| bad(2, &value, "a finite number of 0 or more"))?;
        }
        Ok(())
    }

    fn terrain_id(&self, value: &Variant) -> Option<u8> {
        if let Ok(id) = value.try_to::<i64>() {
            return u8::try_from(id).ok().filter(|&id| u32::from(id) < TERRAIN_IDS);
        }
        let name = value.try_to::<GString>().ok()?;
        if name.is_empty() {
            return Some(0);
        }
        self.terrain_names.as_slice().iter().position(|known| *known == name).map(|id| id as u8)
    }
}

impl Meaning {
    fn cell(&mut self, dx: i32, dy: i32) -> &mut Covered {
        let known = self.covered.iter().position(|cell| cell.dx == dx && cell.dy == dy);
        let index = known.unwrap_or_else(|| {
            self.covered.push(Covered { dx, dy, solid: false, one_way: false, floor: false });
            self.covered.len() - 1
        });
        &mut self.covered[index]
    }
}

/// The cells that polygons in cell space cover.
fn covered(polygons: &[Vec<[f64; 2]>], coverage: Coverage) -> Vec<[i32; 2]> {
    let corners = || polygons.iter().flatten().filter(|corner| corner.iter().all(|c| c.abs() < 1e6));
    let low = |axis: usize| corners().map(|c| c[axis]).fold(f64::INFINITY, f64::min).floor();
    let high = |axis: usize| corners().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max).ceil();
    if corners().count() < 3 {
        return Vec::new();
    }
    let (xs, ys) = (low(0) as i32..high(0) as i32, low(1) as i32..high(1) as i32);
    let cells = ys.flat_map(|y| xs.clone().map(move |x| [x, y]));
    match coverage {
        Coverage::Center => cells
            .filter(|&[x, y]| {
                let center = [f64::from(x) + 0.5, f64::from(y) + 0.5];
                polygons.iter().any(|polygon| holds(polygon, center))
            })
            .collect(),
        Coverage::Share(wanted) => {
            let mut set = PolygonSet::new();
            for polygon in polygons {
                // What is no polygon, or lies too far out, covers nothing.
                let _ = set.push(&polygon.iter().map(|c| c.map(|v| v * CELL_UNITS)).collect::<Vec<_>>());
            }
            cells.filter(|&[x, y]| Coverage::is_met(share_of(&set, x, y), wanted)).collect()
        }
    }
}

/// The share of a cell that a union of polygons covers.
fn share_of(set: &PolygonSet, x: i32, y: i32) -> f64 {
    let Ok(point) = BakeSettings::new([0.0, 0.0], Corner::Box) else { return 0.0 };
    let cell = PixelRect::new(f64::from(x) * CELL_UNITS, f64::from(y) * CELL_UNITS, CELL_UNITS, CELL_UNITS);
    let mesh = bake_rect(set, &PolygonSet::new(), &point, cell);
    mesh.map_or(0.0, |mesh| mesh.area_px() / (CELL_UNITS * CELL_UNITS))
}

/// Returns `true` if a point lies in a polygon or on its edge, however the polygon is wound.
fn holds(polygon: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let mut winding = 0;
    let next = polygon.iter().cycle().skip(1);
    for (&[ax, ay], &[bx, by]) in polygon.iter().zip(next) {
        let cross = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        let length = (bx - ax).hypot(by - ay);
        let along = (bx - ax) * (x - ax) + (by - ay) * (y - ay);
        if length > 0.0 && cross.abs() <= ON_EDGE * length && (0.0..=length * length).contains(&along) {
            return true;
        }
        if ay <= y && by > y && cross > 0.0 {
            winding += 1;
        } else if by <= y && ay > y && cross < 0.0 {
            winding -= 1;
        }
    }
    winding != 0
}
