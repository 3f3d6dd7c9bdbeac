//! Godot's version, as `godot --version` prints it.

use std::fmt;

/// Major, minor and patch number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    /// The oldest Godot that loads the addon (`compatibility_minimum` in `pathforge.gdextension`).
    pub const MINIMUM: Self = Self { major: 4, minor: 4, patch: 0 };

    /// As the folders of API files and Godot's own files have it: `4.4`.
    pub fn major_minor(self) -> String {
        format!("{}.{}", self.major, self.minor)
    }

    /// Reads `4.6.3.stable.debian4.6.3+ds-2`, `4.4.stable.official.4c311cbee`, `4.5.beta3`. Only the last
    /// line that looks like a version counts: warnings may come before it.
    pub fn parse(text: &str) -> Option<Self> {
        text.lines().rev().find_map(|line| {
            let mut parts = line.trim().split('.');
            let major = parts.next()?.parse().ok()?;
            let minor = parts.next()?.parse().ok()?;
            let patch = parts.next().and_then(|part| part.parse().ok()).unwrap_or(0);
            Some(Self { major, minor, patch })
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The binding is made from the API of the same version (`godot_api`).
    #[test]
    fn the_floor_is_the_same_everywhere() {
        let floor = Version::MINIMUM.major_minor();
        let extension = include_str!("../../../../addons/pathforge/pathforge.gdextension");
        assert!(extension.contains(&format!("compatibility_minimum = \"{floor}\"\n")));
        let demo = include_str!("../../../../demo_project/project.godot");
        assert!(demo.contains(&format!("config/features=PackedStringArray(\"{floor}\"")));
    }

    #[test]
    fn versions_of_all_kinds_are_read() {
        let read = |text: &str| Version::parse(text).map(|version| version.to_string());
        assert_eq!(read("4.6.3.stable.debian4.6.3+ds-2\n").as_deref(), Some("4.6.3"));
        assert_eq!(read("4.4.stable.official.4c311cbee").as_deref(), Some("4.4.0"));
        assert_eq!(read("4.5.beta3").as_deref(), Some("4.5.0"));
        assert_eq!(read("WARNING: something\n4.10.1.stable\n").as_deref(), Some("4.10.1"));
        assert_eq!(read("error while loading shared libraries"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn the_minimum_is_compared_by_number() {
        let at_least = |text: &str| Version::parse(text).unwrap() >= Version::MINIMUM;
        assert!(at_least("4.4.stable") && at_least("4.10.stable") && at_least("5.0.dev"));
        assert!(!at_least("4.3.1.stable") && !at_least("3.6.stable"));
    }
}
