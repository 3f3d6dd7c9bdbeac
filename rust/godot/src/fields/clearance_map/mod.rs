//! `ClearanceMap`: how much room there is at every cell of a grid.

mod link;
mod overlay;
mod queries;

use godot::classes::{INode2D, ImageTexture, Node2D};
use godot::prelude::*;
use pathforge_core::clearance::ClearanceMetric;
use pathforge_core::terrain::Capability;
use pathforge_core::world::ClearanceKey;

use crate::engine::frames::{Frame, Frames};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{GridLink, grid_node};
use crate::overlay::Overlay;
use crate::script::enumeration::{self, Constant};
use crate::script::node_arg;
use crate::script::profile::PathForgeProfile;
use crate::script::properties::class_api;
use overlay::HeatOverlay;

/// Holds how much room there is at every cell of a [PathForgeGrid], for bodies of a [member profile].
///
/// The true clearance of a cell is the side of the largest open square with its top-left corner at the cell.
/// A body of side n fits there when clearance is at least n. The other metric, the brushfire distance, is
/// here for comparison: it counts steps to the nearest obstacle and refuses places where a body does fit.
///
/// A map follows its grid: after an edit it repairs itself where the edit can reach. It draws itself as heat,
/// with numbers where cells are large enough to read them.
///
/// ```gdscript
/// var clearance := ClearanceMap.new()
/// clearance.grid = grid
/// clearance.profile = barge # Water: where can ships lie?
/// if clearance.get_clearance(Vector2i(10, 4)) >= 3:
///     place_harbour(Vector2i(10, 4))
/// ```
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
pub struct ClearanceMap {
    base: Base<Node2D>,

    /// The grid that is measured. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// What the bodies may enter: its terrains and its ignored obstacles count as open. Its footprint does
    /// not matter. Unset, every terrain counts as open.
    #[export]
    #[var(set)]
    profile: Option<Gd<PathForgeProfile>>,

    /// What is measured: [constant METRIC_TRUE] or [constant METRIC_BRUSHFIRE].
    #[export]
    #[var(get, set, hint = ENUM, hint_string = "True,Brushfire")]
    metric: PhantomVar<Constant<enumeration::Metric>>,

    /// Where values stop growing, 1 to 255. A small maximum makes repairs after edits cheaper; [method
    /// PathForgeGrid.get_clearance] is exact beyond it.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "1,255,1,suffix:cells")]
    max_clearance: PhantomVar<i64>,

    /// If [code]true[/code], the overlay is drawn in the running game: clearance as heat, amber where it is
    /// tight.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// If [code]true[/code], the overlay has numbers in the cells, when those are large enough on the screen.
    #[export]
    #[init(val = true)]
    debug_numbers: bool,

    /// What was last measured.
    #[init(val = ClearanceKey::new(Capability::ALL, ClearanceMetric::True, u8::MAX))]
    key: ClearanceKey,
    link: GridLink,
    /// The grid whose edits are heard.
    heard: Option<InstanceId>,
    /// The number of the last change that was announced.
    seen: u64,
    texture: Option<Gd<ImageTexture>>,
    /// The number of the change, and the kind of map, that the texture shows.
    texture_of: Option<(InstanceId, u64, ClearanceKey)>,
    overlay: HeatOverlay,
    frames: Frames,
}

grid_node!(ClearanceMap, hear_grid);

impl ClearanceMap {
    fn process(mut this: Gd<Self>, _delta: f64) {
        let node = this.clone().upcast();
        let mut map = this.bind_mut();
        // The profile may have changed.
        let key = map.key;
        map.measure_anew(key);
        map.link.warn_once(&node);
        map.refresh_overlay();
    }
}

class_api! {
    impl ClearanceMap;

    {
        /// Emitted when clearance has changed, after an edit of the grid or of this node's properties, with a
        /// region that holds all cells whose value changed. An edit that changes no value emits nothing.
        #[signal]
        fn clearance_changed(region: Rect2i);

        /// The grid's cells have changed.
        #[func(gd_self)]
        fn _on_grid_cells_changed(this: Gd<Self>, _region: Rect2i) {
            Self::announce_changes(this);
        }
    }

    /// The side of the largest open square with its top-left corner at the cell.
    const METRIC_TRUE = 0;
    /// The number of steps, diagonal ones included, to the nearest obstacle. The outside of the region counts
    /// as one, edges do not.
    const METRIC_BRUSHFIRE = 1;

    grid in link then |this| this.measure_anew(this.key);

    set set_profile(profile: Option<Gd<PathForgeProfile>>) = |this| {
        this.profile = profile.value;
        this.measure_anew(this.key);
    };

    get get_metric() -> Constant<enumeration::Metric> = |this| Constant::of(this.key.metric as i64);
    set set_metric(metric: Constant<enumeration::Metric>) = |this| {
        let metric = metric.read("a METRIC_* constant", |number| match number.0 {
            Self::METRIC_TRUE => Some(ClearanceMetric::True),
            Self::METRIC_BRUSHFIRE => Some(ClearanceMetric::Brushfire),
            _ => None,
        })?;
        this.measure_anew(ClearanceKey { metric, ..this.key });
    };

    get get_max_clearance() -> i64 = |this| i64::from(this.key.max);
    set set_max_clearance(max_clearance: i64) = |this| {
        let max = max_clearance.named().within(1..=255)? as u8;
        this.measure_anew(ClearanceKey { max, ..this.key });
    };
}
