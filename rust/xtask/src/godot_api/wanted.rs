//! The list of classes: `rust/godot/api/classes.txt`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};

use super::model::Api;

/// Which classes are wanted; with methods, only these of the class's own.
pub struct Wanted<'a>(BTreeMap<&'a str, Option<Vec<&'a str>>>);

impl<'a> Wanted<'a> {
    /// Reads lines `Class` and `Class: methods`, in alphabetical order. Lines that begin with `#` are comments.
    pub fn parse(list: &'a str) -> Result<Self> {
        let mut wanted = BTreeMap::new();
        let mut last = "";
        for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (class, methods) = line.split_once(':').map_or((line, None), |(class, names)| {
                let names: Vec<&str> = names.split_whitespace().collect();
                (class, Some(names))
            });
            ensure!(last < class, "{class} does not come after {last} in the alphabet");
            last = class;
            wanted.insert(class, methods);
        }
        Ok(Self(wanted))
    }

    /// These classes and all that they inherit from.
    pub fn with_bases(&self, api: &Api) -> Result<BTreeSet<String>> {
        let bases: BTreeMap<&str, Option<&str>> =
            api.classes.iter().map(|class| (&*class.name, class.inherits.as_deref())).collect();
        let mut kept = BTreeSet::new();
        for class in self.0.keys() {
            let mut next = Some(*class);
            while let Some(name) = next {
                kept.insert(name.to_owned());
                next = *bases.get(name).with_context(|| format!("Godot has no class {name}"))?;
            }
        }
        Ok(kept)
    }

    /// The methods that the list names of a class.
    pub fn methods_of(&self, class: &str) -> impl Iterator<Item = &'a str> {
        self.0.get(class).into_iter().flatten().flatten().copied()
    }

    /// True if the list names the method, or no method of its class.
    pub fn has_method(&self, class: &str, method: &str) -> bool {
        let methods = self.0.get(class).and_then(Option::as_ref);
        methods.is_none_or(|methods| methods.contains(&method))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_name_classes_or_methods() {
        let wanted = Wanted::parse("# comment\n\nNode\nOS: has_feature crash\nWindow:\n").unwrap();
        assert!(wanted.has_method("Node", "get_tree") && wanted.has_method("Object", "free"));
        assert!(wanted.has_method("OS", "crash") && !wanted.has_method("OS", "alert"));
        assert!(!wanted.has_method("Window", "show"));
        assert_eq!(wanted.methods_of("OS").collect::<Vec<_>>(), ["has_feature", "crash"]);
        assert!(Wanted::parse("Node\nEngine").is_err() && Wanted::parse("Node\nNode").is_err());
    }
}
