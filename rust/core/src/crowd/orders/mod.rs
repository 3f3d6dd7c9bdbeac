//! What a game gives: agents, orders, places, marches, bodies that it moves itself.

mod cross_links;
pub(in crate::crowd) mod driven;
pub(in crate::crowd) mod given;
pub(in crate::crowd) mod lead_march;
pub(in crate::crowd) mod members;
pub(in crate::crowd) mod place_candidates;
pub(in crate::crowd) mod places;
