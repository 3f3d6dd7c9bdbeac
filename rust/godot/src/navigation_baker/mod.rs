//! `PathForgeNavigationBaker`: navigation polygons for an agent's shape, from tile maps or a grid.

mod bakes;
mod collection;
mod job;
mod output;
mod overlay;
mod polygons;
mod stages;

use std::sync::mpsc::Receiver;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, NavigationPolygon, Node2D, TileMapLayer};
use godot::prelude::*;
use pathforge_core::navmesh::{BakeSettings, Corner, EmptyReason, PixelRect, TileGrid};

use crate::array_property::NodeArray;
use crate::convert;
use crate::errors::{report, reported};
use crate::frames::{self, Frame, Frames};
use crate::grid::PathForgeGrid;
use crate::grid_link::GridLink;
use crate::tile_maps;
use crate::warnings::{self, Warned};
use collection::{Cells, Layer, Sets};
use job::Outcome;
use output::Regions;
use overlay::StageOverlay;

/// Bakes a `NavigationPolygon` that is right for an agent's shape: where the agent's centre may be so that all of it is
/// on the floor and none of it in a collider.
///
/// The floor are the navigation polygons of the tiles of [member source_layers], colliders their collision polygons, of
/// any shape and in any order. Merged, shrunk by [member agent_half_extents], which may differ in x and y, and cut into
/// few convex polygons, they give paths that are straight where the ground allows it. Without layers, the open cells of
/// [member grid] are the floor.
///
/// With an [member output_parent], the map is baked in chunks too, each a `NavigationRegion2D` there: painting in one
/// place then bakes only its chunks again, with [method rebake]. They fit each other corner for corner.
///
/// ```gdscript
/// @onready var baker: PathForgeNavigationBaker = $PathForgeNavigationBaker
///
/// func _ready() -> void:
///     baker.source_layers = [$Floor, $Walls]
///     baker.agent_half_extents = Vector2(12, 5) # Wide and low.
///     $NavigationRegion2D.navigation_polygon = baker.bake()
/// ```
///
/// Solid outlines and all polygons are wound so that `Geometry2D.is_polygon_clockwise` says false, holes the other way
/// round. Corners are 1/64 pixel apart at least, finer than a navigation map of the default settings tells apart; so a
/// baker in the scene tree sets the `merge_rasterizer_cell_scale` of its map to 0.01.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct PathForgeNavigationBaker {
    base: Base<Node2D>,

    /// The tile map layers whose tiles are baked. Any layout will do.
    #[export]
    #[var(get = get_source_layers, set = set_source_layers)]
    source_layers: PhantomVar<NodeArray<TileMapLayer>>,

    /// The physics layers of the tile sets whose collision polygons are colliders: bit n stands for physics layer n.
    #[export]
    #[var(
        get = get_physics_layers,
        set = set_physics_layers,
        hint = FLAGS,
        hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31"
    )]
    physics_layers: PhantomVar<i64>,

    /// The navigation layer of the tile sets whose polygons are the floor.
    #[export]
    #[var(get = get_navigation_layer, set = set_navigation_layer, hint = RANGE, hint_string = "0,31,1,or_greater")]
    navigation_layer: PhantomVar<i64>,

    /// The grid whose open cells are the floor when there are no [member source_layers]. Unset, it is the nearest
    /// [PathForgeGrid]: an ancestor, or a child of one. Rectangular cells and box corners are baked by a faster method.
    #[export]
    #[var(get = get_grid, set = set_grid)]
    grid: PhantomVar<Option<Gd<PathForgeGrid>>>,

    /// How far the agent reaches from its centre, right and left, up and down: half its width and half its height.
    #[export]
    #[export_group(name = "Agent")]
    #[var(
        get = get_agent_half_extents,
        set = set_agent_half_extents,
        hint = RANGE,
        hint_string = "0,256,0.01,or_greater,hide_slider,suffix:px"
    )]
    agent_half_extents: PhantomVar<Vector2>,

    /// The agent's outline: [constant CORNER_BOX] or [constant CORNER_ROUND].
    #[export]
    #[var(get = get_corner, set = set_corner, hint = ENUM, hint_string = "Box,Round")]
    corner: PhantomVar<i64>,

    /// Where the baker keeps a `NavigationRegion2D` for each chunk. Unset, there are no chunks. The regions are not
    /// saved with the scene.
    #[export]
    #[export_group(name = "Output")]
    #[var(get = get_output_parent, set = set_output_parent)]
    output_parent: PhantomVar<Option<Gd<Node2D>>>,

    /// The side of a chunk in tiles, or in cells of the grid, 4 to 16384. Small chunks are quicker to bake again; paths
    /// are found a little quicker on large ones, and are about as long on both.
    #[export]
    #[var(get = get_chunk_tiles, set = set_chunk_tiles, hint = RANGE, hint_string = "4,128,1,or_greater,suffix:tiles")]
    chunk_tiles: PhantomVar<i64>,

    /// The navigation layers of the regions, as agents choose among them.
    #[export]
    #[var(get = get_region_layers, set = set_region_layers, hint = LAYERS_2D_NAVIGATION)]
    region_layers: PhantomVar<i64>,

    /// If [code]true[/code], [method bake] is called when the node is ready, in the game and in the editor.
    #[export]
    bake_on_ready: bool,

    /// If [code]true[/code], the overlay is drawn in the running game: the outlines of [member debug_stage].
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay is drawn in the editor.
    #[export]
    #[init(val = true)]
    debug_in_editor: bool,

    /// The stage of the last bake that the overlay shows; see [method get_stage].
    #[export]
    #[var(
        get = get_debug_stage,
        set = set_debug_stage,
        hint = ENUM,
        hint_string = "nav_collected,nav_merged,nav_adjusted,nav_clipped,nav_holes_merged,colliders_collected,colliders_merged,colliders_adjusted,colliders_holes_reduced,subtracted,result"
    )]
    debug_stage: PhantomVar<GString>,

    layers: Array<Option<Gd<TileMapLayer>>>,
    #[init(val = collection::Wanted { physics_layers: u32::MAX, navigation_layer: 0 })]
    wanted: collection::Wanted,
    #[init(val = 1)]
    regions_on: u32,
    link: GridLink,
    #[init(val = BakeSettings::new([8.0, 8.0], Corner::Box).unwrap_or_default())]
    settings: BakeSettings,
    parent: Option<InstanceId>,
    #[init(val = 16)]
    chunk_side: i64,
    work: Work,
    job: Option<Receiver<Answer>>,
    /// What was asked for while a job ran: rectangles to bake again.
    repaint: Vec<Rect2i>,
    regions: Regions,
    reason: Option<EmptyReason>,
    overlay: StageOverlay,
    warned: Warned,
    frames: Frames,
}

/// What a job sends back: what was baked, or what is wrong.
type Answer = Result<Outcome, String>;

/// What the last bake was made from.
#[derive(Default)]
struct Work {
    layers: Vec<Layer>,
    cells: Option<Cells>,
    /// Polygons that a script gave.
    given: Option<Sets>,
    chunks: Option<TileGrid>,
    map: Option<PixelRect>,
    /// Counts the bakes.
    bakes: u64,
}

#[godot_api]
impl INode2D for PathForgeNavigationBaker {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        match what {
            What::ENTER_TREE => self.frames.enter(&self.to_gd(), Frame::Process, Self::process),
            // Right before a script's `_ready`, which finds the polygons there.
            What::POST_ENTER_TREE if self.bake_on_ready && !self.base().is_node_ready() => {
                frames::unborrowed(self, |mut this| {
                    let _ = Self::bake_now(&mut this, "PathForgeNavigationBaker.bake_on_ready");
                });
            }
            What::EXIT_TREE => self.frames.exit(&self.to_gd().upcast()),
            What::DRAW => self.draw_overlay(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let layers = tile_maps::living(&self.layers.clone().upcast_any_array());
        let grid = self.link.seen_from(&self.to_gd().upcast());
        if layers.is_empty() && grid.is_none() {
            warnings.push(
                "There is nothing to bake. Set Source Layers, or put this node beside a PathForgeGrid.",
            );
        }
        for layer in layers {
            let Some(tile_set) = layer.get_tile_set() else {
                warnings.push(&format!("The layer {} has no tile set.", layer.get_name()));
                continue;
            };
            if tile_set.get_navigation_layers_count() == 0 && tile_set.get_physics_layers_count() == 0 {
                let name = layer.get_name();
                warnings
                    .push(&format!("The tile set of {name} has no navigation layer and no physics layer."));
            }
        }
        warnings
    }
}

impl PathForgeNavigationBaker {
    fn process(mut this: Gd<Self>, _delta: f64) {
        Self::finish_job(this.clone());
        if this.is_instance_valid() {
            this.bind_mut().refresh_overlay();
            warnings::refresh(&mut *this.bind_mut(), |baker| &mut baker.warned);
        }
    }
}

#[godot_api]
impl PathForgeNavigationBaker {
    /// Emitted on a later frame for each [method bake_async] that was not replaced by a newer bake, with what [method
    /// bake] would have returned.
    #[signal]
    fn bake_finished(polygon: Gd<NavigationPolygon>);

    /// The agent is a box: exact for bodies whose sides lie along the axes.
    #[constant]
    const CORNER_BOX: i64 = 0;
    /// The agent is an ellipse: it may pass corners closer.
    #[constant]
    const CORNER_ROUND: i64 = 1;

    #[func]
    fn get_source_layers(&self) -> NodeArray<TileMapLayer> {
        NodeArray::of(self.layers.clone())
    }

    #[func]
    fn set_source_layers(&mut self, layers: NodeArray<TileMapLayer>) {
        if let Some(layers) = reported("PathForgeNavigationBaker.source_layers", layers.nodes()) {
            self.layers = layers;
            self.base_mut().update_configuration_warnings();
        }
    }

    #[func]
    fn get_physics_layers(&self) -> i64 {
        i64::from(self.wanted.physics_layers)
    }

    #[func]
    fn set_physics_layers(&mut self, layers: i64) {
        if let Some(bits) = layer_bits("PathForgeNavigationBaker.physics_layers", layers) {
            self.wanted.physics_layers = bits;
        }
    }

    #[func]
    fn get_region_layers(&self) -> i64 {
        i64::from(self.regions_on)
    }

    #[func]
    fn set_region_layers(&mut self, layers: i64) {
        if let Some(bits) = layer_bits("PathForgeNavigationBaker.region_layers", layers) {
            self.regions_on = bits;
        }
    }

    #[func]
    fn get_navigation_layer(&self) -> i64 {
        i64::from(self.wanted.navigation_layer)
    }

    #[func]
    fn set_navigation_layer(&mut self, layer: i64) {
        let checked = convert::choice("navigation_layer", layer, 0..=i64::from(i32::MAX));
        if let Some(layer) = reported("PathForgeNavigationBaker.navigation_layer", checked) {
            self.wanted.navigation_layer = layer as i32;
        }
    }

    #[func]
    fn get_grid(&self) -> Option<Gd<PathForgeGrid>> {
        self.link.named()
    }

    #[func]
    fn set_grid(&mut self, grid: Option<Gd<PathForgeGrid>>) {
        self.link.name(grid.as_ref());
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn get_agent_half_extents(&self) -> Vector2 {
        let [x, y] = self.settings.half_extents_px();
        Vector2::new(x as f32, y as f32)
    }

    #[func]
    fn set_agent_half_extents(&mut self, half_extents: Vector2) {
        let half = [f64::from(half_extents.x), f64::from(half_extents.y)];
        let settings = BakeSettings::new(half, self.settings.corner());
        if let Some(settings) = reported("PathForgeNavigationBaker.agent_half_extents", settings) {
            self.settings = settings;
        }
    }

    #[func]
    fn get_corner(&self) -> i64 {
        match self.settings.corner() {
            Corner::Box => Self::CORNER_BOX,
            Corner::Round => Self::CORNER_ROUND,
        }
    }

    #[func]
    fn set_corner(&mut self, corner: i64) {
        let corner = match corner {
            Self::CORNER_BOX => Corner::Box,
            Self::CORNER_ROUND => Corner::Round,
            _ => {
                let problem = format_args!("{corner} is not CORNER_BOX or CORNER_ROUND");
                return report("PathForgeNavigationBaker.corner", problem);
            }
        };
        if let Ok(settings) = BakeSettings::new(self.settings.half_extents_px(), corner) {
            self.settings = settings;
        }
    }

    #[func]
    fn get_output_parent(&self) -> Option<Gd<Node2D>> {
        Gd::try_from_instance_id(self.parent?).ok()
    }

    #[func]
    fn set_output_parent(&mut self, parent: Option<Gd<Node2D>>) {
        let id = parent.map(|parent| parent.instance_id());
        if id != self.parent {
            self.parent = id;
            self.regions.clear();
        }
    }

    #[func]
    fn get_chunk_tiles(&self) -> i64 {
        self.chunk_side
    }

    #[func]
    fn set_chunk_tiles(&mut self, tiles: i64) {
        let checked = convert::choice("chunk_tiles", tiles, 4..=16_384);
        if let Some(tiles) = reported("PathForgeNavigationBaker.chunk_tiles", checked)
            && tiles != self.chunk_side
        {
            self.chunk_side = tiles;
            self.regions.clear();
            self.work.chunks = None;
        }
    }

    #[func]
    fn get_debug_stage(&self) -> GString {
        GString::from(self.overlay.stage.name())
    }

    #[func]
    fn set_debug_stage(&mut self, name: GString) {
        if let Some(stage) = reported("PathForgeNavigationBaker.debug_stage", stages::stage(&name)) {
            self.overlay.stage = stage;
        }
    }
}

/// Layers as bits; `None` after an error.
fn layer_bits(property: &str, layers: i64) -> Option<u32> {
    let bits = u32::try_from(layers);
    reported(property, bits.map_err(|_| format!("{layers} is not within 0 and 4294967295 (32 bits)")))
}
