//! Maps drawn as pictures: one pixel a cell, by a rule for each colour.

use std::collections::HashMap;

use godot::classes::Image;
use godot::classes::image::Format;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::{CellData, Terrain};

use super::PathForgeGrid;
use crate::errors::reported;
use crate::state;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Replaces all cells by the pixels of `image`. The region takes the picture's size and keeps its position.
    ///
    /// `rules` says what a colour means: its keys are colours, each as `Color` or as text like `"#4a86c4"` or `"black"`;
    /// its values are dictionaries with any of the keys `solid`, `terrain` and `weight`. What is left out is open, of
    /// terrain 0 and weight 1. A colour without a rule is an error, and nothing changes.
    ///
    /// ```gdscript
    /// grid.set_from_image(load("res://island.png").get_image(), {
    ///     Color.BLACK: {"solid": true},
    ///     Color.WHITE: {},
    ///     "#4a86c4": {"terrain": WATER},
    ///     "#b07030": {"weight": 3.0},
    /// })
    /// ```
    #[func(gd_self)]
    fn set_from_image(this: Gd<Self>, image: Option<Gd<Image>>, rules: VarDictionary) {
        let region = state::of(&this).lock().world.terrain().region();
        let drawn = read_rules(&rules).and_then(|rules| draw(image, &rules, region));
        if let Some(terrain) = reported("PathForgeGrid.set_from_image", drawn) {
            Self::replace(this, terrain);
        }
    }
}

/// What a colour of four bytes means.
type Rules = HashMap<[u8; 4], CellData>;

fn read_rules(rules: &VarDictionary) -> Result<Rules, String> {
    let mut read = Rules::new();
    for (key, value) in rules.iter_shared() {
        let color = read_color(&key).ok_or_else(|| format!("rules: {key} is not a colour"))?;
        let rule = value.try_to::<VarDictionary>().map_err(|_| {
            format!("rules[{key}] is {value}, not a dictionary with solid, terrain or weight")
        })?;
        read.insert(color, read_rule(&key, &rule)?);
    }
    Ok(read)
}

fn read_color(key: &Variant) -> Option<[u8; 4]> {
    let color = key.try_to::<Color>().ok().or_else(|| {
        let text = key.try_to::<GString>().ok()?.to_string();
        Color::from_html(text.as_str()).or_else(|| Color::from_string(text.as_str()))
    })?;
    Some([color.r8(), color.g8(), color.b8(), color.a8()])
}

fn read_rule(color: &Variant, rule: &VarDictionary) -> Result<CellData, String> {
    let mut data = CellData { solid: false, terrain: 0, weight: 1.0 };
    for (key, value) in rule.iter_shared() {
        let bad = || format!("rules[{color}]: {key} cannot be {value}");
        match key.to_string().as_str() {
            "solid" => data.solid = value.try_to().map_err(|_| bad())?,
            // The core checks the range of both.
            "terrain" => {
                let id: i64 = value.try_to().map_err(|_| bad())?;
                data.terrain = u8::try_from(id).map_err(|_| bad())?;
            }
            "weight" => {
                let whole = value.try_to::<i64>().map(|weight| weight as f32);
                data.weight = value.try_to::<f32>().or(whole).map_err(|_| bad())?;
            }
            _ => return Err(format!("rules[{color}]: {key} is not solid, terrain or weight")),
        }
    }
    Ok(data)
}

fn draw(image: Option<Gd<Image>>, rules: &Rules, region: CellRect) -> Result<Terrain, String> {
    let pixels = rgba(image).ok_or("there is no image, or it has no pixels that can be read")?;
    let (w, h) = (pixels.get_width(), pixels.get_height());
    let mut terrain = Terrain::new(CellRect { w, h, ..region }).map_err(|problem| problem.to_string())?;
    let data = pixels.get_data();
    let mut cells = Vec::with_capacity((w * h) as usize);
    for (place, pixel) in (0_i32..).zip(data.as_slice().as_chunks::<4>().0) {
        let cell = rules.get(pixel).ok_or_else(|| {
            let [r, g, b, a] = pixel;
            format!(
                "pixel ({}, {}) is #{r:02x}{g:02x}{b:02x}{a:02x}, which has no rule",
                place % w,
                place / w
            )
        })?;
        cells.push(*cell);
    }
    let solid: Vec<u8> = cells.iter().map(|cell| u8::from(cell.solid)).collect();
    let ids: Vec<u8> = cells.iter().map(|cell| cell.terrain).collect();
    let weights: Vec<f32> = cells.iter().map(|cell| cell.weight).collect();
    terrain
        .set_solid_data(&solid)
        .and_then(|_| terrain.set_terrain_data(&ids))
        .and_then(|_| terrain.set_weight_data(&weights))
        .map_err(|problem| problem.to_string())?;
    Ok(terrain)
}

/// A copy of the picture with four bytes a pixel.
fn rgba(image: Option<Gd<Image>>) -> Option<Gd<Image>> {
    let image = image.filter(|image| !image.is_empty())?;
    let mut copy = Image::new_gd();
    copy.copy_from(&image);
    if copy.is_compressed() && copy.decompress() != godot::global::Error::OK {
        return None;
    }
    copy.clear_mipmaps();
    copy.convert(Format::RGBA8);
    Some(copy)
}
