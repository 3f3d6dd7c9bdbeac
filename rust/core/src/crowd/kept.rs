//! All that a crowd keeps, as arrays with one element an agent.

use crate::crowd::contact::Contact;
use crate::crowd::ground::map::Kinds;
use crate::crowd::ground::neighbours::{Bins, Most, Neighbours};
use crate::crowd::ground::settle_radius::{Areas, SettleRadii};
use crate::crowd::guide::detours::Detours;
use crate::crowd::guide::gathering::Room;
use crate::crowd::guide::march::March;
use crate::crowd::state::agent::Agent;
use crate::crowd::state::avoidance::Avoidance;
use crate::crowd::state::body::Body;
use crate::crowd::state::crossing::Passage;
use crate::crowd::state::routes::Routes;
use crate::crowd::state::spec::CrowdSettings;

/// Agents that walk by fields and paths, and avoid each other.
///
/// ```
/// use pathforge_core::crowd::{AgentSpec, AgentState, Crowd, CrowdField, CrowdGround, CrowdSettings};
/// use pathforge_core::field::{FieldBuilder, FlowField};
/// use pathforge_core::geometry::{Cell, CellRect};
/// use pathforge_core::world::{Profile, World};
///
/// let mut world = World::new(CellRect::new(0, 0, 20, 5))?;
/// let source = world.field_source(&Profile::default());
/// let mut field = FlowField::default();
/// FieldBuilder::default().build(source.ground(), &[Cell::new(15, 2)], None, &mut field);
/// let field = field.into();
/// let (layers, fields) = ([source.placements()], [Some(CrowdField { field: &field, group: 0 })]);
/// let ground = CrowdGround { region: source.region(), revision: 0, layers: &layers, costs: &[], fields: &fields };
///
/// let mut crowd = Crowd::new(CrowdSettings::default());
/// let kind = crowd.kind(Profile::default().layer_key());
/// let agent = AgentSpec { x: 2.5, y: 2.5, kind, speed: 4.0, radius: 0.4 };
/// let id = crowd.add(&ground, &[agent])[0].expect("it fits there");
/// crowd.assign_field(&[id], 0);
/// for _ in 0..300 {
///     crowd.step(1.0 / 60.0, &ground)?;
/// }
/// assert_eq!(crowd.view(id).map(|agent| agent.state), Some(AgentState::Arrived));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    pub(super) settings: CrowdSettings,
    pub(super) kinds: Kinds,
    pub(super) routes: Routes,
    /// The region's corner, from which positions count, and the revision of the layers that all bodies fit.
    pub(super) origin: (i32, i32),
    pub(super) revision: Option<u64>,
    pub(super) next_id: u32,
    pub(super) substeps: u32,
    /// The number of the last formation, and whether one was ordered since the last step.
    pub(super) formations: u16,
    pub(super) has_orders: bool,
    /// Orders of groups of which some may still arrive.
    pub(super) orders: Vec<Order>,
    /// Groups on the march.
    pub(super) marches: Vec<March>,
    pub(super) bodies: Vec<Body>,
    pub(super) agents: Vec<Agent>,
    /// How many of them are driven.
    pub(super) driven: u32,
    /// Driven agents that have arrived since the last step, and what led them.
    pub(super) finished: Vec<(u32, u32)>,
    /// How long the last step was, in seconds.
    pub(super) last_step: f32,
    pub(super) index: Index,
    pub(super) bins: Bins,
    /// The bins hold the agents as they were sorted last.
    pub(super) is_sorted: bool,
    /// The neighbours of each agent, found so many substeps ago; 0 when it was not looked for.
    pub(super) near: Vec<Neighbours>,
    pub(super) near_age: u32,
    pub(super) most: Most,
    pub(super) areas: Areas,
    pub(super) settle_radii: SettleRadii,
    pub(super) detours: Detours,
    /// The rooms of groups that gather, by group; and fields along which some were sent since they were
    /// looked at.
    pub(super) rooms: Vec<Room>,
    /// Agents on links, by id.
    pub(super) passages: Vec<Passage>,
    pub(super) new_guides: Vec<u32>,
    pub(super) scratch: Scratch,
}

/// An order that was given to some.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Order {
    pub guide: u32,
    /// One of them has arrived, though it may have been removed since.
    pub has_arrived: bool,
    /// It was told how many are there, or that none of them comes nearer.
    pub was_told: bool,
    /// How many were there when it was told.
    pub arrived: u32,
}

crate::bytes::saved_fields!(Order { guide: u32, has_arrived: bool, was_told: bool, arrived: u32 });

/// Memory of a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub bodies: Vec<Body>,
    pub agents: Vec<Agent>,
    pub contact: Contact,
    /// The layers of all agents, or none where all avoid each other.
    pub avoidance: Vec<Avoidance>,
}

impl Crowd {
    /// Returns an empty crowd.
    pub fn new(settings: CrowdSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Returns how it behaves.
    pub const fn settings(&self) -> &CrowdSettings {
        &self.settings
    }

    /// Returns how it behaves, to be changed.
    pub const fn settings_mut(&mut self) -> &mut CrowdSettings {
        &mut self.settings
    }

    /// Returns the number of agents.
    pub const fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Returns `true` if there are no agents.
    pub const fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// An agent came, went, or is somewhere else than it walked to.
    pub(super) const fn disturb(&mut self) {
        // Bins and neighbour lists hold indices and places of before.
        self.is_sorted = false;
        self.near_age = 0;
    }

    /// Looks for the longest outline and the highest speed.
    pub(super) fn measure(&mut self) {
        self.most = Most::default();
        for (body, agent) in self.bodies.iter().zip(&self.agents) {
            self.most.include(body, agent.control.speed);
            self.most.has_layers |= agent.avoidance != Avoidance::default();
        }
    }

    /// Returns the bytes on the heap.
    pub fn memory(&self) -> usize {
        let agent = size_of::<Body>() + size_of::<Agent>();
        (self.bodies.capacity() + self.scratch.bodies.capacity()) * agent
            + self.near.capacity() * size_of::<Neighbours>()
            + self.bins.memory()
            + self.index.memory()
    }
}

/// No agent.
pub(super) const NO_INDEX: u32 = u32::MAX;
/// Where the agent with each id is, made when it is asked for after a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    pub all: Vec<u32>,
    is_current: bool,
}

impl Index {
    pub const fn forget(&mut self) {
        self.is_current = false;
    }

    /// An agent was added at the end.
    pub fn added(&mut self, id: u32, index: usize) {
        if self.is_current {
            // Ids are given in ascending order: a new one is behind all others.
            self.all.resize(id as usize, NO_INDEX);
            self.all.push(index as u32);
        }
    }

    pub fn update(&mut self, agents: &[Agent], ids: u32) {
        // Not after each removal: games remove many in a frame, and a list for all of them is made once.
        if self.is_current {
            return;
        }
        self.all.clear();
        self.all.resize(ids as usize, NO_INDEX);
        for (index, agent) in agents.iter().enumerate() {
            self.all[agent.id as usize] = index as u32;
        }
        self.is_current = true;
    }

    pub fn of(&self, id: u32) -> Option<usize> {
        self.all.get(id as usize).filter(|&&index| index != NO_INDEX).map(|&index| index as usize)
    }

    pub fn memory(&self) -> usize {
        self.all.capacity() * 4
    }
}
