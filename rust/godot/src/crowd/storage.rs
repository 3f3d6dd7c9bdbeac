//! Saving a crowd.
//!
//! Layout: `PFN1`, the core's bytes after their length, the profiles, what is known of each id, the
//! goals by number (0: none, 1: a cell and a profile, 2: a node's field), the trips.

use godot::prelude::*;
use pathforge_core::bytes::{BytesError, Reader, Saved as _};
use pathforge_core::crowd::{Crowd, CrowdError};
use pathforge_core::field::FlowField as ExactField;
use pathforge_core::geometry::Cell;
use pathforge_core::world::Profile;

use super::goals::{Goal, Made, Trip};
use super::profiles::Known;
use super::{PathForgeCrowd, Who};
use crate::errors::reported;

const MARK: &str = "PFN1";

/// The kind of a goal, its cell and its profile's place.
type SavedField = (u32, [i32; 2], u32);
/// An agent's id, the cell that it goes to and its profile's place.
type SavedTrip = (u32, [i32; 2], u32);

#[godot_api(secondary)]
impl PathForgeCrowd {
    /// Returns all agents and their orders, in a form that [method from_bytes] reads, for saved games and for starting a
    /// lockstep game. A node's field is named by its place only.
    #[func]
    fn to_bytes(&self) -> PackedByteArray {
        let mut bytes = MARK.as_bytes().to_vec();
        self.crowd.to_bytes().write(&mut bytes);
        self.profiles.iter().map(|known| known.profile).collect::<Vec<_>>().write(&mut bytes);
        let color = |color: Color| [color.r, color.g, color.b, color.a].map(f32::to_bits);
        let who = self.who.iter().map(|who| (u32::from(who.profile), color(who.color)));
        who.collect::<Vec<_>>().write(&mut bytes);
        let place = |profile: &Profile| {
            self.profiles.iter().position(|known| known.profile == *profile).unwrap_or(0) as u32
        };
        let goals = self.goals.fields.iter().map(|goal| match goal {
            None => (0, [0; 2], 0),
            Some(Goal::Made(made)) => (1, [made.cell.x, made.cell.y], place(&made.profile)),
            Some(Goal::Node(_)) => (2, [0; 2], 0),
        });
        goals.collect::<Vec<SavedField>>().write(&mut bytes);
        let trips = self.goals.trips.iter();
        let trips = trips.map(|trip| (trip.id, [trip.cell.x, trip.cell.y], place(&trip.profile)));
        trips.collect::<Vec<SavedTrip>>().write(&mut bytes);
        PackedByteArray::from(bytes)
    }

    /// Restores all agents from bytes that [method to_bytes] made. Returns [code]true[/code] if it could; after an
    /// error nothing has changed. Agents that followed a node's field go on when this crowd follows a field with the
    /// same place, and stop otherwise. Agents follow the edits of their [PathForgeProfile] when this crowd had it at
    /// the same place, with the values that were saved, or has agents added with it later.
    #[func(gd_self)]
    fn from_bytes(mut this: Gd<Self>, bytes: PackedByteArray) -> bool {
        let read = read(bytes.as_slice());
        let Some(saved) = reported("PathForgeCrowd.from_bytes", read) else { return false };
        this.bind_mut().take(saved);
        true
    }

    /// Returns a number that depends on everything that later steps depend on, apart from the map and the fields of nodes: in a
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

fn read(bytes: &[u8]) -> Result<Saved, String> {
    read_all(bytes).map_err(|problem| format!("the bytes are not a saved crowd: {problem}"))
}

fn read_all(bytes: &[u8]) -> Result<Saved, BytesError> {
    let mut reader = Reader::new(bytes, MARK)?;
    let length: u32 = reader.read()?;
    let crowd = Crowd::from_bytes(reader.take(length as usize)?).map_err(|error| match error {
        CrowdError::BadBytes(problem) => problem,
        _ => BytesError::Value("the agents cannot be read"),
    })?;
    let profiles: Vec<Profile> = reader.read()?;
    let profiles: Vec<Known> = profiles.iter().map(Known::saved).collect();
    let known = |place: u32| {
        let known = profiles.get(place as usize).map(|known: &Known| known.profile);
        known.ok_or(BytesError::Value("a profile is missing"))
    };
    let mut who = Vec::new();
    for (profile, color) in reader.read::<Vec<(u32, [u32; 4])>>()? {
        known(profile)?;
        let [r, g, b, a] = color.map(f32::from_bits);
        who.push(Who { profile: profile as u16, color: Color::from_rgba(r, g, b, a) });
    }
    let mut goals = Vec::new();
    for (kind, [x, y], profile) in reader.read::<Vec<SavedField>>()? {
        goals.push(match kind {
            0 => SavedGoal::None,
            1 => {
                let (cell, profile) = (Cell::new(x, y), known(profile)?);
                SavedGoal::Made(Box::new(Made { cell, profile, field: ExactField::default(), version: None }))
            }
            2 => SavedGoal::Node,
            _ => return Err(BytesError::Value("a goal is of no kind")),
        });
    }
    let mut trips = Vec::new();
    for (id, [x, y], profile) in reader.read::<Vec<SavedTrip>>()? {
        trips.push(Trip { id, cell: Cell::new(x, y), profile: known(profile)? });
    }
    reader.end()?;
    Ok(Saved { crowd, profiles, who, goals, trips })
}
