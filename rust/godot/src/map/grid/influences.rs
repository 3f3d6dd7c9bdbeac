//! The influence maps that weigh on the grid's paths, and their values.

use godot::prelude::*;
use pathforge_core::bitgrid::{BitGrid, LocalRect};
use pathforge_core::passability::INFLUENCES_MAX;
use pathforge_core::raster::Raster;

use super::PathForgeGrid;
use super::map::Map;
use crate::engine::state;
use crate::map::influence_map::InfluenceMap;
use crate::script::array_of::{NodeArray, NodeList};

/// The maps by slot.
#[derive(Default)]
pub struct InfluenceSlots(NodeList<InfluenceMap>);

impl PathForgeGrid {
    pub(super) fn influence_nodes(&self) -> NodeArray<InfluenceMap> {
        let maps = self.map.lock().influences.0.clone();
        NodeArray::of_list(&maps)
    }

    pub(super) fn change_influences(&mut self, given: &NodeArray<InfluenceMap>) -> Result<(), String> {
        let maps = given.nodes()?;
        let count = maps.ids().len();
        if count > INFLUENCES_MAX {
            return Err(format!("{count} maps are more than {INFLUENCES_MAX}"));
        }
        self.map.lock().influences.0 = maps.clone();
        let maps: Vec<Option<Gd<InfluenceMap>>> = maps.places().collect();
        for slot in 0..INFLUENCES_MAX {
            self.map.lock().world.take_influence(slot);
            if let Some(Some(map)) = maps.get(slot) {
                let values = state::of(map);
                let values = values.lock();
                let world = &mut self.map.lock().world;
                // Values of another size are not for this region; the map brings new ones when it hears of
                // it.
                let all = world.terrain().layout().all();
                world.put_influence(slot, values.shown(), all);
            }
        }
        Ok(())
    }

    /// Returns `true` if a map weighs on the grid's paths.
    pub fn has_influence(&self, map: InstanceId) -> bool {
        self.map.lock().influences.0.ids().contains(&Some(map))
    }
}

impl Map {
    /// Takes in what has changed in an influence map, wherever it weighs.
    pub fn take_in_influence(&mut self, map: InstanceId, values: &Raster<f32>, rect: LocalRect) {
        for slot in self.influences.slots_of(map) {
            self.world.put_influence(slot, values, rect);
        }
    }

    /// Takes the values of an influence map away, which may come back.
    pub fn forget_influence(&mut self, map: InstanceId) {
        for slot in self.influences.slots_of(map) {
            self.world.take_influence(slot);
        }
    }

    /// The solid cells, one bit each.
    pub fn solid_cells(&self) -> &BitGrid {
        self.world.terrain().solid()
    }
}

impl InfluenceSlots {
    fn slots_of(&self, map: InstanceId) -> Vec<usize> {
        let slots = self.0.ids().iter().enumerate();
        slots.filter(|(_, own)| **own == Some(map)).map(|(slot, _)| slot).collect()
    }
}
