//! An import: the items of a map at one moment, and what they tell each cell.

use std::collections::HashMap;

use godot::classes::{GridMap, MeshLibrary};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::items::{Form, Kind, Layout, Placement, Role, Slice, Told, differing, tell};
use pathforge_core::terrain::{CellData, check_region};

use super::forms::FormBuilder;
use super::rules::Rules;
use crate::map::space::PathForgeSpace3D;

/// Places of the map fit onto cells to this precision, in cells.
const FIT_TOLERANCE: f32 = 1e-2;
/// Cells from a place to the next, at most.
const STEP_MAX: f32 = 64.0;
/// Cells that an item covers, at most.
const ITEM_CELLS_MAX: u64 = 1 << 16;
/// Kinds of items, turned ones apart, at most: as many as there are numbers.
const KINDS_MAX: usize = 1 << 16;
/// Numbers of 32 bits for each item in the map's own data: its place in two, and which it is.
const WORDS: usize = 3;

/// What was imported, from where, by which rules.
pub struct Import {
    pub map: InstanceId,
    library: InstanceId,
    frame: Frame,
    pub rules: Rules,
    pub region: CellRect,
    /// `true` if the import has set the region, to hold all places with items.
    pub took_region: bool,
    numbers: HashMap<ItemKey, u16>,
    kinds: Vec<Kind>,
    placed: Vec<Placement>,
    told: Told,
}

/// Which item, turned how.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ItemKey {
    item: i32,
    orientation: i32,
}

/// What differs from an import before.
pub struct Changes {
    pub cells: Vec<(Cell, CellData)>,
    /// The cells whose heights are others, and the heights in the smallest rectangle of them, no number where
    /// they are the same.
    pub heights: (CellRect, Vec<f32>),
}

/// How a map lies on the cells of a space.
#[derive(Clone, Copy, PartialEq)]
struct Frame {
    layout: Layout,
    /// Between which heights floors are ground of the storey.
    storey: [f32; 2],
    /// From directions in the map to cells and heights.
    to_cells: Basis,
    cell_size: Vector3,
    /// Where an item's origin is in its place.
    center: Vector3,
    scale: f32,
}

impl Frame {
    fn of(map: &Gd<GridMap>, to_space: Transform3D, space: &PathForgeSpace3D) -> Result<Self, String> {
        let [width, depth] = space.ground().cell_size;
        let cell_size = map.get_cell_size();
        let place = |at: Vector3| Vector3::new(at.x / width, at.y, at.z / depth);
        let Basis { rows: [x, y, z] } = to_space.basis;
        let to_cells = Basis { rows: [x / width, y, z / depth] };
        let step = |axis: Vector3| to_cells * (axis * cell_size);
        let (x, y, z) = (step(Vector3::RIGHT), step(Vector3::UP), step(Vector3::BACK));
        let origin = place(to_space.origin);
        if !(to_space.is_finite() && cell_size.is_finite()) || x.x * z.z - x.z * z.x == 0.0 || y.y == 0.0 {
            return Err(format!("the map is scaled by zero, or not finite: {to_space}"));
        }
        if [x.y, z.y, y.x, y.z].iter().any(|part| part.abs() > FIT_TOLERANCE) {
            return Err(
                "the map is tilted against the space: its y axis has to be that of the space".to_owned()
            );
        }
        let is_whole = |value: f32| (value - value.round()).abs() <= FIT_TOLERANCE;
        let steps = [x.x, x.z, z.x, z.z];
        let fits = steps.into_iter().chain([origin.x, origin.z]).all(is_whole)
            && steps.into_iter().all(|step| step.abs() <= STEP_MAX + 0.5)
            && origin.x.abs().max(origin.z.abs()) < 1e6;
        if !fits {
            let [across, down] = [x.x.hypot(x.z), z.x.hypot(z.z)];
            return Err(format!(
                "the map does not lie on the space's cells: a place of it takes {across:.3} × {down:.3} cells from \
                 ({:.3}, {:.3}) on; the sides have to be 1 to {STEP_MAX} whole cells, turned by right angles, and the corner that of a cell",
                origin.x, origin.z
            ));
        }
        let whole = |value: f32| value.round() as i32;
        let layout = Layout {
            origin: Cell::new(whole(origin.x), whole(origin.z)),
            x_step: [whole(x.x), whole(x.z)],
            z_step: [whole(z.x), whole(z.z)],
            base: origin.y,
            level_height: y.y,
        };
        let center = map.map_to_local(Vector3i::ZERO);
        let storey = space.within_storey([f64::NEG_INFINITY, f64::INFINITY]).map(|height| height as f32);
        Ok(Self { layout, storey, to_cells, cell_size, center, scale: map.get_cell_scale() })
    }

    /// The cells of a place of the map.
    fn cells(&self, x: i16, z: i16) -> CellRect {
        let corners = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .map(|(dx, dz)| self.layout.first(i32::from(x) + dx, i32::from(z) + dz));
        let [left, right] = [i32::min, i32::max].map(|of| corners.iter().map(|cell| cell.x).reduce(of));
        let [top, bottom] = [i32::min, i32::max].map(|of| corners.iter().map(|cell| cell.y).reduce(of));
        let (left, top) = (left.unwrap_or(0), top.unwrap_or(0));
        CellRect::new(left, top, right.unwrap_or(0) - left, bottom.unwrap_or(0) - top)
    }
}

impl Import {
    /// Reads a map. Without a region to keep, the region becomes the smallest that holds all places with
    /// items.
    pub fn read(
        map: &Gd<GridMap>,
        rules: Rules,
        space: &PathForgeSpace3D,
        to_space: Transform3D,
        kept: Option<CellRect>,
    ) -> Result<Self, String> {
        let library = library(map)?;
        let names: Vec<GString> =
            library.get_item_list().as_slice().iter().map(|&item| library.get_item_name(item)).collect();
        rules.check_names(&names)?;
        let frame = Frame::of(map, to_space, space)?;
        let mut import = Self {
            map: map.instance_id(),
            library: library.instance_id(),
            frame,
            rules,
            region: CellRect::default(),
            took_region: kept.is_none(),
            numbers: HashMap::new(),
            kinds: Vec::new(),
            placed: Vec::new(),
            told: Told { cells: Vec::new(), heights: Vec::new() },
        };
        import.placed = import.read_all(map)?;
        let used = import.placed.iter().map(|item| frame.cells(item.x, item.z));
        import.region = kept.unwrap_or_else(|| used.reduce(CellRect::union).unwrap_or_default());
        check_region(import.region).map_err(|problem| problem.to_string())?;
        import.told = import.tell(import.region, space);
        Ok(import)
    }

    /// What items tell each cell of the region.
    pub const fn told(&self) -> &Told {
        &self.told
    }

    /// What is said of an import that tells cells nothing.
    pub fn silence(&self) -> Option<String> {
        if self.placed.is_empty() {
            let [lowest, highest] = self.rules.levels;
            Some(format!("the map has no items on levels {lowest} to {highest}"))
        } else if self.told.heights.iter().all(|height| height.is_nan()) {
            let solid = if self.rules.empty_solid { ": all cells are solid" } else { "" };
            Some(format!("no item is a floor in the region; see rules.floor_items{solid}"))
        } else {
            None
        }
    }

    /// Reads places of the map again, or all when there are none, and returns what differs. `None` when more
    /// than items has changed.
    pub fn read_again(
        &mut self,
        map: &Gd<GridMap>,
        places: &[Vector3i],
        space: &PathForgeSpace3D,
        to_space: Transform3D,
        region: CellRect,
    ) -> Result<Option<Changes>, String> {
        let frame = Frame::of(map, to_space, space)?;
        if frame != self.frame || region != self.region || library(map)?.instance_id() != self.library {
            return Ok(None);
        }
        let placed = if places.is_empty() { self.read_all(map)? } else { self.read_some(map, places)? };
        let changed = differing(&self.placed, &placed);
        // A step closes a cell for its neighbour's height.
        let around = |item: &Placement| frame.layout.cells(&self.kinds, item).grown(1, 1, 1, 1);
        let within = |item: &Placement| around(item).intersection(region);
        let dirty = changed.iter().map(within).filter(|rect| !rect.is_empty()).reduce(CellRect::union);
        if self.took_region && changed.iter().any(|item| !region.contains_rect(frame.cells(item.x, item.z))) {
            return Ok(None);
        }
        self.placed = placed;
        let mut changes = Changes { cells: Vec::new(), heights: (CellRect::default(), Vec::new()) };
        let Some(dirty) = dirty else { return Ok(Some(changes)) };
        let told = self.tell(dirty, space);
        let mut raised: Vec<(Cell, f32)> = Vec::new();
        for (cell, (data, height)) in dirty.cells().zip(told.cells.into_iter().zip(told.heights)) {
            let row = (cell.y - region.y) as usize * region.w as usize;
            let at = row + (cell.x - region.x) as usize;
            if self.told.cells[at] != data {
                self.told.cells[at] = data;
                changes.cells.push((cell, data));
            }
            if self.told.heights[at].to_bits() != height.to_bits() {
                self.told.heights[at] = height;
                raised.push((cell, height));
            }
        }
        let rect = raised.iter().map(|&(cell, _)| CellRect::cell(cell)).reduce(CellRect::union);
        if let Some(rect) = rect {
            let mut heights = vec![f32::NAN; rect.area() as usize];
            for (cell, height) in raised {
                heights[((cell.y - rect.y) * rect.w + cell.x - rect.x) as usize] = height;
            }
            changes.heights = (rect, heights);
        }
        Ok(Some(changes))
    }

    fn tell(&self, rect: CellRect, space: &PathForgeSpace3D) -> Told {
        let Rules { slice, empty_solid, .. } = &self.rules;
        let height = |cell| space.ground().height(cell);
        let slice = Slice { storey: self.frame.storey, ..*slice };
        tell(&self.kinds, &self.placed, &self.frame.layout, rect, &slice, *empty_solid, height)
    }

    /// The items of all places, in order.
    fn read_all(&mut self, map: &Gd<GridMap>) -> Result<Vec<Placement>, String> {
        // What a scene saves of a map: a call for each place costs more than all else in an import.
        let data = map.get("data").try_to::<VarDictionary>().ok();
        let words = data.and_then(|data| data.get("cells")?.try_to::<PackedInt32Array>().ok());
        let words = words.ok_or("the map's data cannot be read; this version of Godot is not known")?;
        let mut placed = Vec::with_capacity(words.len() / WORDS);
        let mut last = None;
        for &[place, z, what] in words.as_slice().as_chunks::<WORDS>().0 {
            let what = what as u32;
            let key = ItemKey { item: (what & 0xFFFF) as i32, orientation: (what >> 16 & 0x1F) as i32 };
            let (x, level, z) = (place as i16, (place >> 16) as i16, z as i16);
            if !self.has_level(level) {
                continue;
            }
            // Neighbours are often alike.
            let kind = match last {
                Some((known, kind)) if known == key => kind,
                _ => self.number(map, key)?,
            };
            last = Some((key, kind));
            placed.push(Placement { z, x, level, kind });
        }
        placed.sort_by_key(|at| (at.z, at.x, at.level, at.kind));
        Ok(placed)
    }

    /// The items as they were, but for some places.
    fn read_some(&mut self, map: &Gd<GridMap>, places: &[Vector3i]) -> Result<Vec<Placement>, String> {
        let mut placed = self.placed.clone();
        for &place in places {
            let [Ok(x), Ok(level), Ok(z)] = [place.x, place.y, place.z].map(i16::try_from) else {
                let [least, most] = [i16::MIN, i16::MAX];
                return Err(format!("{place} is no place of a map: they are within {least} and {most}"));
            };
            let start = placed.partition_point(|item| (item.z, item.x, item.level) < (z, x, level));
            if placed.get(start).is_some_and(|item| (item.z, item.x, item.level) == (z, x, level)) {
                placed.remove(start);
            }
            let item = map.get_cell_item(place);
            if item >= 0 && self.has_level(level) {
                let key = ItemKey { item, orientation: map.get_cell_item_orientation(place) };
                placed.insert(start, Placement { z, x, level, kind: self.number(map, key)? });
            }
        }
        Ok(placed)
    }

    fn has_level(&self, level: i16) -> bool {
        let [lowest, highest] = self.rules.levels;
        (lowest..=highest).contains(&level)
    }

    /// The number of an item's kind, which is read when it is new.
    fn number(&mut self, map: &Gd<GridMap>, key: ItemKey) -> Result<u16, String> {
        if let Some(&number) = self.numbers.get(&key) {
            return Ok(number);
        }
        if self.kinds.len() == KINDS_MAX {
            return Err(format!("the map has more than {KINDS_MAX} kinds of items, turned ones apart"));
        }
        let kind = self.kind(map, key)?;
        let number = self.kinds.len() as u16;
        self.kinds.push(kind);
        self.numbers.insert(key, number);
        Ok(number)
    }

    fn kind(&self, map: &Gd<GridMap>, ItemKey { item, orientation }: ItemKey) -> Result<Kind, String> {
        let library = library(map)?;
        if !library.get_item_list().as_slice().contains(&item) {
            return Ok(Kind::default());
        }
        let name = library.get_item_name(item);
        let named = |problem: String| format!("item {item} \"{name}\": {problem}");
        let slice = &self.rules.slice;
        let (role, terrain, weight) =
            (self.rules.role(&name), self.rules.terrain(&name), self.rules.weight(&name));
        let has_form = role != Some(Role::Ignored) || terrain.is_some() || weight.is_some();
        if !has_form {
            return Ok(Kind::default());
        }
        let form = self.form(map, &library, item, orientation, role).map_err(named)?;
        let Some([low, high]) = form.bounds() else {
            return if form.is_empty() {
                Ok(Kind::default())
            } else {
                Err(named("it is not finite".to_owned()))
            };
        };
        if form.cells().area() > ITEM_CELLS_MAX {
            let CellRect { w, h, .. } = form.cells();
            return Err(named(format!("it covers {w} × {h} cells, at most {ITEM_CELLS_MAX} can be read")));
        }
        let is_flat = high[1] - low[1] <= f64::from(slice.bottom) + 1e-4;
        let role = role.unwrap_or(match library.get_item_shapes(item).len() {
            0 => Role::Ignored,
            _ if is_flat => Role::Floor,
            _ => Role::Solid,
        });
        let mut kind = Kind::new(role, &form, slice.coverage);
        (kind.terrain, kind.weight) = (terrain, weight);
        Ok(kind)
    }

    /// Where an item is filled, from its place: its shapes, and all of the place if its name says that it is
    /// solid. Without shapes an item that a list names is its mesh, or the place.
    fn form(
        &self,
        map: &Gd<GridMap>,
        library: &Gd<MeshLibrary>,
        item: i32,
        orientation: i32,
        role: Option<Role>,
    ) -> Result<Form, String> {
        let Frame { to_cells, cell_size, center, scale, .. } = self.frame;
        let to_cells = Transform3D::new(to_cells, Vector3::ZERO);
        let turned = map.get_basis_with_orthogonal_index(orientation).scaled(Vector3::ONE * scale);
        let item_to_cells = to_cells * Transform3D::new(turned, center);
        let mut builder = FormBuilder { form: Form::default(), to_cells };
        let place = Aabb::new(Vector3::ZERO, cell_size);
        if role == Some(Role::Solid) {
            builder.add_box(place);
        }
        let shapes: Vec<Variant> = library.get_item_shapes(item).iter_shared().collect();
        for [shape, in_item] in shapes.as_chunks::<2>().0 {
            let (Ok(shape), Ok(in_item)) = (shape.try_to(), in_item.try_to::<Transform3D>()) else {
                continue;
            };
            builder.to_cells = item_to_cells * in_item;
            builder.add_shape(shape)?;
        }
        if builder.form.is_empty() {
            match library.get_item_mesh(item) {
                Some(mesh) => {
                    builder.to_cells = item_to_cells * library.get_item_mesh_transform(item);
                    builder.add_mesh(&mesh);
                }
                None => builder.add_box(place),
            }
        }
        Ok(builder.form)
    }
}

fn library(map: &Gd<GridMap>) -> Result<Gd<MeshLibrary>, String> {
    map.get_mesh_library().ok_or_else(|| "the map has no mesh library".to_owned())
}
