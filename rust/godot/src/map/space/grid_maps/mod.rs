//! Cells and heights from a `GridMap`, at once or as its items change.

mod forms;
mod import;
mod rules;

use godot::classes::GridMap;
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::terrain::CellChange;

use super::{PathForgeSpace3D, global_transform};
use crate::engine::errors::{report_warning, reported};
use crate::map::grid::PathForgeGrid;
use crate::map::item_rules::PathForgeItemRules;
use crate::script::array_of::ArrayOf;
use crate::script::convert;
use crate::script::node_arg::NodeArg;
use crate::script::optional_arg::ResourceArg;
use import::Changes;
pub use import::Import;
use rules::Rules;

#[godot_api(secondary)]
impl PathForgeSpace3D {
    /// Sets cells and heights from the items of a `GridMap`. Returns [code]true[/code] if it could; after an
    /// error nothing has changed. `rules` say what items mean. Without rules:
    ///
    /// - Items count by their collision shapes: at most 0.4 metres high is floor, higher is solid, and items
    ///   without shapes do not count. For a hill of blocks, use rules that name them as floor.
    /// - A cell has the height of the topmost floor at its centre. A cell without a floor is solid and keeps
    ///   its height.
    /// - A cell is solid if a solid item covers its centre between 0.4 and 2 metres above that height.
    /// - The lower cell at a step of more than 0.4 metres is solid.
    /// - Other cells are open, of terrain 0 and weight 1.
    ///
    /// Each place of the map is one cell, or 2×2 and so on: its sides are whole cells of this node, and its
    /// corner is that of a cell. Within that, the map may be moved, turned by right angles about the node's y
    /// axis and scaled. Items may be turned, and may be larger than their place. A [member
    /// PathForgeGrid.region] that was set is kept. A region that is empty or comes from an import becomes the
    /// rectangle of all places with items. An import replaces all cells, so add walls and obstacles of your
    /// own afterwards.
    ///
    /// A floor of a house, see [member floor_region], imports into its own cells only. With a [member
    /// storey_height], only floor items whose surface is within the storey are ground, from half a cell below
    /// the node on. So one map serves all floors.
    ///
    /// ```gdscript
    /// func _ready() -> void:
    ///     var rules := PathForgeItemRules.new()
    ///     rules.floor_items = ["block*", "ramp"]
    ///     if not space.import_grid_map($GridMap, rules):
    ///         print("The map could not be read: see the errors.")
    /// ```
    #[func(gd_self)]
    fn import_grid_map(
        this: Gd<Self>,
        map: NodeArg<GridMap>,
        #[opt(default = ResourceArg::NONE)] rules: ResourceArg<PathForgeItemRules>,
    ) -> bool {
        let method = "PathForgeSpace3D.import_grid_map";
        let given = map.node("map").and_then(|map| Ok((map, Rules::of(rules.0.as_ref())?)));
        let Some((map, rules)) = reported(method, given) else { return false };
        let is_done = Self::import_whole(this.clone(), method, &map, rules);
        if is_done
            && this.is_instance_valid()
            && let Some(silence) = this.bind().imported.as_ref().and_then(Import::silence)
        {
            report_warning(method, silence);
        }
        is_done
    }

    /// Reads places of the last [method import_grid_map] again after a game has changed items, by the same
    /// rules, and returns [code]true[/code] on success. Each of `places` is a `Vector3i` as
    /// `GridMap.set_cell_item` takes it; without places, the whole map is read.
    ///
    /// Only cells that the map now describes differently change, so doors that a script has closed stay
    /// closed. A map that was moved since, or another region, is imported anew. Shapes that an item has got
    /// in the mesh library since then need a new import.
    ///
    /// ```gdscript
    /// func build_wall(place: Vector3i) -> void:
    ///     grid_map.set_cell_item(place, WALL)
    ///     space.update_grid_map(grid_map, [place])
    /// ```
    #[func(gd_self)]
    fn update_grid_map(
        mut this: Gd<Self>,
        map: NodeArg<GridMap>,
        #[opt(default = ArrayOf::none())] places: ArrayOf<Vector3i>,
    ) -> bool {
        let method = "PathForgeSpace3D.update_grid_map";
        let given = map.node("map").and_then(|map| Ok((map, convert::elements("places", &places)?)));
        let Some((map, places)) = reported(method, given) else { return false };
        let started = this.bind_mut().start(method, &map);
        let Some((grid, to_space, region)) = started else { return false };
        let changes = this.bind_mut().read_again(&map, &places, to_space, region);
        match reported(method, changes) {
            None => false,
            Some(None) => {
                let rules = this.bind().imported.as_ref().map(|import| import.rules.clone());
                rules.is_some_and(|rules| Self::import_whole(this, method, &map, rules))
            }
            Some(Some(Changes { cells, heights: (raised, heights) })) => {
                Self::raise(this, region, raised, &heights, || {
                    // Items tell nothing of edges, so cells keep theirs.
                    let changes: Vec<_> =
                        cells.iter().map(|&(cell, data)| CellChange::without_edges(cell, data)).collect();
                    PathForgeGrid::take_some_cells(grid, method, &changes);
                });
                true
            }
        }
    }
}

impl PathForgeSpace3D {
    /// The grid, where the map lies in the space, and the grid's region, or an error that names `method`.
    fn start(
        &mut self,
        method: &str,
        map: &Gd<GridMap>,
    ) -> Option<(Gd<PathForgeGrid>, Transform3D, CellRect)> {
        let to_local = self.to_local(method)?;
        let grid = self.some_grid(method)?;
        let region = reported(method, self.cells_for_import())?;
        Some((grid, to_local * global_transform(&map.clone().upcast()), region))
    }

    fn import_whole(mut this: Gd<Self>, method: &str, map: &Gd<GridMap>, rules: Rules) -> bool {
        let started = this.bind_mut().start(method, map);
        let Some((grid, to_space, region)) = started else { return false };
        let read = {
            let space = this.bind();
            let took_it =
                space.imported.as_ref().is_some_and(|last| last.took_region && last.region == region);
            let kept = (!region.is_empty() && !took_it).then_some(region);
            Import::read(map, rules, &space, to_space, kept)
        };
        let Some(import) = reported(method, read) else { return false };
        let (region, told) = (import.region, import.told().clone());
        let is_storey = {
            let mut space = this.bind_mut();
            space.imported = Some(import);
            space.is_storey()
        };
        Self::raise(this, region, region, &told.heights, || {
            if is_storey {
                let cells = region.cells().zip(told.cells);
                let changes: Vec<_> = cells.map(|(cell, data)| CellChange::whole(cell, data)).collect();
                PathForgeGrid::take_some_cells(grid, method, &changes);
            } else {
                PathForgeGrid::take_cells(grid, method, region, &told.cells);
            }
        });
        true
    }

    /// What differs since the last import of `map`; `None` when it is to be imported anew.
    fn read_again(
        &mut self,
        map: &Gd<GridMap>,
        places: &[Vector3i],
        to_space: Transform3D,
        region: CellRect,
    ) -> Result<Option<Changes>, String> {
        // Taken out while it is read, as it asks the space for heights.
        let mut import = match self.imported.take() {
            Some(import) if import.map == map.instance_id() => import,
            other => {
                self.imported = other;
                let problem = "map is not the last imported map; call import_grid_map() first";
                return Err(problem.to_owned());
            }
        };
        let changes = import.read_again(map, places, self, to_space, region);
        self.imported = Some(import);
        changes
    }

    /// Gives cells of `region` heights, has `edit` change the grid, and announces what was raised. Handlers
    /// of the grid see the new heights.
    pub(super) fn raise(
        mut this: Gd<Self>,
        whole: CellRect,
        region: CellRect,
        heights: &[f32],
        edit: impl FnOnce(),
    ) {
        let is_raised = heights.iter().any(|height| !height.is_nan());
        if is_raised {
            this.bind_mut().set_heights(whole, region, heights);
        }
        edit();
        if is_raised && this.is_instance_valid() {
            this.signals().heights_changed().emit(convert::region(region));
        }
    }
}
