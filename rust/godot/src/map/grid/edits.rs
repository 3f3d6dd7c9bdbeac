//! Edits of cells, and how they are announced.
//!
//! An edit takes the grid's own pointer instead of a borrow, and nothing is locked while handlers of
//! `cells_changed` run: they may ask, edit and free the grid.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::LazyLock;

use godot::prelude::*;
use pathforge_core::geometry::{Cell, CellRect};
use pathforge_core::terrain::{EditError, Floor, Terrain};
use pathforge_core::world::ANNOUNCEMENTS_MAX;

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::direct;
use crate::engine::errors::{report, reported};
use crate::engine::state::{self, State};
use crate::script::convert::{self, ShownCell, cell};
use crate::script::given::given;

/// The signal's name, which the engine would look up for each edit. It is static, or the engine takes it for
/// a leak.
static CELLS_CHANGED: LazyLock<StringName> =
    LazyLock::new(|| StringName::__cstr_with_static(c"cells_changed", true));

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Gives one cell a terrain id, 0 to 31.
    ///
    /// ```gdscript
    /// const WATER := 1
    /// grid.set_point_terrain(Vector2i(4, 7), WATER)
    /// ```
    #[func(gd_self)]
    fn set_point_terrain(this: Gd<Self>, cell: Vector2i, terrain_id: i64) {
        Self::edit_cell(this, "PathForgeGrid.set_point_terrain", cell, |terrain, rect| {
            terrain.fill_terrain(rect, terrain_id)
        });
    }

    /// The terrain id of a cell; −1 and an error outside the region.
    #[func(gd_self)]
    fn get_point_terrain(this: Gd<Self>, cell: Vector2i) -> i64 {
        let id = |map: &Map, cell| i64::from(map.world.terrain().terrain(cell));
        Self::read(&this, "PathForgeGrid.get_point_terrain", cell, -1, id)
    }

    /// Gives all cells of `region` a terrain id, 0 to 31. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_terrain_region(this: Gd<Self>, region: Rect2i, terrain_id: i64) {
        Self::edit_region(this, "PathForgeGrid.fill_terrain_region", region, |terrain, rect| {
            terrain.fill_terrain(rect, terrain_id)
        });
    }

    /// Begins an edit: [signal cells_changed] waits for the matching [method end_edit] and is then emitted
    /// once for all changes. Edits may nest; the outermost one counts. Queries in between see the new cells.
    ///
    /// ```gdscript
    /// grid.begin_edit()
    /// for cell: Vector2i in building.cells:
    ///     grid.set_point_solid(cell)
    /// grid.end_edit() # One cells_changed.
    /// ```
    #[func(gd_self)]
    fn begin_edit(this: Gd<Self>) {
        let map = state::of(&this);
        map.lock().edits.begin();
    }

    /// Ends an edit that [method begin_edit] began. It is an error when there is none.
    #[func(gd_self)]
    fn end_edit(this: Gd<Self>) {
        let map = state::of(&this);
        let ended = map.lock().edits.end();
        match ended {
            None => {
                report("PathForgeGrid.end_edit", "there is no edit to end; call begin_edit() first");
            }
            Some(None) => {}
            Some(Some(rect)) => Self::announce(&this, &map, rect),
        }
    }

    /// Announces what other threads changed.
    #[func(gd_self)]
    fn _announce_deferred(this: Gd<Self>) {
        let map = state::of(&this);
        let deferred = map.lock().edits.take_deferred();
        if let Some(rect) = deferred {
            Self::announce(&this, &map, rect);
        }
    }

    /// Makes cells solid where `data` is not 0 and open where it is: one byte a cell, row by row over [member
    /// region].
    ///
    /// ```gdscript
    /// var data := PackedByteArray()
    /// data.resize(grid.region.get_area())
    /// data.fill(1)
    /// grid.set_solid_data(data) # Everything is solid.
    /// ```
    #[func(gd_self)]
    fn set_solid_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_solid_data", |terrain| terrain.set_solid_data(data.as_slice()));
    }

    /// One byte a cell, row by row over [member region]: 1 for solid cells, 0 for open ones.
    #[func(gd_self)]
    fn get_solid_data(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().solid_data())
    }

    /// Gives every cell its terrain id, 0 to 31: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_terrain_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_terrain_data", |terrain| {
            terrain.set_terrain_data(data.as_slice())
        });
    }

    /// The terrain id of every cell: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn get_terrain_data(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().terrain_data())
    }

    /// Gives every cell its weight as [method set_point_weight_scale] does, finite and 0 or more: one number
    /// a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_weight_data(this: Gd<Self>, data: PackedFloat32Array) {
        Self::weigh(this, "PathForgeGrid.set_weight_data", data.as_slice());
    }

    /// The weight of every cell: one number a cell, row by row over [member region].
    #[func(gd_self)]
    fn get_weight_data(this: Gd<Self>) -> PackedFloat32Array {
        PackedFloat32Array::from(state::of(&this).lock().world.terrain().weight_data())
    }

    /// Replaces all cells by the cells that `rows` draws, one letter a cell, one line a row. The region takes
    /// the drawing's size and keeps its position. Weights become 1.
    ///
    /// `#` `@` `T` are solid, `.` `G` `S` open, `~` `W` open and of terrain 1, `=` one-way. A text that
    /// begins with `type octile` is a map of the Moving AI benchmarks: there `.` `G` `S` are open and `@` `O`
    /// `T` `W` solid. An unknown letter, a row of another length and no row at all are errors, and nothing
    /// changes.
    ///
    /// A drawing that begins with `+` has edges between its cells, see [method set_edge_blocked]. Rows and
    /// columns of edges take turns with rows and columns of cells, from the first to the last. Each corner is a `+`. An
    /// edge is `|` or `-` where it is blocked, and a space or `.` where it is open. `<` `>` `^` `v` point the
    /// one way in which an edge is open.
    ///
    /// ```gdscript
    /// grid.set_from_text("""
    ///     ..#..
    ///     ..#~~
    ///     .....
    /// """)
    /// grid.set_from_text("""
    ///     +-+-+-+
    ///     |. .|#|
    ///     + +v+ +
    ///     |. . .|
    ///     +-+-+-+
    /// """)
    /// ```
    #[func(gd_self)]
    fn set_from_text(this: Gd<Self>, rows: GString) {
        let origin = state::of(&this).lock().world.terrain().region();
        let text = rows.to_string();
        let method = "PathForgeGrid.set_from_text";
        if text.trim().is_empty() {
            return report(method, "rows is empty; clear() removes all cells");
        }
        let drawn = Terrain::from_text(&text, Cell::new(origin.x, origin.y));
        if let Some(terrain) = reported(method, drawn) {
            Self::replace(this, terrain);
        }
    }

    /// Makes one cell one-way or not. A one-way cell is open: the grid's own paths, fields and agents go
    /// through it. The bodies of a [PathForgePlatformer] land on it from above, jump through it from below,
    /// and may drop through it. A cell that is solid as well is solid.
    ///
    /// ```gdscript
    /// grid.set_point_one_way(Vector2i(4, 7)) # A platform of one cell.
    /// ```
    #[func(gd_self)]
    fn set_point_one_way(this: Gd<Self>, cell: Vector2i, #[opt(default = true)] one_way: bool) {
        Self::edit_cell(this, "PathForgeGrid.set_point_one_way", cell, |terrain, rect| {
            Ok(terrain.fill_one_way(rect, one_way))
        });
    }

    /// Returns [code]true[/code] if a cell is one-way; `false` and an error outside the region.
    #[func(gd_self)]
    fn is_point_one_way(this: Gd<Self>, cell: Vector2i) -> bool {
        let one_way = |map: &Map, cell| map.world.terrain().is_one_way(cell);
        Self::read(&this, "PathForgeGrid.is_point_one_way", cell, false, one_way)
    }

    /// Makes all cells of `region` one-way or not. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_one_way_region(this: Gd<Self>, region: Rect2i, #[opt(default = true)] one_way: bool) {
        Self::edit_region(this, "PathForgeGrid.fill_one_way_region", region, |terrain, rect| {
            Ok(terrain.fill_one_way(rect, one_way))
        });
    }

    /// Makes cells one-way where `data` is not 0: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_one_way_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_one_way_data", |terrain| {
            terrain.set_one_way_data(data.as_slice())
        });
    }

    /// One byte a cell, row by row over [member region]: 1 for one-way cells, 0 for others.
    #[func(gd_self)]
    fn get_one_way_data(this: Gd<Self>) -> PackedByteArray {
        PackedByteArray::from(state::of(&this).lock().world.terrain().one_way_data())
    }

    /// Gives one cell a floor inside of it: ground that runs straight from the cell's left edge to its right
    /// edge. `left` and `right` are its heights there, measured from the cell's lower edge in parts of its
    /// height, from 0 to 1. Two heights of 0 remove the floor. Heights are kept in steps of 1/16384.
    ///
    /// Only jump profiles with [member PathForgeJumpProfile.use_physics] stand on floors. To them all below
    /// the floor is ground and all above it is free, whether the cell is solid or open. In a one-way cell the
    /// floor is one-way. Two heights of 1 are ground as high as the cell.
    ///
    /// All other paths, fields and agents see the cell as solid or open, as without a floor. A cell keeps its
    /// floor when it becomes solid or open.
    ///
    /// [method import_tile_map_layers] finds floors by itself.
    ///
    /// ```gdscript
    /// grid.set_point_floor(Vector2i(4, 7), 0.0, 1.0) # A slope of 45°, up to the right.
    /// grid.set_point_floor(Vector2i(5, 7), 10.0 / 64.0, 10.0 / 64.0) # 10 px high in a cell of 64 px.
    /// grid.set_point_floor(Vector2i(4, 7), 0.0, 0.0) # No floor.
    /// ```
    #[func(gd_self)]
    fn set_point_floor(this: Gd<Self>, cell: Vector2i, left: f64, right: f64) {
        let method = "PathForgeGrid.set_point_floor";
        let height = |name: &'static str, height: f64| given(name, height).within(0.0..=1.0);
        let heights = height("left", left).and_then(|left| Ok((left, height("right", right)?)));
        let Some((left, right)) = reported(method, heights) else { return };
        let floor = Floor { left: left as f32, right: right as f32 };
        Self::edit_cell(this, method, cell, |terrain, rect| Ok(terrain.set_floor(rect, Some(floor))));
    }

    /// The heights of a cell's floor at its left (x) and right edge (y), from 0 to 1: see [method
    /// set_point_floor]. Zero without a floor; zero and an error outside the region.
    #[func(gd_self)]
    fn get_point_floor(this: Gd<Self>, cell: Vector2i) -> Vector2 {
        let floor = |map: &Map, cell| {
            let Floor { left, right } = map.world.terrain().floor(cell).unwrap_or_default();
            Vector2::new(left, right)
        };
        Self::read(&this, "PathForgeGrid.get_point_floor", cell, Vector2::ZERO, floor)
    }
}

impl PathForgeGrid {
    /// Edits one cell, an error of `method` outside the region.
    pub(super) fn edit_cell(
        this: Gd<Self>,
        method: &str,
        vector: Vector2i,
        edit: impl FnOnce(&mut Terrain, CellRect) -> Result<Option<CellRect>, EditError>,
    ) {
        let cell = cell(vector);
        Self::edit(this, method, |terrain| {
            terrain.local(cell)?;
            edit(terrain, CellRect::cell(cell))
        });
    }

    /// Edits a region; cells outside the grid are left out.
    pub(super) fn edit_region(
        this: Gd<Self>,
        method: &str,
        region: Rect2i,
        edit: impl FnOnce(&mut Terrain, CellRect) -> Result<Option<CellRect>, EditError>,
    ) {
        if let Some(rect) = reported(method, convert::fill_rect(region)) {
            Self::edit(this, method, |terrain| edit(terrain, rect));
        }
    }

    /// Makes an edit and announces what it changed, or reports why it cannot be made.
    pub(super) fn edit<E: Display>(
        this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, E>,
    ) {
        Self::change(this, method, |map| map.edit(edit));
    }

    /// Makes cells solid, in one edit.
    pub fn close(this: Gd<Self>, method: &str, cells: &[Cell]) {
        Self::edit(this, method, |terrain| {
            let one = |&cell: &Cell| terrain.fill_solid(CellRect::new(cell.x, cell.y, 1, 1), true);
            Ok::<_, Infallible>(cells.iter().filter_map(one).reduce(CellRect::union))
        });
    }

    /// The weight that a cell keeps, so that what is read is what counts. The first beyond the limits is
    /// told, once for a grid.
    pub(super) fn kept_weight(
        this: &Gd<Self>,
        method: &str,
        cell: impl FnOnce() -> Vector2i,
        weight: f32,
    ) -> f32 {
        let (kept, is_odd) = convert::kept_weight(weight);
        if is_odd && !std::mem::replace(&mut state::of(this).lock().is_weight_told, true) {
            let whose = format!("at {}, the weight", ShownCell(convert::cell(cell())));
            convert::warn_of_weight(method, whose, weight);
        }
        kept
    }

    /// Gives every cell its weight.
    pub fn weigh(this: Gd<Self>, method: &str, weights: &[f32]) {
        let region = state::of(&this).lock().world.terrain().region();
        if weights.len() as u64 != region.area() {
            // The edit refuses them, by one error.
            return Self::edit(this, method, |terrain| terrain.set_weight_data(weights));
        }
        let cell = |place: i32| Vector2i::new(region.x + place % region.w, region.y + place / region.w);
        let each = (0_i32..).zip(weights);
        let kept: Vec<f32> =
            each.map(|(place, &weight)| Self::kept_weight(&this, method, || cell(place), weight)).collect();
        Self::edit(this, method, |terrain| terrain.set_weight_data(&kept));
    }

    /// An edit that gives every cell what it is: it makes the map, and is never what closed a path.
    pub(super) fn make(
        this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, EditError>,
    ) {
        Self::change(this, method, |map| {
            let made = edit(map.world.terrain_mut());
            if made.is_ok_and(|changed| changed.is_some()) {
                map.world.end_making();
            }
            made.map(|changed| changed.and_then(|rect| map.edits.note(rect)))
        });
    }

    /// Changes the map and announces what it says, or reports why it cannot.
    fn change<E: Display>(
        this: Gd<Self>,
        method: &str,
        work: impl FnOnce(&mut Map) -> Result<Option<CellRect>, E>,
    ) {
        let map = state::of(&this);
        let changed = work(&mut map.lock());
        if let Some(Some(rect)) = reported(method, changed) {
            Self::announce(&this, &map, rect);
        }
    }

    /// Replaces all cells and the region, and announces both regions as changed. Links between cells that stay
    /// are kept.
    pub(super) fn replace(this: Gd<Self>, mut terrain: Terrain) {
        Self::change(this, "", |map| {
            terrain.take_links(map.world.terrain());
            Ok::<_, Infallible>(map.replace(terrain))
        });
    }

    /// The same with the links of `terrain` instead.
    pub(super) fn load(this: Gd<Self>, terrain: Terrain) {
        Self::change(this, "", |map| Ok::<_, Infallible>(map.load(terrain)));
    }

    /// How many edits were announced so far.
    pub fn edit_number(&self) -> u64 {
        self.map.lock().edits.announced()
    }

    /// What was announced after the first `number` edits; `None` when that is too long ago.
    pub fn edits_since(&self, number: u64) -> Option<Vec<CellRect>> {
        self.map.lock().edits.since(number).map(Iterator::collect)
    }

    /// Emits `cells_changed` for what was edited. The grid may be gone afterwards.
    pub(super) fn announce(this: &Gd<Self>, map: &State<Map>, rect: CellRect) {
        if !state::is_main_thread() && this.is_inside_tree() {
            // The engine lets no other thread ask or emit signals of nodes that are in the tree. One message
            // waits in the engine's queue at a time: it holds 32 MB, and a thread that makes a map cell by
            // cell would fill it.
            let is_first = map.lock().edits.defer(rect);
            if is_first {
                this.clone().call_deferred("_announce_deferred", &[]);
            }
        } else if direct::has_connections(this, &CELLS_CHANGED) {
            // An emission costs more than the edit even without a listener, and games set cells one by one.
            if !map.lock().edits.enter() {
                return report_depth();
            }
            this.signals().cells_changed().emit(convert::region(rect));
            map.lock().edits.leave();
        }
    }

    /// Returns `true` if handlers of `cells_changed` are running.
    pub fn is_announcing(this: &Gd<Self>) -> bool {
        state::of(this).lock().edits.is_announcing()
    }

    /// Announces a change from a setter, which has the grid borrowed; handlers can use it all the same.
    pub(super) fn announce_from_inside(&mut self, changed: Option<CellRect>) {
        let Some(rect) = changed else { return };
        if !self.map.lock().edits.enter() {
            return report_depth();
        }
        self.signals().cells_changed().emit(convert::region(rect));
        self.map.lock().edits.leave();
    }

    /// What `read` finds at a cell; `fallback` after an error when it lies outside.
    pub(super) fn read<T>(
        this: &Gd<Self>,
        method: &str,
        vector: Vector2i,
        fallback: T,
        read: impl FnOnce(&Map, Cell) -> T,
    ) -> T {
        let map = state::of(this);
        let found = {
            let map = map.lock();
            map.world.terrain().local(cell(vector)).map(|_| read(&map, cell(vector)))
        };
        reported(method, found).unwrap_or(fallback)
    }
}

fn report_depth() {
    report(
        "PathForgeGrid.cells_changed",
        format_args!("handlers have edited the grid {ANNOUNCEMENTS_MAX} deep; this edit is not announced"),
    );
}
