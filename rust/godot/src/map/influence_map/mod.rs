//! `InfluenceMap`: danger, desire or congestion over a grid.
//!
//! This file has the class: properties and what the engine calls. Putting stamps down is in `stamps`, asking
//! in `queries`, listening to the grid and telling it what has changed in `link`.

mod link;
mod overlay;
mod queries;
mod stamps;

use std::sync::Arc;

use godot::classes::notify::CanvasItemNotification;
use godot::classes::{Engine, INode2D, Node2D};
use godot::prelude::*;
use pathforge_core::geometry::CellRect;
use pathforge_core::influence::{Falloff, InfluenceMap as CoreMap, InfluenceSettings, SourceId};

use crate::engine::frames::{Frame, Frames};
use crate::engine::state::{HasState, Own, Rank, State};
use crate::map::grid::PathForgeGrid;
use crate::map::grid_link::{GridLink, NO_GRID_WARNING};
use crate::overlay::Overlay;
use crate::script::node_arg;
use crate::script::properties::class_api;
use overlay::InfluenceOverlay;

/// Holds a value for each cell of a [PathForgeGrid] that says what is near: danger around towers, the scent
/// of food, a crowd's congestion.
///
/// [i]Stamps[/i] make the values. Each has a strength in its middle that falls off to its radius; where
/// several lie, they add up. [method add_stamp] puts a stamp on a cell, [method attach_stamp] on a node that
/// it follows. With time, values fade by [member decay_per_second] and flow to the cells beside them by
/// [member spread]. Attached stamps do not fade, and replace what flows away from them. Values are shown from
/// −16384 to 16384. Larger sums are kept whole, so a stamp that is removed leaves nothing behind.
///
/// To make paths and flow fields avoid it, add the map to [member PathForgeGrid.influences] and set [member
/// PathForgeProfile.influence_weights] for each kind of body. A cell then costs its weight times the
/// terrain's cost, plus the influence times the profile's weight. A sum below zero counts as zero, and the
/// minimum cost of a step is 1/70 of a cell width, so paths are optimal whatever the influence.
///
/// ```gdscript
/// var danger := InfluenceMap.new()
/// danger.decay_per_second = 0.5
/// grid.add_child(danger)
/// grid.influences = [danger]
/// scout.influence_weights = [2.0] # Scouts are afraid.
///
/// danger.attach_stamp(tower, 6.0, 8.0) # As long as the tower is there, wherever it is moved.
/// danger.add_stamp(cell_of_explosion, 20.0, 5.0) # Half of it is gone after a second.
/// var path := grid.find_path(start, goal, scout)
/// ```
///
/// Values are multiples of [member quantum], and time passes in ticks of about 3 % of change: so slow decay
/// does not change every field in every frame.
#[derive(GodotClass)]
#[class(init, tool, base = Node2D)]
#[allow(clippy::struct_excessive_bools)] // Properties.
pub struct InfluenceMap {
    base: Base<Node2D>,

    /// The grid whose cells have influence. Unset, it is the nearest [PathForgeGrid]: an ancestor, or a child
    /// of one.
    #[export]
    #[var(get, set)]
    grid: node_arg::PhantomVar<PathForgeGrid>,

    /// The share of a value that fades away in a second, from 0, which keeps it for ever, to 1.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,1,0.01,suffix:/s")]
    decay_per_second: PhantomVar<f64>,

    /// The share of a value that flows to the four cells beside it in a second, from 0 to 1.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0,1,0.01,suffix:/s")]
    spread: PhantomVar<f64>,

    /// If [code]true[/code], solid cells block influence: stamps reach around them as far as a walk of their
    /// radius does, and nothing flows through them. Cells right beside the middle of a stamp do not block it,
    /// so that a tower may be solid itself.
    #[export]
    #[var(set)]
    blocked_by_solid: bool,

    /// If [code]true[/code], time passes by itself, in each frame of the running game. Otherwise it passes
    /// with [method step] only. Nodes that stamps are attached to are looked at in the same frames.
    #[export]
    #[init(val = true)]
    auto_step: bool,

    /// Values are multiples of this, above zero. Larger steps change less often, so fields and paths stay
    /// fresh longer.
    #[export]
    #[var(get, set, hint = RANGE, hint_string = "0.001,1,0.001,or_greater,exp")]
    quantum: PhantomVar<f64>,

    /// If [code]true[/code], the overlay is drawn in the running game: influence above zero as warm heat,
    /// below as cold.
    #[export]
    #[export_group(name = "Debug", prefix = "debug_")]
    debug_enabled: bool,

    /// The value, above or below zero, at which the overlay is strongest.
    #[export(range = (0.1, 100.0, 0.1, or_greater))]
    #[init(val = 8.0)]
    debug_full_value: f32,

    #[init(val = Own::new(Rank::Influence, CoreMap::new(CellRect::default(), InfluenceSettings::default())))]
    map: Own<CoreMap>,
    attached: Vec<Attached>,
    link: GridLink,
    /// The grid whose edits are heard.
    heard: Option<InstanceId>,
    /// Counts the changes of what is shown.
    changes: u64,
    overlay: InfluenceOverlay,
    frames: Frames,
}

/// A stamp that follows a node.
struct Attached {
    stamp: SourceId,
    node: InstanceId,
}

impl HasState for InfluenceMap {
    type State = CoreMap;

    fn state(&self) -> &Arc<State<CoreMap>> {
        &self.map
    }
}

#[godot_api]
impl INode2D for InfluenceMap {
    fn on_notification(&mut self, what: CanvasItemNotification) {
        use CanvasItemNotification as What;
        self.link.notice(what);
        if matches!(what, What::PARENTED | What::ENTER_TREE | What::READY) {
            self.hear_grid();
        }
        match what {
            What::ENTER_TREE => self.frames.enter(&self.to_gd(), Frame::Process, Self::process),
            What::EXIT_TREE => self.frames.exit(&self.to_gd().upcast()),
            What::DRAW => self.draw_overlay(),
            What::PREDELETE => self.leave_grid(),
            _ => {}
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        let grid = self.link.seen_from(&self.to_gd().upcast());
        match grid {
            None => {
                warnings.push(NO_GRID_WARNING);
            }
            Some(grid) if !grid.bind().has_influence(self.base().instance_id()) => {
                warnings.push("The grid does not know of this map, so it weighs on no path. Add it to the grid's Influences.");
            }
            Some(_) => {}
        }
        warnings
    }
}

impl InfluenceMap {
    fn process(mut this: Gd<Self>, delta: f64) {
        let steps = this.bind().auto_step && !Engine::singleton().is_editor_hint();
        if steps {
            Self::pass_time(this.clone(), delta);
        }
        if this.is_instance_valid() {
            this.bind_mut().refresh_overlay();
        }
    }
}

class_api! {
    impl InfluenceMap;

    {
        /// Emitted when values have changed, once for each call or frame that changed some, with a region
        /// that holds all cells whose value changed.
        #[signal]
        fn influence_changed(region: Rect2i);

        /// The grid's cells have changed.
        #[func(gd_self)]
        fn _on_grid_cells_changed(this: Gd<Self>, region: Rect2i) {
            let rect = crate::script::convert::rect(region);
            Self::change(this, None, |map, solid| {
                if solid.is_some() {
                    map.update_obstacles(rect, solid);
                }
            });
        }
    }

    /// A stamp has its full strength everywhere within its radius.
    const FALLOFF_NONE = Falloff::None as i64;
    /// A stamp falls off evenly, to nothing at its radius. The default.
    const FALLOFF_LINEAR = Falloff::Linear as i64;
    /// A stamp falls off slowly at first and at last.
    const FALLOFF_SMOOTH = Falloff::Smooth as i64;
    /// A stamp falls off fast at first: the square of the linear one.
    const FALLOFF_QUADRATIC = Falloff::Quadratic as i64;

    grid in link then |this| this.change_from_inside(|_, _| ());

    get get_decay_per_second() -> f64 = |this| this.map.lock().settings().decay_per_second;
    set set_decay_per_second(decay_per_second: f64) = |this| {
        let decay_per_second = decay_per_second.within(0.0..=1.0)?;
        this.change_settings(|settings| settings.decay_per_second = decay_per_second);
    };

    get get_spread() -> f64 = |this| this.map.lock().settings().spread_per_second;
    set set_spread(spread: f64) = |this| {
        let spread_per_second = spread.within(0.0..=1.0)?;
        this.change_settings(|settings| settings.spread_per_second = spread_per_second);
    };

    set set_blocked_by_solid(blocked_by_solid: bool) = |this| {
        if this.blocked_by_solid != blocked_by_solid.value {
            this.blocked_by_solid = blocked_by_solid.value;
            this.change_from_inside(|map, solid| map.update_obstacles(map.region(), solid));
        }
    };

    get get_quantum() -> f64 = |this| f64::from(this.map.lock().settings().quantum);
    set set_quantum(quantum: f64) = |this| {
        let quantum = quantum.single_precision().above_zero()?;
        this.change_settings(|settings| settings.quantum = quantum);
        this.change_from_inside(|_, _| ());
    };
}

impl InfluenceMap {
    fn change_settings(&mut self, change: impl FnOnce(&mut InfluenceSettings)) {
        let mut map = self.map.lock();
        let mut settings = map.settings();
        change(&mut settings);
        map.set_settings(settings);
    }
}
