//! `PathForgeNavigationBaker`: navigation polygons for an agent's shape, from tile maps or a grid.

mod arrival;
mod bakes;
mod collection;
mod floor;
mod job;
mod output;
mod overlay;
mod polygons;

use std::sync::mpsc::Receiver;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{INode2D, NavigationPolygon, Node2D, TileMapLayer};
use godot::prelude::*;
use pathforge_navmesh::{
    BakeSets, BakeSettings, COORDINATE_MAX_PX, Corner, EmptyReason, PixelRect, TileGrid,
};

use crate::engine::frames::{self, Frame, Frames};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::GridLink;
use crate::script::array_of::{NodeArray, NodeList};
use crate::script::enumeration::{self, Constant};
use crate::script::node_arg::{self, NodeArg};
use crate::script::properties::class_api;
use crate::script::warnings::{self, Warned};
use arrival::Arrival;
use collection::{Cells, Layer, Quad};
use job::Outcome;
use output::Regions;
use overlay::BakeOverlay;

/// Bakes a `NavigationPolygon` for an agent's shape. The polygon is where the agent's centre may be, so that
/// all of the agent is on the floor and no part of it in a collider.
///
/// The floor is the navigation polygons of the tiles of [member source_layers]; colliders are their collision
/// polygons, of any shape and in any order. They are merged, shrunk by [member agent_half_extents], which may
/// differ in x and y, and cut into few convex polygons. So paths are straight where the ground allows it.
/// Without layers, the open cells of [member grid] are the floor. For tiles without navigation polygons, set
/// [member floor_rect] or [member floor_from_used_rect].
///
/// With an [member output_parent], the map is baked in chunks, too, each a `NavigationRegion2D` there. After
/// painting, [method rebake] bakes only the chunks that changed. Chunks fit each other corner for corner.
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
/// `Geometry2D.is_polygon_clockwise` returns [code]false[/code] for solid outlines and all polygons, and
/// [code]true[/code] for holes. Corners are at least 1/64 pixel apart, which a navigation map with default
/// settings merges. So a baker in the scene tree sets the `merge_rasterizer_cell_scale` of its map to 0.01.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct PathForgeNavigationBaker {
    base: Base<Node2D>,

    /// The tile map layers whose tiles are baked. Any layout will do.
    #[export]
    #[var(get, set)]
    source_layers: PhantomVar<NodeArray<TileMapLayer>>,

    /// The physics layers of the tile sets whose collision polygons are colliders: bit n stands for physics
    /// layer n.
    #[export]
    #[var(get, set, hint = FLAGS, hint_string = "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31")]
    physics_layers: PhantomVar<i64>,

    /// The navigation layer of the tile sets whose polygons are the floor.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,31,1,or_greater")]
    navigation_layer: PhantomVar<i64>,

    /// Walkable floor in the node's local space, besides the navigation polygons of the tiles. Colliders are
    /// cut from it, so tile sets without navigation polygons can be baked. A size of zero, the default: no
    /// such floor. Otherwise each side is at least 1/64 pixel, and no edge lies further than 4194304 pixels
    /// from the origin. Needs [member source_layers].
    ///
    /// ```gdscript
    /// baker.source_layers = [$Walls]
    /// baker.floor_rect = Rect2(0, 0, 1280, 720)
    /// ```
    #[export]
    #[var(get, set)]
    floor_rect: PhantomVar<Rect2>,

    /// If [code]true[/code] and [member floor_rect] has no size, the used rectangle of each of the [member
    /// source_layers] is floor, also where it has no tile. For isometric and hexagonal tiles that is the
    /// rectangle in pixels around the used cells. It is read by each bake of the whole map.
    #[export]
    floor_from_used_rect: bool,

    /// The grid whose open cells are the floor when there are no [member source_layers]. Unset, it is the
    /// nearest
    /// [PathForgeGrid]: an ancestor, or a child of one. Rectangular cells and box corners are baked by a faster method.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// How far the agent reaches from its centre, right and left, up and down: half its width and half its
    /// height.
    #[export]
    #[export_group(name = "Agent")]
    #[var(get, set, hint = RANGE, hint_string = "0,256,0.01,or_greater,hide_slider,suffix:px")]
    agent_half_extents: PhantomVar<Vector2>,

    /// The agent's outline: [constant CORNER_BOX] or [constant CORNER_ROUND].
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "Box,Round")]
    corner: PhantomVar<Constant<enumeration::Corner>>,

    /// How far free space may shrink along its outlines so that fewer polygons result, 0 to 1024. It never
    /// grows. With 0, the default, outlines are exact. Round agents make arcs of many corners: with 0.42
    /// times the radius, the arc around a right angle becomes one corner, as in the engine's own baking.
    /// Gaps that exceed the agent by less than twice the tolerance may close.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,16,0.01,or_greater,suffix:px")]
    outline_tolerance: PhantomVar<f64>,

    /// Where the baker keeps a `NavigationRegion2D` for each chunk. Unset, there are no chunks. The regions
    /// are not saved with the scene.
    #[export]
    #[export_group(name = "Output")]
    #[var(get, set)]
    output_parent: node_arg::PhantomVar<Node2D>,

    /// The side of a chunk in tiles, or in cells of the grid, 4 to 16384. Small chunks are quicker to bake
    /// again; paths are found a little quicker on large ones, and are about as long on both.
    #[export]
    #[var(set, hint = RANGE, hint_string = "4,128,1,or_greater,suffix:tiles")]
    #[init(val = 16)]
    chunk_tiles: i64,

    /// The navigation layers of the regions, as agents choose among them.
    #[export]
    #[var(get, set, hint = LAYERS_2D_NAVIGATION)]
    region_layers: PhantomVar<i64>,

    /// If [code]true[/code], [method bake] is called when the node is ready, in the game and in the editor.
    #[export]
    bake_on_ready: bool,

    /// If [code]true[/code], the polygons of the last bake are drawn in the running game.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay is drawn in the editor.
    #[export]
    #[init(val = true)]
    debug_in_editor: bool,

    layers: NodeList<TileMapLayer>,
    #[init(val = collection::Wanted { physics_layers: u32::MAX, navigation_layer: 0 })]
    wanted: collection::Wanted,
    #[init(val = 1)]
    regions_on: u32,
    link: GridLink,
    #[init(val = BakeSettings::new([8.0, 8.0], Corner::Box).unwrap_or_default())]
    settings: BakeSettings,
    floor: Rect2,
    parent: Option<InstanceId>,
    work: Work,
    job: Option<Receiver<Answer>>,
    /// What was asked for while a job ran: rectangles to bake again.
    repaint: Vec<Rect2i>,
    regions: Regions,
    /// Regions that the navigation map has not taken over yet.
    arrival: Option<Arrival>,
    reason: Option<EmptyReason>,
    overlay: BakeOverlay,
    warned: Warned,
    frames: Frames,
}

/// What a job sends back: what was baked, nothing after an error that was reported, or what is wrong.
type Answer = Result<Option<Outcome>, String>;

/// What the last bake was made from.
#[derive(Default)]
struct Work {
    layers: Vec<Layer>,
    cells: Option<Cells>,
    /// Floor that is no tile's.
    floors: Vec<Quad>,
    /// Polygons that a script gave.
    given: Option<BakeSets>,
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
        let layers = self.layers.living();
        let grid = self.link.seen_from(&self.to_gd().upcast());
        if layers.is_empty() && grid.is_none() {
            warnings.push(
                "There is nothing to bake. Set Source Layers, or put this node beside a PathForgeGrid.",
            );
        }
        if layers.is_empty() && (self.floor.size != Vector2::ZERO || self.floor_from_used_rect) {
            warnings.push("Floor Rect and Floor From Used Rect have no effect without Source Layers.");
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
    /// The node that has the regions.
    fn parent(&self) -> Option<Gd<Node2D>> {
        Gd::try_from_instance_id(self.parent?).ok()
    }

    /// Frees all regions.
    fn clear_regions(&mut self) {
        let mut regions = std::mem::take(&mut self.regions);
        // Handlers of what the tree emits may call the baker.
        frames::unborrowed(self, |_| regions.clear());
    }

    fn process(mut this: Gd<Self>, _delta: f64) {
        Self::finish_job(this.clone());
        if this.is_instance_valid() {
            let is_over = this.bind_mut().arrival.as_mut().is_some_and(Arrival::is_over);
            if is_over {
                this.bind_mut().arrival = None;
                this.signals().map_updated().emit();
            }
        }
        if this.is_instance_valid() {
            this.bind_mut().refresh_overlay();
            warnings::refresh(&mut *this.bind_mut(), |baker| &mut baker.warned);
        }
    }
}

class_api! {
    impl PathForgeNavigationBaker;

    {
        /// Emitted on a later frame for each [method bake_async] that was not replaced by a newer bake, with
        /// what [method bake] would have returned.
        #[signal]
        fn bake_finished(polygon: Gd<NavigationPolygon>);

        /// Emitted once the navigation map has taken over the regions of the last [method bake], [method
        /// bake_async] or [method rebake]: agents and paths then use them. That takes some frames, since the
        /// engine rebuilds maps on a thread. Needs an [member output_parent] in the scene tree. A newer bake
        /// replaces the wait.
        ///
        /// ```gdscript
        /// baker.rebake(Rect2i(tile, Vector2i.ONE))
        /// await baker.map_updated
        /// agent.target_position = goal
        /// ```
        #[signal]
        fn map_updated();
    }

    /// The agent is a box: exact for bodies whose sides lie along the axes.
    const CORNER_BOX = 0;
    /// The agent is an ellipse: it may pass corners closer.
    const CORNER_ROUND = 1;

    get get_source_layers() -> NodeArray<TileMapLayer> = |this| NodeArray::of_list(&this.layers);
    set set_source_layers(source_layers: NodeArray<TileMapLayer>) = |this| {
        this.layers = source_layers.value.nodes()?;
        this.base_mut().update_configuration_warnings();
    };

    get get_floor_rect() -> Rect2 = |this| this.floor;
    set set_floor_rect(floor_rect: Rect2) = |this| {
        this.floor = floor_rect.read(
            format_args!(
                "a rectangle with finite sides of at least 0 and edges within {COORDINATE_MAX_PX} pixels of \
                 the origin"
            ),
            |&rect| floor::is_valid(rect).then_some(rect),
        )?;
        this.base_mut().update_configuration_warnings();
    };

    get get_physics_layers() -> i64 = |this| i64::from(this.wanted.physics_layers);
    set set_physics_layers(physics_layers: i64) = |this| this.wanted.physics_layers = physics_layers.flags()?;

    get get_region_layers() -> i64 = |this| i64::from(this.regions_on);
    set set_region_layers(region_layers: i64) = |this| this.regions_on = region_layers.flags()?;

    get get_navigation_layer() -> i64 = |this| i64::from(this.wanted.navigation_layer);
    set set_navigation_layer(navigation_layer: i64) = |this| {
        let layer = navigation_layer.named().within(0..=i64::from(i32::MAX))?;
        this.wanted.navigation_layer = layer as i32;
    };

    grid in link;

    get get_agent_half_extents() -> Vector2 = |this| {
        let [x, y] = this.settings.half_extents_px();
        Vector2::new(x as f32, y as f32)
    };
    set set_agent_half_extents(agent_half_extents: Vector2) = |this| {
        let Vector2 { x, y } = agent_half_extents.value;
        let settings = BakeSettings::new([f64::from(x), f64::from(y)], this.settings.corner())?;
        this.settings = settings.with_tolerance(this.settings.tolerance_px())?;
    };

    get get_corner() -> Constant<enumeration::Corner> = |this| {
        Constant::of(this.settings.corner() as i64)
    };
    set set_corner(corner: Constant<enumeration::Corner>) = |this| {
        let corner = corner.read("CORNER_BOX or CORNER_ROUND", |number| match number.0 {
            Self::CORNER_BOX => Some(Corner::Box),
            Self::CORNER_ROUND => Some(Corner::Round),
            _ => None,
        })?;
        let settings = BakeSettings::new(this.settings.half_extents_px(), corner)?;
        this.settings = settings.with_tolerance(this.settings.tolerance_px())?;
    };

    get get_outline_tolerance() -> f64 = |this| this.settings.tolerance_px();
    set set_outline_tolerance(outline_tolerance: f64) = |this| {
        this.settings = this.settings.with_tolerance(outline_tolerance.value)?;
    };

    get get_output_parent() -> NodeArg<Node2D> = |this| this.parent().into();
    set set_output_parent(output_parent: NodeArg<Node2D>) = |this| {
        let id = output_parent.node()?.map(|parent| parent.instance_id());
        if id != this.parent {
            this.parent = id;
            this.clear_regions();
        }
    };

    set set_chunk_tiles(chunk_tiles: i64) = |this| {
        let tiles = chunk_tiles.named().within(4..=16_384)?;
        if tiles != this.chunk_tiles {
            this.chunk_tiles = tiles;
            this.work.chunks = None;
            this.clear_regions();
        }
    };
}
