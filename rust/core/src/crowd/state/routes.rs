//! What leads agents: a field's number, a path shared by its users, or a course, which is the present aim of
//! one agent.
//!
//! Guides are numbers, so that a body can show its own to its neighbours; those of paths and courses are used
//! again.

use crate::crowd::numbers::vector::{FAR, V, towards};

/// A guide that is none.
pub(in crate::crowd) const NO_GUIDE: u32 = u32::MAX;
/// The group of those without a guide.
pub(in crate::crowd) const NO_GROUP: u32 = u32::MAX;
/// Marks guides that are paths of the crowd's own; the others are numbers of fields.
pub(in crate::crowd) const PATH_GUIDE: u32 = 1 << 31;

/// A path in use.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Route {
    pub points: Vec<V>,
    /// How far it is from each point along the others to the last, in cells.
    pub left: Vec<f32>,
    pub group: u32,
    pub users: u32,
    /// Without points: what its one agent aims at now.
    pub course: Course,
}

/// What one agent aims at now: a driven one, set before each step, or one on the march, set in each substep.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Course {
    /// To where it walks straight now.
    pub aim: V,
    /// Where it ends.
    pub end: V,
    /// How far it still is to the agent's goal, in cells; [`Course::CUT_OFF`] if nothing leads there.
    pub left: f32,
}

crate::bytes::saved_fields!(Course { aim: V, end: V, left: f32 });

impl Course {
    /// Finite, as saved numbers are.
    pub const CUT_OFF: f32 = f32::MAX;
}

impl Route {
    pub(crate) fn new(points: Vec<V>, group: u32, users: u32) -> Self {
        let mut left = vec![0.0; points.len()];
        for n in (1..points.len()).rev() {
            left[n - 1] = left[n] + towards(points[n - 1], points[n]).1;
        }
        Self { points, left, group, users, course: Course::default() }
    }
}

crate::bytes::saved_as!(
    Route as (u32, u32, Vec<V>, Course),
    |route| (route.group, route.users, route.points.clone(), route.course),
    |(group, users, points, course)| {
        if [course.aim, course.end].iter().flatten().any(|v| v.abs() > FAR) {
            return Err("a course is not one");
        }
        Ok(Self { course, ..Self::new(points, group, users) })
    }
);

/// Paths by number; a number is used again when its last agent has left.
#[derive(Clone, PartialEq, Debug, Default)]
pub(in crate::crowd) struct Routes {
    pub all: Vec<Route>,
}

impl Routes {
    /// Keeps a path for so many agents; returns the guide.
    pub fn add(&mut self, points: Vec<V>, group: u32, users: u32) -> u32 {
        let route = Route::new(points, group, users);
        // Numbers are used again, so that a crowd that is sent along paths for hours keeps its memory.
        let index = self.all.iter().position(|route| route.users == 0);
        if let Some(index) = index {
            self.all[index] = route;
            return index as u32 | PATH_GUIDE;
        }
        self.all.push(route);
        (self.all.len() - 1) as u32 | PATH_GUIDE
    }

    /// Keeps the course of one agent; returns the guide.
    pub fn add_course(&mut self, group: u32) -> u32 {
        self.add(Vec::new(), group, 1)
    }

    /// Tells the course of an agent that has one.
    pub fn set_course(&mut self, guide: u32, course: Course) {
        // A course is a route without points.
        if let Some(route) = self.get_mut(guide).filter(|route| route.points.is_empty()) {
            route.course = course;
        }
    }

    /// One agent more follows `guide`.
    pub fn join(&mut self, guide: u32) {
        if let Some(route) = self.get_mut(guide) {
            route.users += 1;
        }
    }

    /// An agent follows `guide` no more.
    pub fn leave(&mut self, guide: u32) {
        if let Some(route) = self.get_mut(guide) {
            route.users -= 1;
            // The number stays, for the next path; what takes memory goes.
            if route.users == 0 {
                (route.points, route.left) = (Vec::new(), Vec::new());
            }
        }
    }

    #[inline]
    pub fn get(&self, guide: u32) -> Option<&Route> {
        if guide & PATH_GUIDE == 0 { None } else { self.all.get((guide & !PATH_GUIDE) as usize) }
    }

    fn get_mut(&mut self, guide: u32) -> Option<&mut Route> {
        if guide & PATH_GUIDE == 0 { None } else { self.all.get_mut((guide & !PATH_GUIDE) as usize) }
    }

    /// Returns where a path or a course ends.
    pub fn end(&self, guide: u32) -> Option<V> {
        self.get(guide).map(|route| route.points.last().copied().unwrap_or(route.course.end))
    }

    pub fn group(&self, guide: u32) -> u32 {
        self.get(guide).map_or(NO_GROUP, |route| route.group)
    }

    /// Moves all points along when the region's corner moves.
    pub fn shift(&mut self, by: V) {
        for point in self.all.iter_mut().flat_map(|route| &mut route.points) {
            *point = [point[0] + by[0], point[1] + by[1]];
        }
        for route in &mut self.all {
            for point in [&mut route.course.aim, &mut route.course.end] {
                *point = [point[0] + by[0], point[1] + by[1]];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_the_length_of_the_way_not_the_number_of_its_points() {
        let route = Route::new(vec![[0.5, 0.5], [30.5, 0.5], [30.5, 4.5]], 0, 1);
        assert_eq!(route.left, [34.0, 4.0, 0.0]);
        assert!(Route::new(Vec::new(), 0, 1).left.is_empty());
    }
}
