//! Edits of cells, and how they are announced.
//!
//! An edit takes the grid's own pointer instead of a borrow, so that nothing is borrowed while handlers of
//! `cells_changed` run: they may ask, edit and free the grid.

use std::collections::VecDeque;

use godot::prelude::*;
use pathforge_core::{Cell, CellRect, EditError, Terrain};

use super::PathForgeGrid;
use crate::convert::{self, cell};
use crate::errors::{report, reported};

/// How deep handlers of `cells_changed` may edit the grid within each other.
const ANNOUNCEMENTS_MAX: u32 = 128;

/// Announcements that are remembered for nodes that look once a frame.
const RECENT_MAX: usize = 512;

/// Edits that are made but not announced yet, and the latest that are.
#[derive(Default)]
pub(super) struct Edits {
    /// How many times `begin_edit` was called without its `end_edit`.
    depth: u32,
    /// What changed meanwhile.
    pending: Option<CellRect>,
    /// How many changes there were.
    pub(super) count: u64,
    /// How many announcements are on the way: handlers that edit the grid make it more than one.
    announcements: u32,
    /// How many announcements there were, and the latest of them.
    announced: u64,
    recent: VecDeque<CellRect>,
}

impl Edits {
    fn remember(&mut self, rect: CellRect) {
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(rect);
        self.announced += 1;
    }
}

#[godot_api(secondary)]
impl PathForgeGrid {
    /// Gives one cell a terrain id, 0 to 31.
    ///
    /// ```gdscript
    /// const WATER := 1
    /// grid.set_point_terrain(Vector2i(4, 7), WATER)
    /// ```
    #[func(gd_self)]
    fn set_point_terrain(this: Gd<Self>, cell: Vector2i, id: i64) {
        let cell = convert::cell(cell);
        Self::edit(this, "PathForgeGrid.set_point_terrain", |terrain| {
            terrain.local(cell)?;
            terrain.fill_terrain(CellRect::cell(cell), id)
        });
    }

    /// The terrain id of a cell; −1 and an error outside the region.
    #[func(gd_self)]
    fn get_point_terrain(this: Gd<Self>, cell: Vector2i) -> i64 {
        let id = |terrain: &Terrain, cell| i64::from(terrain.terrain(cell));
        Self::look(this, |grid| grid.read("PathForgeGrid.get_point_terrain", cell, -1, id))
    }

    /// Gives all cells of `region` a terrain id, 0 to 31. Cells outside the grid are left out.
    #[func(gd_self)]
    fn fill_terrain_region(this: Gd<Self>, region: Rect2i, id: i64) {
        let method = "PathForgeGrid.fill_terrain_region";
        if let Some(rect) = reported(method, convert::fill_rect(region)) {
            Self::edit(this, method, |terrain| terrain.fill_terrain(rect, id));
        }
    }

    /// Begins an edit: [signal cells_changed] waits for the matching [method end_edit] and is then emitted once for all
    /// changes. Edits may nest; the outermost one counts. Queries in between see the new cells.
    ///
    /// ```gdscript
    /// grid.begin_edit()
    /// for cell: Vector2i in building.cells:
    ///     grid.set_point_solid(cell)
    /// grid.end_edit() # One cells_changed.
    /// ```
    #[func]
    fn begin_edit(&mut self) {
        self.edits.depth = self.edits.depth.saturating_add(1);
    }

    /// Ends an edit that [method begin_edit] began. It is an error when there is none.
    #[func(gd_self)]
    fn end_edit(mut this: Gd<Self>) {
        let changed = {
            let edits = &mut this.bind_mut().edits;
            let Some(depth) = edits.depth.checked_sub(1) else {
                report("PathForgeGrid.end_edit", "there is no edit to end; call begin_edit() first");
                return;
            };
            edits.depth = depth;
            if depth == 0 { edits.pending.take() } else { None }
        };
        if let Some(rect) = changed {
            Self::announce(&mut this, rect);
        }
    }

    /// Makes cells solid where `data` is not 0 and open where it is: one byte a cell, row by row over [member region].
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
    #[func]
    fn get_solid_data(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.world.terrain().solid_data())
    }

    /// Gives every cell its terrain id, 0 to 31: one byte a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_terrain_data(this: Gd<Self>, data: PackedByteArray) {
        Self::make(this, "PathForgeGrid.set_terrain_data", |terrain| {
            terrain.set_terrain_data(data.as_slice())
        });
    }

    /// The terrain id of every cell: one byte a cell, row by row over [member region].
    #[func]
    fn get_terrain_data(&mut self) -> PackedByteArray {
        PackedByteArray::from(self.world.terrain().terrain_data())
    }

    /// Gives every cell its weight, finite and 0 or more: one number a cell, row by row over [member region].
    #[func(gd_self)]
    fn set_weight_data(this: Gd<Self>, data: PackedFloat32Array) {
        Self::edit(this, "PathForgeGrid.set_weight_data", |terrain| terrain.set_weight_data(data.as_slice()));
    }

    /// The weight of every cell: one number a cell, row by row over [member region].
    #[func]
    fn get_weight_data(&mut self) -> PackedFloat32Array {
        PackedFloat32Array::from(self.world.terrain().weight_data())
    }

    /// Replaces all cells by those that `rows` draws, one letter a cell, one line a row. The region takes the drawing's
    /// size and keeps its position. Weights become 1.
    ///
    /// `#` `@` `T` are solid, `.` `G` `S` open, `~` `W` open and of terrain 1. A text that begins with `type octile` is a
    /// map of the Moving AI benchmarks: there `.` `G` `S` are open and `@` `O` `T` `W` solid. An unknown letter or a row of
    /// another length is an error, and nothing changes.
    ///
    /// ```gdscript
    /// grid.set_from_text("""
    ///     ..#..
    ///     ..#~~
    ///     .....
    /// """)
    /// ```
    #[func(gd_self)]
    fn set_from_text(mut this: Gd<Self>, rows: GString) {
        let origin = this.bind_mut().world.terrain().region();
        let text = rows.to_string();
        let drawn = Terrain::from_text(&text, Cell::new(origin.x, origin.y));
        if let Some(terrain) = reported("PathForgeGrid.set_from_text", drawn) {
            Self::replace(this, terrain);
        }
    }
}

impl PathForgeGrid {
    /// Makes an edit and announces what it changed, or reports why it cannot be made.
    pub(super) fn edit(
        this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, EditError>,
    ) {
        Self::change(this, |grid| reported(method, edit(grid.world.terrain_mut())).flatten());
    }

    /// An edit that gives every cell what it is: it makes the map, and is never what closed a way.
    pub(super) fn make(
        this: Gd<Self>,
        method: &str,
        edit: impl FnOnce(&mut Terrain) -> Result<Option<CellRect>, EditError>,
    ) {
        Self::change(this, |grid| {
            let changed = reported(method, edit(grid.world.terrain_mut())).flatten()?;
            grid.world.end_making();
            Some(changed)
        });
    }

    /// Changes cells and announces which.
    fn change(mut this: Gd<Self>, work: impl FnOnce(&mut Self) -> Option<CellRect>) {
        let changed = {
            let mut grid = this.bind_mut();
            work(&mut grid).and_then(|rect| grid.note(rect))
        };
        if let Some(rect) = changed {
            Self::announce(&mut this, rect);
        }
    }

    /// Replaces all cells and the region, and announces both regions as changed.
    pub(super) fn replace(mut this: Gd<Self>, terrain: Terrain) {
        let changed = this.bind_mut().replace_cells(terrain);
        if let Some(rect) = changed {
            Self::announce(&mut this, rect);
        }
    }

    /// Replaces all cells and the region; returns what is to be announced.
    pub(super) fn replace_cells(&mut self, terrain: Terrain) -> Option<CellRect> {
        let old = self.world.terrain();
        if old.region() == terrain.region() && old.state_hash() == terrain.state_hash() {
            return None;
        }
        let both = old.region().union(terrain.region());
        self.world.replace_terrain(terrain);
        self.note(both)
    }

    /// Takes down a change; returns what is to be announced now.
    fn note(&mut self, rect: CellRect) -> Option<CellRect> {
        self.edits.count += 1;
        self.redraw_soon();
        if self.edits.depth == 0 {
            return Some(rect);
        }
        let pending = &mut self.edits.pending;
        *pending = Some(pending.map_or(rect, |earlier| earlier.union(rect)));
        None
    }

    /// How many edits were announced so far.
    pub fn edit_number(&self) -> u64 {
        self.edits.announced
    }

    /// What was announced after the first `number` edits; `None` when that is too long ago.
    pub fn edits_since(&self, number: u64) -> Option<impl Iterator<Item = CellRect>> {
        let behind = self.edits.announced.checked_sub(number).and_then(|n| usize::try_from(n).ok())?;
        let first = self.edits.recent.len().checked_sub(behind)?;
        Some(self.edits.recent.range(first..).copied())
    }

    /// Emits `cells_changed`. The grid may be gone afterwards.
    fn announce(this: &mut Gd<Self>, rect: CellRect) {
        if this.bind_mut().go_deeper(rect) {
            if godot::init::is_main_thread() || !this.is_inside_tree() {
                this.signals().cells_changed().emit(convert::region(rect));
            } else {
                // The engine lets no other thread emit signals of nodes that are in the tree.
                let region = convert::region(rect).to_variant();
                this.call_deferred("emit_signal", &["cells_changed".to_variant(), region]);
            }
            if this.is_instance_valid() {
                this.bind_mut().edits.announcements -= 1;
            }
        }
    }

    /// Whether handlers of `cells_changed` are running.
    pub fn is_announcing(this: Gd<Self>) -> bool {
        Self::look(this, |grid| grid.edits.announcements > 0)
    }

    /// Counts one more announcement on the way, unless handlers that edit the grid again and again would exhaust the stack.
    fn go_deeper(&mut self, rect: CellRect) -> bool {
        self.edits.remember(rect);
        let goes = self.edits.announcements < ANNOUNCEMENTS_MAX;
        if goes {
            self.edits.announcements += 1;
        } else {
            report(
                "PathForgeGrid.cells_changed",
                format_args!(
                    "handlers have edited the grid {ANNOUNCEMENTS_MAX} deep; this edit is not announced"
                ),
            );
        }
        goes
    }

    /// Announces a change from a setter, which has the grid borrowed; handlers can use it all the same.
    pub(super) fn announce_from_inside(&mut self, rect: CellRect) {
        if let Some(rect) = self.note(rect) {
            self.announce_noted(rect);
        }
    }

    /// The same for a change that was taken down already.
    pub(super) fn announce_noted(&mut self, rect: CellRect) {
        if self.go_deeper(rect) {
            self.signals().cells_changed().emit(convert::region(rect));
            self.edits.announcements -= 1;
        }
    }

    /// A short look: shared on the main thread, where that costs less, and exclusive on others, which must be.
    pub(super) fn look<T>(mut this: Gd<Self>, look: impl FnOnce(&Self) -> T) -> T {
        if godot::init::is_main_thread() { look(&this.bind()) } else { look(&this.bind_mut()) }
    }

    /// What `read` finds at a cell; `fallback` after an error when it lies outside.
    pub(super) fn read<T>(
        &self,
        method: &str,
        vector: Vector2i,
        fallback: T,
        read: impl FnOnce(&Terrain, Cell) -> T,
    ) -> T {
        let terrain = self.world.terrain();
        match reported(method, terrain.local(cell(vector))) {
            Some(_) => read(terrain, cell(vector)),
            None => fallback,
        }
    }
}
