//! Saving a crowd.
//!
//! Layout, all numbers little-endian: `PFN1`, the core's bytes after their length, the profiles, what is known of each id, the
//! goals by number (0: none, 1: a cell and a profile, 2: a node's field), the trips.

use godot::prelude::*;
use pathforge_core::{
    Capability, Cell, Crowd, DiagonalMode, FlowField as ExactField, Footprint, INFLUENCES_MAX,
    InfluenceWeights, ObstacleId, Profile, TERRAIN_IDS, TerrainCosts,
};

use super::goals::{Goal, Made, Trip};
use super::profiles::Known;
use super::{PathForgeCrowd, Who};
use crate::errors::reported;

const MAGIC: &[u8; 4] = b"PFN1";

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Everybody, and where they are sent, in a form that [method from_bytes] reads, for saved games and for starting a
    /// lockstep game. A node's field is named by its place only.
    #[func]
    fn to_bytes(&self) -> PackedByteArray {
        let mut bytes = MAGIC.to_vec();
        let number = |bytes: &mut Vec<u8>, value: u32| bytes.extend(value.to_le_bytes());
        let core = self.crowd.to_bytes();
        number(&mut bytes, core.len() as u32);
        bytes.extend(core);
        number(&mut bytes, self.profiles.len() as u32);
        for Known { profile, .. } in &self.profiles {
            bytes.extend([profile.footprint.w() as u8, profile.footprint.h() as u8]);
            bytes.push(profile.diagonal_mode as u8);
            number(&mut bytes, profile.capability.0);
            for id in 0..TERRAIN_IDS {
                number(&mut bytes, profile.terrain_costs.of(id as u8).to_bits());
            }
            let mut weights = [0.0_f32; INFLUENCES_MAX];
            for (slot, weight) in profile.influence_weights.slots() {
                weights[slot] = weight;
            }
            for weight in weights {
                number(&mut bytes, weight.to_bits());
            }
            let obstacle = profile.ignored_obstacle.map_or(0, |id| id.0.wrapping_add(1));
            number(&mut bytes, obstacle as u32);
            number(&mut bytes, (obstacle >> 32) as u32);
        }
        number(&mut bytes, self.who.len() as u32);
        for who in &self.who {
            number(&mut bytes, u32::from(who.profile));
            for part in [who.color.r, who.color.g, who.color.b, who.color.a] {
                number(&mut bytes, part.to_bits());
            }
        }
        let place = |profile: &Profile| {
            self.profiles.iter().position(|known| known.profile == *profile).unwrap_or(0) as u32
        };
        number(&mut bytes, self.goals.fields.len() as u32);
        for goal in &self.goals.fields {
            let (kind, cell, profile) = match goal {
                None => (0, Cell::default(), 0),
                Some(Goal::Made(made)) => (1, made.cell, place(&made.profile)),
                Some(Goal::Node(_)) => (2, Cell::default(), 0),
            };
            for value in [kind, cell.x as u32, cell.y as u32, profile] {
                number(&mut bytes, value);
            }
        }
        number(&mut bytes, self.goals.trips.len() as u32);
        for trip in &self.goals.trips {
            for value in [trip.id, trip.cell.x as u32, trip.cell.y as u32, place(&trip.profile)] {
                number(&mut bytes, value);
            }
        }
        PackedByteArray::from(bytes)
    }

    /// Takes everybody from bytes that [method to_bytes] made. Returns whether it could; after an error nothing has changed.
    /// Agents that followed a node's field go on when this crowd follows a field with the same place, and stop otherwise.
    /// Agents follow the edits of their [PathForgeProfile] when this crowd had it at the same place, with the values that were
    /// saved, or has agents added with it later.
    #[func(gd_self)]
    fn from_bytes(mut this: Gd<Self>, bytes: PackedByteArray) -> bool {
        let read = read(bytes.as_slice());
        let Some(saved) = reported("PathForgeCrowd.from_bytes", read) else { return false };
        this.bind_mut().take(saved);
        true
    }

    /// A number that depends on everything that later steps depend on, apart from the map and the fields of nodes: in a
    /// lockstep game, all players must have the same after the same steps.
    #[func]
    fn state_hash(&self) -> i64 {
        self.crowd.state_hash().cast_signed()
    }
}

impl PathForgeCrowd {
    fn take(&mut self, saved: Saved) {
        let former = std::mem::take(&mut self.goals.fields);
        let nodes = former.into_iter().map(|goal| goal.filter(|goal| matches!(goal, Goal::Node(_))));
        let mut nodes: Vec<Option<Goal>> = nodes.collect();
        self.goals.fields = saved
            .goals
            .into_iter()
            .enumerate()
            .map(|(n, goal)| match goal {
                SavedGoal::None => None,
                SavedGoal::Made(made) => Some(Goal::Made(made)),
                SavedGoal::Node => nodes.get_mut(n).and_then(Option::take),
            })
            .collect();
        // What this crowd had from a resource at the same place, with the same values, goes on following it.
        let former = std::mem::take(&mut self.profiles);
        self.profiles = saved.profiles;
        for (known, former) in self.profiles.iter_mut().zip(former) {
            if known.profile == former.profile {
                known.source = former.source;
            }
        }
        (self.crowd, self.who) = (saved.crowd, saved.who);
        (self.goals.trips, self.goals.planned_on) = (saved.trips, None);
        let fields = &self.goals.fields;
        self.crowd.stop_followers(|field| fields.get(field as usize).is_none_or(Option::is_none));
        self.look.moved();
    }
}

enum SavedGoal {
    None,
    Made(Box<Made>),
    Node,
}

struct Saved {
    crowd: Crowd,
    profiles: Vec<Known>,
    who: Vec<Who>,
    goals: Vec<SavedGoal>,
    trips: Vec<Trip>,
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], String> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("the bytes are cut short")?;
        self.0 = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, String> {
        let bytes = self.bytes(4)?;
        bytes.try_into().map(u32::from_le_bytes).map_err(|_| "the bytes are cut short".into())
    }

    /// A count of things that take so many bytes.
    fn count(&mut self, each: usize) -> Result<usize, String> {
        let count = self.number()? as usize;
        if count.saturating_mul(each) <= self.0.len() {
            Ok(count)
        } else {
            Err("the bytes are cut short".into())
        }
    }

    fn cell(&mut self) -> Result<Cell, String> {
        Ok(Cell::new(self.number()? as i32, self.number()? as i32))
    }
}

fn read(bytes: &[u8]) -> Result<Saved, String> {
    let mut reader = Reader(bytes);
    if reader.bytes(4)? != MAGIC {
        return Err("the bytes do not begin with PFN1".into());
    }
    let length = reader.number()? as usize;
    let crowd = Crowd::from_bytes(reader.bytes(length)?).map_err(|error| error.to_string())?;
    let mut profiles = Vec::new();
    for _ in 0..reader.count(15 + (TERRAIN_IDS as usize + INFLUENCES_MAX) * 4)? {
        profiles.push(Known::saved(profile(&mut reader)?));
    }
    let known = |place: u32| {
        profiles
            .get(place as usize)
            .map(|known: &Known| known.profile)
            .ok_or_else(|| format!("there is no profile {place} in the bytes"))
    };
    let mut who = Vec::new();
    for _ in 0..reader.count(20)? {
        let profile = reader.number()?;
        known(profile)?;
        let mut part = || reader.number().map(f32::from_bits);
        who.push(Who {
            profile: profile as u16,
            color: Color::from_rgba(part()?, part()?, part()?, part()?),
        });
    }
    let mut goals = Vec::new();
    for _ in 0..reader.count(16)? {
        let (kind, cell, profile) = (reader.number()?, reader.cell()?, reader.number()?);
        goals.push(match kind {
            0 => SavedGoal::None,
            1 => {
                let profile = known(profile)?;
                SavedGoal::Made(Box::new(Made { cell, profile, field: ExactField::default(), version: None }))
            }
            2 => SavedGoal::Node,
            _ => return Err(format!("there is no kind {kind} of goals")),
        });
    }
    let mut trips = Vec::new();
    for _ in 0..reader.count(16)? {
        trips.push(Trip { id: reader.number()?, cell: reader.cell()?, profile: known(reader.number()?)? });
    }
    if reader.0.is_empty() {
        Ok(Saved { crowd, profiles, who, goals, trips })
    } else {
        Err("there are more bytes than the crowd needs".into())
    }
}

fn profile(reader: &mut Reader<'_>) -> Result<Profile, String> {
    let sides = reader.bytes(3)?;
    let footprint = Footprint::new(sides[0].into(), sides[1].into()).map_err(|error| error.to_string())?;
    let diagonal_mode = DiagonalMode::from_number(sides[2].into()).ok_or("a diagonal mode is none")?;
    let capability = Capability(reader.number()?);
    let mut costs = [0.0; TERRAIN_IDS as usize];
    for cost in &mut costs {
        *cost = f32::from_bits(reader.number()?);
    }
    let terrain_costs =
        TerrainCosts::new(&costs).ok_or("a terrain cost is not a finite number of at least 0")?;
    let mut weights = [0.0; INFLUENCES_MAX];
    for weight in &mut weights {
        *weight = f32::from_bits(reader.number()?);
    }
    let influence_weights = InfluenceWeights::new(&weights).ok_or("an influence weight is not finite")?;
    let obstacle = u64::from(reader.number()?) | u64::from(reader.number()?) << 32;
    let ignored_obstacle = obstacle.checked_sub(1).map(ObstacleId);
    Ok(Profile { footprint, capability, terrain_costs, diagonal_mode, influence_weights, ignored_obstacle })
}
