//! Maps drawn as pictures: one pixel a cell, by the meaning of each colour.

use std::collections::HashMap;

use godot::classes::Image;
use godot::classes::image::Format;
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect, Side};
use pathforge_core::terrain::{CellData, Terrain};

use super::PathForgeGrid;
use crate::engine::errors::reported;
use crate::engine::state;
use crate::map::tile_rules::PathForgeTileRules;
use crate::script::convert;
use crate::script::given::given;

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Replaces all cells by the pixels of `image`. The region takes the picture's size and keeps its
    /// position.
    ///
    /// The colours of `rules` say what a pixel means: [member PathForgeTileRules.solid_colors], [member
    /// PathForgeTileRules.one_way_colors], [member PathForgeTileRules.terrain_colors] and [member
    /// PathForgeTileRules.weight_colors]. A colour may be in several of them; what it is not in leaves the
    /// cell open, of terrain 0 and weight 1. A colour that is in none is an error, and nothing changes.
    ///
    /// With [member PathForgeTileRules.edge_colors] there are pixels of edges between those of cells, as in the
    /// drawings of [method set_from_text].
    ///
    /// ```gdscript
    /// var rules := PathForgeTileRules.new()
    /// rules.solid_colors = [Color.BLACK]
    /// rules.terrain_colors = {Color.WHITE: 0, Color("#4a86c4"): WATER}
    /// rules.weight_colors = {Color("#b07030"): 3.0}
    /// grid.set_from_image(load("res://island.png").get_image(), rules)
    /// ```
    #[func(gd_self)]
    fn set_from_image(this: Gd<Self>, image: Option<Gd<Image>>, rules: Option<Gd<PathForgeTileRules>>) {
        let region = state::of(&this).lock().world.terrain().region();
        let colors = rules
            .ok_or_else(|| "rules is null".to_owned())
            .and_then(|mut rules| Colors::of(&rules.bind_mut()));
        let drawn = colors.and_then(|colors| draw(image, &colors, region));
        if let Some(terrain) = reported("PathForgeGrid.set_from_image", drawn) {
            Self::replace(this, terrain);
        }
    }
}

/// What a colour of four bytes means.
#[derive(Default)]
struct Colors {
    cells: HashMap<[u8; 4], CellData>,
    /// Blocked edges; with any, pictures have pixels for edges.
    edges: Vec<[u8; 4]>,
}

impl Colors {
    fn of(rules: &PathForgeTileRules) -> Result<Self, String> {
        let mut colors = Self::default();
        rules.solids.iter_shared().for_each(|color| colors.cell(color).solid = true);
        rules.one_ways.iter_shared().for_each(|color| colors.cell(color).one_way = true);
        for (color, id) in rules.terrains.iter_shared() {
            let name = format!("rules.terrain_colors[{color}]");
            colors.cell(color).terrain = given(name, id).within(0..=convert::TERRAIN_MAX)? as u8;
        }
        for (color, weight) in rules.weights.iter_shared() {
            let name = format!("rules.weight_colors[{color}]");
            let weight = given(name.clone(), weight).at_least_zero()? as f32;
            colors.cell(color).weight =
                convert::imported_weight("PathForgeGrid.set_from_image", name, weight);
        }
        colors.edges = rules.edges.iter_shared().map(bytes_of).collect();
        Ok(colors)
    }

    fn cell(&mut self, color: Color) -> &mut CellData {
        self.cells.entry(bytes_of(color)).or_default()
    }
}

fn bytes_of(color: Color) -> [u8; 4] {
    [color.r8(), color.g8(), color.b8(), color.a8()]
}

fn draw(image: Option<Gd<Image>>, colors: &Colors, region: CellRect) -> Result<Terrain, String> {
    let pixels = rgba(image).ok_or("there is no image, or it has no pixels that can be read")?;
    let (width, height) = (pixels.get_width(), pixels.get_height());
    let data = pixels.get_data();
    let pixels = data.as_slice().as_chunks::<4>().0;
    let pixel = |x: i32, y: i32| pixels[(y * width + x) as usize];
    // From cells to their pixels: one beside the other, or with edges between them.
    let (w, h, step, first) = match colors.edges[..] {
        [] => (width, height, 1, 0),
        _ if width % 2 == 1 && height % 2 == 1 && width.min(height) >= 3 => (width / 2, height / 2, 2, 1),
        _ => {
            return Err(format!(
                "an image with rules.edge_colors has odd numbers of columns and rows from 3 on; it has {width} and \
                 {height}"
            ));
        }
    };
    let mut terrain = Terrain::new(CellRect { w, h, ..region }).map_err(|problem| problem.to_string())?;
    let mut cells = Vec::with_capacity((w * h) as usize);
    for cell in CellRect::new(0, 0, w, h).cells() {
        let (x, y) = (cell.x * step + first, cell.y * step + first);
        let mut drawn = *colors.cells.get(&pixel(x, y)).ok_or_else(|| {
            let [r, g, b, a] = pixel(x, y);
            format!("pixel ({x}, {y}) is #{r:02x}{g:02x}{b:02x}{a:02x}, which no rule names")
        })?;
        if !colors.edges.is_empty() {
            for side in Side::ALL {
                let at = side.beyond(Cell::new(x, y));
                drawn.edges |= u8::from(colors.edges.contains(&pixel(at.x, at.y))) << side as u8;
            }
        }
        cells.push(drawn);
    }
    terrain.set_cells(&cells).map_err(|problem| problem.to_string())?;
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
