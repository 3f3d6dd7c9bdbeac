//! Baking: at once, on a worker, or again where something was painted.

use std::sync::mpsc::{TryRecvError, channel};

use godot::classes::{NavigationPolygon, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::world::Workers;
use pathforge_navmesh::{BakeSets, PixelRect, TileGrid, bake};

use super::arrival::Arrival;
use super::collection::{Cells, Collection, Layer};
use super::job::{Job, Outcome, chunks_of};
use super::output::{self, Style};
use super::polygons::push;
use super::{PathForgeNavigationBaker, Work, floor};
use crate::engine::errors::{report, reported};
use crate::engine::frames;
use crate::engine::workers::{self, Crew};
use crate::map::tile_maps::Source;
use crate::script::array_of::ArrayOf;
use crate::script::convert;

#[godot_api(secondary)]
impl PathForgeNavigationBaker {
    /// Reads the layers, or the grid, bakes them, and returns the whole map as one polygon. With an [member
    /// output_parent], the regions of all chunks are baked too. It replaces a [method bake_async] under way.
    ///
    /// Without a place for the agent, the polygon is empty, and [method get_reason] says why.
    ///
    /// The time grows with the corners and with the places where sides cross. Tiles and drawn shapes take
    /// milliseconds. Random polygons with thousands of long sides that all cross take minutes: use [method
    /// bake_async] for polygons of players or generators.
    ///
    /// ```gdscript
    /// var polygon := baker.bake()
    /// if polygon.get_polygon_count() == 0:
    ///     print(baker.get_reason()) # "The agent fits nowhere on the floor that colliders leave."
    /// ```
    #[func(gd_self)]
    fn bake(mut this: Gd<Self>) -> Gd<NavigationPolygon> {
        Self::bake_now(&mut this, "PathForgeNavigationBaker.bake")
    }

    /// Reads the layers, or the grid, and bakes them on a worker while the game goes on. [signal
    /// bake_finished] follows on a later frame while the node is in the scene tree, unless a newer bake
    /// replaces this one. What is painted meanwhile needs a [method rebake].
    ///
    /// ```gdscript
    /// baker.bake_async()
    /// var polygon: NavigationPolygon = await baker.bake_finished
    /// ```
    #[func]
    fn bake_async(&mut self) {
        let (sender, receiver) = channel();
        self.job = Some(receiver);
        self.repaint.clear();
        match reported("PathForgeNavigationBaker.bake_async", self.prepare()) {
            Some(job) => Crew.spawn(Box::new(move || {
                // A freed node has no listeners.
                let _ = sender.send(job.run().map(Some).map_err(|problem| problem.to_string()));
            })),
            None => {
                // It was reported already.
                let _ = sender.send(Ok(None));
            }
        }
    }

    /// Bakes again what has changed in `rect`, in tiles (or cells, for a grid): only the chunks that it
    /// touches. Without an [member output_parent] there are no chunks, and everything is baked again. Returns
    /// how many regions were made anew.
    ///
    /// While a [method bake_async] is under way, it waits for its end and returns 0.
    ///
    /// ```gdscript
    /// func _on_tile_painted(tile: Vector2i) -> void:
    ///     floor_layer.set_cell(tile, 0, GRASS)
    ///     baker.rebake(Rect2i(tile, Vector2i.ONE))
    /// ```
    #[func]
    fn rebake(&mut self, rect: Rect2i) -> i64 {
        let method = "PathForgeNavigationBaker.rebake";
        let Some(rect) = reported(method, convert::fill_rect(rect)) else { return 0 };
        if rect.is_empty() {
            return 0;
        }
        if self.job.is_some() {
            self.repaint.push(convert::region(rect));
            return 0;
        }
        let job = reported(method, self.prepare_again(rect));
        job.and_then(|job| self.run_here(method, &job)).unwrap_or(0) as i64
    }

    /// Bakes polygons that are no tiles: a floor, and obstacles on it. Arrays of `PackedVector2Array` in the
    /// node's local space; any shape, order and winding. The layers are not read. Returns the polygon, an
    /// empty one after an error.
    ///
    /// ```gdscript
    /// var room := PackedVector2Array([Vector2(0, 0), Vector2(320, 0), Vector2(320, 200), Vector2(0, 200)])
    /// region.navigation_polygon = baker.bake_from_polygons([room], [$Table.polygon])
    /// ```
    #[func]
    fn bake_from_polygons(
        &mut self,
        floor: ArrayOf<PackedVector2Array>,
        #[opt(default = ArrayOf::none())] obstacles: ArrayOf<PackedVector2Array>,
    ) -> Gd<NavigationPolygon> {
        let method = "PathForgeNavigationBaker.bake_from_polygons";
        let mut sets = BakeSets::default();
        let pushed = push(&mut sets.floor, "floor", &floor)
            .and_then(|()| push(&mut sets.colliders, "obstacles", &obstacles));
        if reported(method, pushed).is_none() {
            return NavigationPolygon::new_gd();
        }
        let mesh = bake(&sets.floor, &sets.colliders, &self.settings);
        self.reason = mesh.empty_reason();
        self.job = None;
        let bakes = self.work.bakes + 1;
        self.work = Work { given: Some(sets), bakes, ..Work::default() };
        output::navigation_polygon(&mesh, self.map_cell_size())
    }

    /// Returns why the last bake is empty, in words; an empty text when it is not.
    #[func]
    fn get_reason(&self) -> GString {
        use pathforge_navmesh::EmptyReason;
        GString::from(match self.reason {
            None => "",
            Some(EmptyReason::NoFloor) => {
                "There is no floor: no navigation polygon with an area was found. Floor without them: floor_rect."
            }
            Some(EmptyReason::FloorCovered) => "Colliders cover the whole floor.",
            Some(_) => "The agent fits nowhere on the floor that colliders leave.",
        })
    }

    /// Returns how many regions the baker keeps in [member output_parent].
    #[func]
    fn get_region_count(&self) -> i64 {
        self.regions.len() as i64
    }
}

impl PathForgeNavigationBaker {
    /// Bakes everything on this thread.
    pub(super) fn bake_now(this: &mut Gd<Self>, method: &str) -> Gd<NavigationPolygon> {
        let mut baker = this.bind_mut();
        baker.job = None;
        baker.repaint.clear();
        let answer = reported(method, baker.prepare()).map(|job| job.run());
        let outcome = answer.and_then(|answer| reported(method, answer));
        // After an error, the regions of the last bake stay.
        outcome.map_or_else(NavigationPolygon::new_gd, |outcome| baker.take(method, outcome, true))
    }

    /// Hands out what a worker has baked.
    pub(super) fn finish_job(mut this: Gd<Self>) {
        let method = "PathForgeNavigationBaker.bake_async";
        let polygon = {
            let mut baker = this.bind_mut();
            let Some(receiver) = &baker.job else { return };
            workers::do_waiting_work(std::time::Instant::now());
            let answer = match receiver.try_recv() {
                Ok(answer) => answer,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => Err("the worker has failed".to_owned()),
            };
            baker.job = None;
            let outcome = reported(method, answer).flatten();
            let polygon =
                outcome.map_or_else(NavigationPolygon::new_gd, |outcome| baker.take(method, outcome, true));
            for rect in std::mem::take(&mut baker.repaint) {
                baker.rebake(rect);
            }
            polygon
        };
        this.signals().bake_finished().emit(&polygon);
    }

    /// Reads everything; what to bake.
    pub(super) fn prepare(&mut self) -> Result<Job, String> {
        let given_floor = floor::given(self.floor)?;
        let bakes = self.work.bakes + 1;
        self.work = Work { bakes, ..Work::default() };
        let sources = self.layers.living().into_iter().map(Source::new);
        let sources = sources.collect::<Result<Vec<_>, _>>()?;
        if sources.is_empty() {
            self.work.cells = Some(self.cells()?);
        }
        for source in &sources {
            let to_baker = self.to_local(&source.layer.get_global_transform())?;
            let layer = Layer::read(source, to_baker, self.wanted);
            self.work
                .layers
                .push(layer.map_err(|problem| format!("layer {}: {problem}", source.layer.get_name()))?);
            if self.floor_from_used_rect && given_floor.is_none() {
                self.work.floors.extend(floor::used(source, to_baker));
            }
        }
        if !sources.is_empty() {
            self.work.floors.extend(given_floor);
        }
        let collection = self.collection();
        self.work.map = collection.bounds();
        let grid = self.chunk_grid(sources.first())?;
        self.work.chunks = Some(grid);
        let chunks =
            if self.parent().is_some() { Some((grid, chunks_of(&grid, self.work.map)?)) } else { None };
        Ok(Job { collection, settings: self.settings, whole: true, chunks })
    }

    /// Reads some tiles again; what to bake.
    fn prepare_again(&mut self, rect: CellRect) -> Result<Job, String> {
        let known = !self.work.layers.is_empty() || self.work.cells.is_some();
        let (true, Some(grid), Some(_)) = (known, self.work.chunks, self.parent()) else {
            return self.prepare();
        };
        let mut changed: Option<PixelRect> = None;
        let mut note = |bounds: Option<PixelRect>| {
            if let Some(bounds) = bounds {
                changed = Some(changed.map_or(bounds, |known| known.around(bounds)));
            }
        };
        let wanted = self.wanted;
        let mut layers = std::mem::take(&mut self.work.layers);
        let mut all_kept = true;
        for layer in &mut layers {
            let node = Gd::try_from_instance_id(layer.snapshot.layer).map_err(|_| "a layer was freed")?;
            let source = Source::new(node)?;
            note(layer.bounds_of(rect));
            all_kept &= layer.read_again(&source, rect, wanted)?;
            note(layer.bounds_of(rect));
        }
        self.work.layers = layers;
        if !all_kept {
            // Painted where no layer had anything.
            return self.prepare();
        }
        if let Some(old) = self.work.cells.take() {
            let cells = self.cells()?;
            note(cells.bounds_of(rect));
            let same = cells.region == old.region && cells.to_baker == old.to_baker;
            self.work.cells = Some(cells);
            if !same {
                return self.prepare();
            }
        }
        self.work.bakes += 1;
        let collection = self.collection();
        let map = collection.bounds();
        let both = [map, self.work.map].into_iter().flatten().reduce(PixelRect::around);
        self.work.map = map;
        let chunks = match (changed, both) {
            (Some(changed), Some(both)) => grid.changed_by(changed, &self.settings, both).collect(),
            _ => Vec::new(),
        };
        Ok(Job { collection, settings: self.settings, whole: false, chunks: Some((grid, chunks)) })
    }

    fn run_here(&mut self, method: &str, job: &Job) -> Option<usize> {
        let outcome = reported(method, job.run())?;
        let count = outcome.chunks.len();
        self.take(method, outcome, job.whole);
        Some(count)
    }

    /// Shows what was baked in the regions; returns the whole.
    fn take(&mut self, method: &str, outcome: Outcome, is_all: bool) -> Gd<NavigationPolygon> {
        if let Some(mut parent) = self.parent() {
            match self.style(&parent) {
                Ok(style) => {
                    let mut regions = std::mem::take(&mut self.regions);
                    // The parent hears of its children, and it may be the baker itself.
                    frames::unborrowed(self, |_| {
                        if is_all {
                            regions.retain(&outcome.chunks);
                        }
                        for (chunk, mesh) in &outcome.chunks {
                            regions.show(&mut parent, *chunk, mesh, &style);
                        }
                    });
                    self.regions = regions;
                    if parent.is_instance_valid() && parent.is_inside_tree() {
                        let changed = self.regions.of_chunks(outcome.chunks.iter().map(|(chunk, _)| chunk));
                        self.arrival = Arrival::of(&parent, changed, self.arrival.is_some());
                    }
                }
                Err(problem) => report(method, problem),
            }
        }
        output::refine_map(&self.to_gd().upcast());
        let Some(whole) = outcome.whole else { return NavigationPolygon::new_gd() };
        self.reason = whole.empty_reason();
        output::navigation_polygon(&whole, self.map_cell_size())
    }

    fn style(&self, parent: &Gd<Node2D>) -> Result<Style, String> {
        let to_global = parent.get_global_transform();
        if to_global.determinant() == 0.0 {
            return Err("output_parent is scaled to nothing".to_owned());
        }
        Ok(Style {
            transform: to_global.affine_inverse() * self.base().get_global_transform(),
            layers: self.regions_on,
            cell_size: self.map_cell_size(),
        })
    }

    fn map_cell_size(&self) -> f32 {
        output::map_cell_size(&self.to_gd().upcast())
    }

    /// What the last bake was made from.
    pub(super) fn collection(&self) -> Collection {
        let mut collection = Collection::of(&self.work.layers);
        collection.floors.clone_from(&self.work.floors);
        collection.cells.clone_from(&self.work.cells);
        collection
    }

    fn cells(&mut self) -> Result<Cells, String> {
        let node = self.to_gd().upcast();
        let grid = self.link.resolve(&node);
        let grid = grid.ok_or("there is nothing to bake: set source_layers or grid")?;
        let to_baker = self.to_local(&grid.get_global_transform())?;
        let (open, region, geometry) = grid.bind().open_cells();
        Ok(Cells::new(open, region, &geometry, to_baker))
    }

    fn to_local(&self, to_global: &Transform2D) -> Result<Transform2D, String> {
        let own = self.base().get_global_transform();
        if own.determinant() == 0.0 || !own.is_finite() {
            return Err("the node is scaled to nothing".to_owned());
        }
        Ok(own.affine_inverse() * *to_global)
    }

    /// Chunks that begin at a corner of the first layer's tile (0, 0), or of the grid's cell.
    fn chunk_grid(&self, first: Option<&Source>) -> Result<TileGrid, String> {
        let (origin, size) = match (first, &self.work.cells) {
            (Some(source), _) => {
                let to_baker = self.to_local(&source.layer.get_global_transform())?;
                let size = source.tile_set.get_tile_size();
                let size = Vector2::new(size.x as f32, size.y as f32);
                let corner = source.layer.map_to_local(Vector2i::ZERO) - size / 2.0;
                (to_baker * corner, Vector2::new(size.x * to_baker.a.length(), size.y * to_baker.b.length()))
            }
            (None, Some(cells)) => {
                let Transform2D { a, b, origin } = cells.to_baker;
                (origin, Vector2::new(a.x.abs().max(b.x.abs()), a.y.abs().max(b.y.abs())))
            }
            (None, None) => (Vector2::ZERO, Vector2::ONE),
        };
        let side = self.chunk_tiles as f64;
        let size = [f64::from(size.x) * side, f64::from(size.y) * side];
        TileGrid::new([f64::from(origin.x), f64::from(origin.y)], size).map_err(|problem| problem.to_string())
    }
}
