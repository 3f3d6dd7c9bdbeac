//! Which nodes are on which links of a grid, so that a link has no more bodies on it than it takes.

use godot::prelude::*;

use super::PathForgeGrid;

impl PathForgeGrid {
    /// Returns `true` if a node may enter a link that takes so many bodies at a time, 0 for any number.
    pub fn enters_link(&self, node: InstanceId, link: u32, bodies_max: u32) -> bool {
        if bodies_max == 0 {
            return true;
        }
        let map = &mut *self.map();
        // A node that was freed on a link has left it.
        map.on_links.retain(|&node, _| Gd::<Object>::try_from_instance_id(node).is_ok());
        let others = map.on_links.iter().filter(|&(&other, &on)| on == link && other != node);
        others.count() < bodies_max as usize
    }

    /// A node is on a link from now on, or on none.
    pub fn note_on_link(&self, node: InstanceId, link: Option<u32>) {
        let map = &mut *self.map();
        match link {
            Some(link) => map.on_links.insert(node, link),
            None => map.on_links.remove(&node),
        };
    }

    /// Returns the tag of a link, the node that it belongs to, and how long a body takes.
    pub fn link_details(&self, id: u32) -> (String, Option<Gd<Object>>, Option<f32>) {
        let map = self.map();
        let link = map.world.terrain().link(id.into());
        let (tag, seconds) =
            link.map_or_else(|_| (String::new(), None), |it| (it.tag.to_string(), it.seconds));
        let owner = map.link_owner(id.into()).and_then(|owner| Gd::try_from_instance_id(owner).ok());
        (tag, owner, seconds)
    }
}
