//! What a kind of tile tells the cells that it lies on.

use godot::classes::tile_set::TileShape;
use godot::prelude::*;
use pathforge_core::geometry::Side;
use pathforge_core::terrain::{TERRAIN_IDS, TileMeaning};
use pathforge_navmesh::{Coverage, covered_cells};

use super::rules::{CUSTOM, OneWay, Rules};
use crate::map::tile_maps::{Source, Tile};
use crate::script::convert;

/// Reads what tiles mean.
pub struct MeaningReader<'a> {
    rules: &'a Rules,
    terrain_names: &'a PackedStringArray,
    /// From a tile's pixels to cells.
    to_cells: Transform2D,
    /// Cells a tile, across and down.
    span: [i32; 2],
    physics_layers: i32,
    /// `true` if cells are squares, which can have floors.
    has_floors: bool,
    navigation: Option<i32>,
    custom: [Option<i32>; 6],
}

impl<'a> MeaningReader<'a> {
    /// A reader of one layer's tiles. `to_cells` turns the layer's pixels into cells.
    pub fn new(
        rules: &'a Rules,
        terrain_names: &'a PackedStringArray,
        Source { layer, tile_set }: &Source,
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
            // A layer that collides with nothing has no walls.
            physics_layers: if layer.is_collision_enabled() {
                tile_set.get_physics_layers_count()
            } else {
                0
            },
            has_floors: tile_set.get_tile_shape() == TileShape::SQUARE,
            navigation: rules.navigation.filter(|layer| *layer < navigation_layers),
            custom: rules.custom.each_ref().map(custom),
        }
    }

    /// What a tile means.
    pub fn read(&self, tile: Option<&Tile>) -> Result<TileMeaning, String> {
        let Some(tile) = tile else { return Ok(TileMeaning::default()) };
        let mut meaning = TileMeaning { is_tile: true, ..TileMeaning::default() };
        self.read_custom(tile, &mut meaning)?;
        let Rules { coverage, one_way, .. } = *self.rules;
        let mut all_solid = Vec::new();
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
            for [dx, dy] in covered_cells(&solid, coverage) {
                meaning.cell(dx, dy).solid = true;
            }
            // One-way polygons are as thin as a plank, and only their upper edge carries.
            for polygon in carrying {
                let touched = covered_cells(std::slice::from_ref(&polygon), Coverage::ANY);
                let is_upper = |&&[dx, dy]: &&[i32; 2]| !touched.iter().any(|&[x, y]| x == dx && y < dy);
                for &[dx, dy] in touched.iter().filter(is_upper) {
                    meaning.add_plank(dx, dy, self.has_floors.then_some(&polygon));
                }
            }
            all_solid.append(&mut solid);
        }
        if self.has_floors {
            meaning.add_floors(all_solid);
        }
        if let Some(layer) = self.navigation {
            let polygons: Vec<_> = tile.navigation(layer).iter().map(|p| self.in_cells(p)).collect();
            for [dx, dy] in covered_cells(&polygons, coverage) {
                meaning.cell(dx, dy).navigable = true;
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

    fn read_custom(&self, tile: &Tile, meaning: &mut TileMeaning) -> Result<(), String> {
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
        let sides = |place: usize| {
            let Some(value) = value(place) else { return Ok(0) };
            let wanted = "a number from 0 to 15 with a bit for each side, or sides such as \"left top\"";
            let sides = sides_of(&value).ok_or_else(|| bad(place, &value, wanted))?;
            Ok::<_, String>(self.turned(tile, sides))
        };
        meaning.solid = flag(0)?;
        meaning.one_way = flag(3)?;
        meaning.edges = sides(4)?;
        meaning.one_way_edges = sides(5)?;
        if let Some(value) = value(1) {
            let id = self.terrain_id(&value);
            meaning.terrain =
                id.ok_or_else(|| bad(1, &value, "an id from 0 to 31 or one of the grid's terrain_names"))?;
        }
        if let Some(value) = value(2) {
            let number = value.try_to::<f64>().or_else(|_| value.try_to::<i64>().map(|n| n as f64)).ok();
            let weight = number.map(|w| w as f32).filter(|w| w.is_finite() && *w >= 0.0);
            let weight = weight.ok_or_else(|| bad(2, &value, "a finite number of 0 or more"))?;
            // A tile of weight 0 says nothing.
            let whose = || format!("{}: its weight", tile.name());
            let kept =
                |weight| convert::imported_weight("PathForgeGrid.import_tile_map_layers", whose(), weight);
            meaning.weight = if weight > 0.0 { kept(weight) } else { weight };
        }
        Ok(())
    }

    /// The sides of the grid's cells that sides of a tile are, as its cell turns and mirrors it.
    fn turned(&self, tile: &Tile, sides: u8) -> u8 {
        let to_pixels = self.to_cells.affine_inverse();
        let bits = Side::ALL.into_iter().filter(|&side| sides >> side as u8 & 1 == 1).map(|side| {
            let (dx, dy) = (side.direction().dx() as f32, side.direction().dy() as f32);
            let turned = tile.turned(to_pixels.basis_xform(Vector2::new(dx, dy)));
            let Vector2 { x, y } = self.to_cells.basis_xform(turned);
            // Tiles that are not square are turned out of the axes of cells.
            let turned = match (x.abs() > y.abs(), if x.abs() > y.abs() { x < 0.0 } else { y < 0.0 }) {
                (true, true) => Side::Left,
                (false, true) => Side::Top,
                (true, false) => Side::Right,
                (false, false) => Side::Bottom,
            };
            1 << turned as u8
        });
        bits.fold(0, |sides, bit: u8| sides | bit)
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

/// The sides that custom data name, a bit for each by its number.
fn sides_of(value: &Variant) -> Option<u8> {
    if let Ok(bits) = value.try_to::<i64>() {
        return u8::try_from(bits).ok().filter(|bits| bits >> Side::ALL.len() == 0);
    }
    let text = value.try_to::<GString>().ok()?.to_string();
    let words = text.split([' ', ',']).filter(|word| !word.is_empty());
    let bits = words.map(|word| match word {
        "left" => Some(1 << Side::Left as u8),
        "top" => Some(1 << Side::Top as u8),
        "right" => Some(1 << Side::Right as u8),
        "bottom" => Some(1 << Side::Bottom as u8),
        "all" => Some(15),
        _ => None,
    });
    bits.reduce(|sides, bit| Some(sides? | bit?)).unwrap_or(Some(0))
}
