//! Saved bytes of a crowd with its guidance.
//!
//! Layout: the crowd's bytes after their length, the profiles, the profile of each id, the fields by number,
//! the trips. A field is 0: none, 1: to a cell for a profile, or 2: of another owner. Fields are built anew;
//! the ends of paths are found again.

use super::Guidance;
use super::fields::SavedField;
use super::profiles::Profiles;
use super::trips::Trip;
use crate::bytes::{BytesError, Reader, Saved};
use crate::crowd::{Crowd, CrowdError};
use crate::geometry::Cell;
use crate::world::Profile;

/// The kind of a field, its cell and the number of its profile.
type FieldForm = (u32, Cell, u32);
/// The id of an agent, the cell that it walks to and the number of its profile.
type TripForm = (u32, Cell, u32);

/// A crowd that was read, with what leads it.
#[derive(Debug)]
pub struct SavedGuidance {
    crowd: Crowd,
    profiles: Profiles,
    fields: Vec<SavedField>,
    trips: Vec<Trip>,
}

impl Guidance {
    /// Appends the crowd and what leads it.
    pub fn write(&self, crowd: &Crowd, bytes: &mut Vec<u8>) {
        let Profiles { all: profiles, numbers } = &self.profiles;
        let number_of =
            |profile: &Profile| profiles.iter().position(|known| known == profile).unwrap_or_default() as u32;
        crowd.to_bytes().write(bytes);
        profiles.write(bytes);
        numbers.write(bytes);
        let fields = self.fields.saved().map(|field| match field {
            SavedField::None => (0, Cell::default(), 0),
            SavedField::Own(cell, profile) => (1, cell, number_of(&profile)),
            SavedField::Lent => (2, Cell::default(), 0),
        });
        fields.collect::<Vec<FieldForm>>().write(bytes);
        let trips = self.trips.all().iter().map(|trip| (trip.id, trip.cell, number_of(&trip.profile)));
        trips.collect::<Vec<TripForm>>().write(bytes);
    }

    /// Takes over what was read, and returns its crowd. Fields of other owners keep their numbers; agents
    /// whose field is not there stop.
    pub fn restore(&mut self, saved: SavedGuidance) -> Crowd {
        let mut crowd = saved.crowd;
        self.profiles = saved.profiles;
        self.trips.restore(saved.trips);
        self.fields.restore(saved.fields, &mut crowd);
        crowd
    }
}

impl SavedGuidance {
    /// What the bytes that a game saves of a crowd begin with.
    pub const GAME_MARK: &str = "PFN4";

    /// Reads what [`Guidance::write`] has appended.
    ///
    /// # Errors
    /// When the bytes end too early or are not a saved crowd.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, BytesError> {
        let length: u32 = reader.read()?;
        let crowd = Crowd::from_bytes(reader.take(length as usize)?).map_err(|error| match error {
            CrowdError::BadBytes(problem) => problem,
            _ => BytesError::Value("the agents cannot be read"),
        })?;
        let profiles = Profiles { all: reader.read()?, numbers: reader.read()? };
        let profile = |number: u32| {
            let profile = profiles.all.get(number as usize).copied();
            profile.ok_or(BytesError::Value("a profile is missing"))
        };
        for &number in &profiles.numbers {
            profile(number.into())?;
        }
        let mut fields = Vec::new();
        for (kind, cell, number) in reader.read::<Vec<FieldForm>>()? {
            fields.push(match kind {
                0 => SavedField::None,
                1 => SavedField::Own(cell, Box::new(profile(number)?)),
                2 => SavedField::Lent,
                _ => return Err(BytesError::Value("a field is of no kind")),
            });
        }
        let mut trips = Vec::new();
        for (id, cell, number) in reader.read::<Vec<TripForm>>()? {
            trips.push(Trip { id, cell, profile: profile(number)? });
        }
        Ok(Self { crowd, profiles, fields, trips })
    }
}
