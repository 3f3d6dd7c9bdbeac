//! Heights: one by one, as data, from pictures and from shapes; and cells that are closed for their slope.

use godot::classes::{CollisionShape3D, HeightMapShape3D, Image};
use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};

use super::{PathForgeSpace3D, vector};
use crate::engine::errors::{report, report_warning, reported};
use crate::engine::state;
use crate::map::grid::PathForgeGrid;
use crate::script::convert::{self, ShownCell, TERRAIN_MAX};
use crate::script::given::given;
use crate::script::node_arg::NodeArg;

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// The height of the ground at the centre of a cell, along the node's y axis; outside the grid's region
    /// that of the nearest cell.
    #[func]
    fn get_height(&mut self, cell: Vector2i) -> f64 {
        f64::from(self.ground.height(convert::cell(cell)))
    }

    /// Gives the cells of `region` a height. Cells outside the grid are left out.
    ///
    /// ```gdscript
    /// space.set_region_height(castle_hill, 4.0)
    /// ```
    #[func(gd_self)]
    fn set_region_height(this: Gd<Self>, region: Rect2i, height: f64) {
        let method = "PathForgeSpace3D.set_region_height";
        let given = convert::fill_rect(region).and_then(|rect| Ok((rect, finite("height", height)?)));
        let Some((rect, height)) = reported(method, given) else { return };
        let whole = this.clone().bind_mut().region(method);
        if let Some(whole) = whole {
            let region = rect.intersection(whole);
            Self::change_heights(this, whole, region, &vec![height; region.cells().count()]);
        }
    }

    /// Gives every cell its height: one number a cell, row by row over [member PathForgeGrid.region], on a
    /// floor over the cells of its [member floor_region] in the grid.
    ///
    /// ```gdscript
    /// var heights := PackedFloat32Array()
    /// for y: int in grid.region.size.y:
    ///     for x: int in grid.region.size.x:
    ///         heights.append(noise.get_noise_2d(x, y) * 5.0)
    /// space.set_height_data(heights)
    /// ```
    #[func(gd_self)]
    fn set_height_data(this: Gd<Self>, data: PackedFloat32Array) {
        let method = "PathForgeSpace3D.set_height_data";
        let whole = this.clone().bind_mut().region(method);
        let Some(whole) = whole else { return };
        let checked = checked_heights(whole, data.as_slice());
        if let Some(heights) = reported(method, checked) {
            Self::change_heights(this, whole, whole, heights);
        }
    }

    /// The height of every cell, row by row over [member PathForgeGrid.region], on a floor over the cells of
    /// its [member floor_region] in the grid.
    #[func]
    fn get_height_data(&mut self) -> PackedFloat32Array {
        let whole = self.region("PathForgeSpace3D.get_height_data");
        whole.map_or_else(PackedFloat32Array::new, |whole| self.ground.heights(whole).into())
    }

    /// Gives every cell the height that the brightness of `image` has there: black is `lowest`, white
    /// `highest`. The picture is stretched over [member PathForgeGrid.region], on a floor over its cells,
    /// bilinear between its pixels.
    /// Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// space.import_heights_from_image(load("res://island_heights.png").get_image(), -2.0, 14.0)
    /// ```
    #[func(gd_self)]
    fn import_heights_from_image(
        this: Gd<Self>,
        image: Option<Gd<Image>>,
        lowest: f64,
        highest: f64,
    ) -> bool {
        let method = "PathForgeSpace3D.import_heights_from_image";
        let whole = this.clone().bind_mut().region(method);
        let Some(whole) = whole else { return false };
        let read = brightness(image).and_then(|(data, size)| {
            Ok((data, size, finite("lowest", lowest)?, finite("highest", highest)?))
        });
        let Some((data, size, lowest, highest)) = reported(method, read) else { return false };
        if data.iter().all(|value| value.to_bits() == data[0].to_bits()) {
            let height = lowest + (highest - lowest) * data[0];
            report_warning(
                method,
                format!("all pixels are as bright as each other: all cells get height {height}"),
            );
        }
        let [w, h] = [whole.w, whole.h].map(f64::from);
        let above = |cell: Cell| {
            // The picture's pixels have their colour in the middle.
            let x = (f64::from(cell.x - whole.x) + 0.5) / w * f64::from(size.0) - 0.5;
            let y = (f64::from(cell.y - whole.y) + 0.5) / h * f64::from(size.1) - 0.5;
            lowest + (highest - lowest) * blended(&data, size, x, y)
        };
        let heights: Vec<f32> = whole.cells().map(above).collect();
        Self::change_heights(this, whole, whole, &heights);
        true
    }

    /// Sets the height of each cell whose centre lies above or below a `HeightMapShape3D` to the shape's
    /// height there, bilinear between its samples. The shape's place, scale and rotation about this node's y
    /// axis count; a shape that is tilted against the node gives wrong heights. Other cells keep their
    /// heights. It needs no physics and may be called in `_ready`, after the region is set. A shape of 128
    /// metres has 129 samples. Returns [code]true[/code] if it could; after an error nothing has changed.
    ///
    /// ```gdscript
    /// space.import_heights_from_shape($Terrain/CollisionShape3D)
    /// ```
    #[func(gd_self)]
    fn import_heights_from_shape(this: Gd<Self>, shape: NodeArg<CollisionShape3D>) -> bool {
        let method = "PathForgeSpace3D.import_heights_from_shape";
        let whole = this.clone().bind_mut().region(method);
        let Some(whole) = whole else { return false };
        let Some((map, to_global)) = reported(method, height_map(&shape)) else { return false };
        let (size, data) = ((map.get_map_width(), map.get_map_depth()), map.get_map_data());
        let (ground, to_local) = {
            let space = this.bind();
            (space.ground.clone(), space.to_local(method))
        };
        let Some(to_local) = to_local else { return false };
        let from_shape = to_local * to_global;
        if from_shape.basis.determinant() == 0.0 || !from_shape.is_finite() {
            report(method, "shape is scaled by zero, or not finite");
            return false;
        }
        let to_shape = from_shape.affine_inverse();
        let centre = [size.0, size.1].map(|side| f64::from(side - 1) / 2.0);
        let above = |cell: Cell| {
            let point = to_shape * vector(ground.point(f64::from(cell.x) + 0.5, f64::from(cell.y) + 0.5));
            let (x, y) = (f64::from(point.x) + centre[0], f64::from(point.z) + centre[1]);
            let is_on =
                (0.0..=f64::from(size.0 - 1)).contains(&x) && (0.0..=f64::from(size.1 - 1)).contains(&y);
            let height = blended(data.as_slice(), size, x, y);
            if is_on { (from_shape * Vector3::new(point.x, height, point.z)).y } else { f32::NAN }
        };
        let heights: Vec<f32> = whole.cells().map(above).collect();
        if heights.iter().all(|height| height.is_nan()) {
            report_warning(method, "no cell's centre lies above or below the shape: all keep their heights");
        }
        Self::change_heights(this, whole, whole, &heights);
        true
    }

    /// Makes steep cells solid and returns how many cells are steep, including cells that were solid already.
    /// A cell is steep if the line from its centre to the centre of a neighbour is steeper than
    /// `slope_limit_degrees`, so both cells of a steep step are. Only the four neighbours beside it count.
    ///
    /// No cell opens again when heights change: import or fill the cells first, close steep cells last. With
    /// a `terrain_id`, 0 to 31, only cells of that terrain count: each terrain may have a limit of its own.
    ///
    /// ```gdscript
    /// space.import_heights_from_image(heights, 0.0, 12.0)
    /// space.close_steep_cells(35.0)
    /// space.close_steep_cells(15.0, SNOW)
    /// ```
    #[func(gd_self)]
    fn close_steep_cells(
        mut this: Gd<Self>,
        slope_limit_degrees: f64,
        #[opt(default = -1)] terrain_id: i64,
    ) -> i64 {
        let method = "PathForgeSpace3D.close_steep_cells";
        let limit = given("slope_limit_degrees", slope_limit_degrees).within(0.0..=90.0);
        let given =
            limit.and_then(|limit| Ok((limit, given("terrain_id", terrain_id).within(-1..=TERRAIN_MAX)?)));
        let Some((limit, terrain)) = reported(method, given) else { return 0 };
        // A little more, so that a slope of the limit itself is none that is too steep.
        let most = (limit.to_radians().tan() * (1.0 + 1e-5)) as f32;
        let (grid, steep) = {
            let mut space = this.bind_mut();
            let Some(grid) = space.some_grid(method) else { return 0 };
            let Some(region) = space.region(method) else { return 0 };
            let map = state::of(&grid);
            let map = map.lock();
            let cells = map.world.terrain();
            let is_steep = |cell: &Cell| {
                let is_of_it = terrain < 0 || i64::from(cells.terrain(*cell)) == terrain;
                is_of_it && space.ground.steepness(*cell) > most
            };
            (grid.clone(), region.cells().filter(is_steep).collect::<Vec<Cell>>())
        };
        // Nothing is borrowed while the grid announces the change.
        PathForgeGrid::close(grid, method, &steep);
        steep.len() as i64
    }

    /// Returns how steep the ground is at a cell, in degrees: the steepest of the lines from its centre to
    /// the centres of its four neighbours. [method close_steep_cells] uses the same measure, so a game can
    /// say of a cell in [member PathForgeDiagnosis.cells] that it is too steep.
    ///
    /// ```gdscript
    /// if space.get_slope_degrees(cell) > 35.0:
    ///     label.text = "Too steep."
    /// ```
    #[func]
    fn get_slope_degrees(&mut self, cell: Vector2i) -> f64 {
        f64::from(self.ground.steepness(convert::cell(cell))).atan().to_degrees()
    }

    /// Sets the weight of every cell by its slope, so that paths lead around hills where that costs less. The
    /// slope is the steepest line from the cell's centre to the centres of its four neighbours. The weight is
    /// 1 on flat ground and `weight_at_45_degrees`, 1 or more, at 45°; between and beyond it grows with the
    /// rise.
    ///
    /// This replaces the weights of the cells: give mud and roads a terrain with [member
    /// PathForgeProfile.terrain_costs], which count besides. Call it again when heights have changed.
    ///
    /// ```gdscript
    /// space.weigh_slopes(4.0)
    /// ```
    #[func(gd_self)]
    fn weigh_slopes(mut this: Gd<Self>, weight_at_45_degrees: f64) {
        let method = "PathForgeSpace3D.weigh_slopes";
        let weight = given("weight_at_45_degrees", weight_at_45_degrees).single_precision();
        let weight = weight.read("a finite number of at least 1", |weight| {
            (1.0..=f32::MAX).contains(weight).then_some(*weight)
        });
        let Some(weight) = reported(method, weight) else { return };
        let (grid, weights) = {
            let mut space = this.bind_mut();
            let Some(grid) = space.some_grid(method) else { return };
            let Some(region) = space.region(method) else { return };
            // The rise at 45° is 1.
            let of_slope = |cell| (1.0 + (weight - 1.0) * space.ground.steepness(cell)).min(f32::MAX);
            let map = state::of(&grid);
            let map = map.lock();
            let cells = map.world.terrain();
            // Cells of other storeys keep their weights.
            let weight = |cell| if region.contains(cell) { of_slope(cell) } else { cells.weight(cell) };
            (grid.clone(), cells.region().cells().map(weight).collect::<Vec<f32>>())
        };
        PathForgeGrid::weigh(grid, method, &weights);
    }
}

fn finite(name: &'static str, value: f64) -> Result<f32, String> {
    let single = given(name, value).single_precision();
    single.read("a finite number", |value| value.is_finite().then_some(*value))
}

fn checked_heights(region: CellRect, data: &[f32]) -> Result<&[f32], String> {
    let cells = region.w as usize * region.h as usize;
    if data.len() != cells {
        return Err(format!("data has {} heights, the region has {cells} cells", data.len()));
    }
    match data.iter().position(|height| !height.is_finite()) {
        Some(index) => {
            let (x, y) = (index as i32 % region.w, index as i32 / region.w);
            let cell = ShownCell(Cell::new(region.x + x, region.y + y));
            Err(format!("data[{index}], the height of {cell}, is {}, not a finite number", data[index]))
        }
        None => Ok(data),
    }
}

/// The brightness of each pixel of a picture, from 0 to 1, and its size.
fn brightness(image: Option<Gd<Image>>) -> Result<(Vec<f32>, (i32, i32)), String> {
    let image = image.filter(|image| !image.is_empty()).ok_or("there is no image, or it has no pixels")?;
    let mut copy = Image::new_gd();
    copy.copy_from(&image);
    if copy.is_compressed() && copy.decompress() != godot::global::Error::OK {
        return Err("the image is compressed in a way that cannot be read".to_owned());
    }
    let (w, h) = (copy.get_width(), copy.get_height());
    let bright = |place: i32| {
        let color = copy.get_pixel(place % w, place / w);
        color.luminance() as f32
    };
    Ok(((0..w * h).map(bright).collect(), (w, h)))
}

/// The shape's map of heights, and where it lies in the world.
fn height_map(shape: &NodeArg<CollisionShape3D>) -> Result<(Gd<HeightMapShape3D>, Transform3D), String> {
    let node = shape.node("shape")?;
    if !node.is_inside_tree() {
        return Err("shape is not in the scene tree".to_owned());
    }
    let resource = node.get_shape().ok_or("shape has no Shape")?;
    let class = resource.get_class();
    let map = resource.try_cast::<HeightMapShape3D>();
    let map = map.map_err(|_| format!("shape has a {class}, not a HeightMapShape3D"))?;
    Ok((map, node.get_global_transform()))
}

/// The value at a point between those of a table, row by row; beyond it that of its edge.
fn blended(data: &[f32], (w, h): (i32, i32), x: f64, y: f64) -> f32 {
    let (x, y) = (x.clamp(0.0, f64::from(w - 1)), y.clamp(0.0, f64::from(h - 1)));
    let (left, top) = (x.floor() as i32, y.floor() as i32);
    let at = |dx: i32, dy: i32| {
        let place = (top + dy).min(h - 1) * w + (left + dx).min(w - 1);
        data.get(place as usize).copied().unwrap_or(0.0)
    };
    let (part_x, part_y) = ((x - x.floor()) as f32, (y - y.floor()) as f32);
    let row = |dy| at(0, dy) + (at(1, dy) - at(0, dy)) * part_x;
    row(0) + (row(1) - row(0)) * part_y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_bilinear_and_ends_at_its_edge() {
        let data = [0.0, 2.0, 4.0, 6.0];
        for (x, y, value) in
            [(0.0, 0.0, 0.0), (0.5, 0.5, 3.0), (1.0, 0.0, 2.0), (9.0, 9.0, 6.0), (-9.0, 1.0, 4.0)]
        {
            assert!((blended(&data, (2, 2), x, y) - value).abs() < 1e-6, "{x}, {y}");
        }
    }

    #[test]
    fn heights_are_as_many_as_cells_and_finite() {
        let region = CellRect::new(3, -1, 2, 2);
        assert!(checked_heights(region, &[0.0; 4]).is_ok());
        let few = checked_heights(region, &[0.0; 3]).unwrap_err();
        assert_eq!(few, "data has 3 heights, the region has 4 cells");
        let broken = checked_heights(region, &[0.0, 0.0, 0.0, f32::NAN]).unwrap_err();
        assert_eq!(broken, "data[3], the height of (4, 0), is NaN, not a finite number");
    }
}
