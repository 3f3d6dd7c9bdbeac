//! The part of Godot's API that gdext makes the binding from: the classes that the library uses, with what they
//! inherit from.
//!
//! The library looks up every method of that part when it starts. With all of Godot's classes this took 800 KB
//! of it.

mod model;
mod wanted;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use nanoserde::DeJson;
use xshell::cmd;

use crate::files;
use crate::godot::version::Version;
use crate::paths::Paths;
use model::{Api, Argument};
use wanted::Wanted;

/// The list of classes, and the file that is made from it.
const FOLDER: &str = "rust/godot/api";
/// Tells gdext where that file is.
const CONFIG: &str = ".cargo/config.toml";
pub const VARIABLE: &str = "GDRUST_GODOT_API_JSON";
/// The crate that ships the API of each Godot; gdext needs it, so cargo has its source.
const SOURCE: &str = "gdextension-api";

/// Writes the file and its name in cargo's configuration.
pub fn write(paths: &Paths) -> Result<()> {
    let made = Made::new(paths)?;
    for old in written(paths)?.iter().filter(|old| **old != made.path) {
        fs::remove_file(paths.root.join(old))?;
    }
    files::put(&paths.root.join(&made.path), made.text.as_bytes())?;
    files::put(&paths.root.join(CONFIG), made.config(paths)?.as_bytes())?;
    println!("godot-api: {}, {} bytes", made.path, made.text.len());
    Ok(())
}

/// The file, if the last commit has the same one: a clone that is told its path need not compile gdext anew,
/// which cargo does for another path.
pub fn as_committed(paths: &Paths) -> Result<Option<PathBuf>> {
    let sh = paths.shell()?;
    let committed = cmd!(sh, "git show HEAD:{CONFIG}").quiet().read()?;
    let files = written(paths)?.into_iter().filter(|file| committed.contains(file.as_str()));
    Ok(files.map(|file| paths.root.join(file)).next())
}

/// What [`write()`] writes.
struct Made {
    /// Below the repository. Cargo compiles gdext anew when this path changes, not when the file does.
    path: String,
    text: String,
}

impl Made {
    fn new(paths: &Paths) -> Result<Self> {
        let list = fs::read_to_string(paths.root.join(FOLDER).join("classes.txt"))?;
        let api = Api::deserialize_json(&fs::read_to_string(source(paths)?)?)?;
        let text = reduced(api, &Wanted::parse(&list)?)?.to_json();
        Ok(Self { path: format!("{FOLDER}/godot-{:08x}.json", hash(&text)), text })
    }

    /// Cargo's configuration with this path in it.
    fn config(&self, paths: &Paths) -> Result<String> {
        let config = fs::read_to_string(paths.root.join(CONFIG))?;
        let value = format!("{VARIABLE} = {{ value = \"{}\",", self.path);
        let lines = config.lines().map(|line| match line.split_once(',') {
            Some((start, rest)) if start.starts_with(VARIABLE) => format!("{value}{rest}\n"),
            _ => format!("{line}\n"),
        });
        Ok(lines.collect())
    }
}

/// The files that [`write()`] has written.
fn written(paths: &Paths) -> Result<Vec<String>> {
    let names = files::names_in(&paths.root.join(FOLDER))?;
    let is_json = |name: &&_| Path::new(name).extension().is_some_and(|ending| ending == "json");
    Ok(names.iter().filter(is_json).map(|name| format!("{FOLDER}/{}", name.to_string_lossy())).collect())
}

/// The whole API of the oldest Godot that loads the addon.
fn source(paths: &Paths) -> Result<PathBuf> {
    let lock = fs::read_to_string(paths.root.join("Cargo.lock"))?;
    let version = lock
        .split_once(&format!("name = \"{SOURCE}\"\nversion = \""))
        .and_then(|(_, rest)| rest.split_once('"'))
        .with_context(|| format!("Cargo.lock has no {SOURCE}"))?
        .0;
    let file = format!("{SOURCE}-{version}/src/{}/extension_api.json", Version::MINIMUM.major_minor());
    let find = || -> Result<Option<PathBuf>> {
        let files = files::cargo_registries()?.into_iter().map(|registry| registry.join(&file));
        Ok(files.into_iter().find(|file| file.is_file()))
    };
    if let Some(found) = find()? {
        return Ok(found);
    }
    let sh = paths.shell()?;
    cmd!(sh, "cargo fetch --quiet --locked").run()?; // Nothing that needs gdext was compiled here.
    find()?.with_context(|| format!("cargo has no {file}"))
}

/// The wanted classes and their bases, without what names another class.
fn reduced(mut api: Api, wanted: &Wanted) -> Result<Api> {
    let kept = wanted.with_bases(&api)?;
    let mut dropped: BTreeSet<String> = api.classes.iter().map(|class| class.name.clone()).collect();
    dropped.retain(|name| !kept.contains(name));
    api.native_structures.retain(|structure| {
        let keeps = !names_any(&structure.format, &dropped);
        if !keeps {
            dropped.insert(structure.name.clone());
        }
        keeps
    });

    let is_gone = |type_: &str| names_any(type_, &dropped);
    let takes_gone = |arguments: &Option<Vec<Argument>>| {
        arguments.iter().flatten().any(|argument| is_gone(&argument.type_))
    };
    api.utility_functions.retain(|function| {
        !takes_gone(&function.arguments) && !function.return_type.as_deref().is_some_and(is_gone)
    });
    api.singletons.retain(|singleton| kept.contains(&singleton.name));
    api.classes.retain(|class| kept.contains(&class.name));
    for class in &mut api.classes {
        if let Some(methods) = &mut class.methods {
            methods.retain(|method| {
                wanted.has_method(&class.name, &method.name)
                    && !takes_gone(&method.arguments)
                    && !method.return_value.as_ref().is_some_and(|value| is_gone(&value.type_))
            });
        }
        if let Some(signals) = &mut class.signals {
            signals.retain(|signal| !takes_gone(&signal.arguments));
        }
        let names: BTreeSet<&str> = class.methods.iter().flatten().map(|method| &*method.name).collect();
        let missing = wanted.methods_of(&class.name).find(|name| !names.contains(name));
        ensure!(
            missing.is_none(),
            "{}.{} is no method, or names a class that is not in the list",
            class.name,
            missing.unwrap_or_default()
        );
    }
    Ok(api)
}

/// True if a type such as `typedarray::Node`, `enum::Node.InternalMode` or `const Glyph*` names one of these.
fn names_any(type_: &str, names: &BTreeSet<String>) -> bool {
    type_.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| names.contains(word))
}

/// FNV-1a, 32 bits.
fn hash(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_file_is_made_from_the_list() {
        let paths = Paths::of_this_repository().unwrap();
        let made = Made::new(&paths).unwrap();
        assert_eq!(written(&paths).unwrap(), [&*made.path], "try cargo xtask godot-api");
        let committed = fs::read_to_string(paths.root.join(&made.path)).unwrap();
        assert!(committed == made.text, "try cargo xtask godot-api");
        let config = fs::read_to_string(paths.root.join(CONFIG)).unwrap();
        assert!(config == made.config(&paths).unwrap() && config.contains(&made.path));
    }

    #[test]
    fn types_name_classes() {
        let names = BTreeSet::from(["Node".to_owned()]);
        for type_ in ["Node", "enum::Node.InternalMode", "typedarray::Node", "24/17:Node", "const Node*"] {
            assert!(names_any(type_, &names), "{type_}");
        }
        for type_ in ["NodePath", "Node2D", "typedarray::NodePath", "int"] {
            assert!(!names_any(type_, &names), "{type_}");
        }
    }

    #[test]
    fn unknown_names_are_refused() {
        let paths = Paths::of_this_repository().unwrap();
        let text = fs::read_to_string(source(&paths).unwrap()).unwrap();
        let refused = |list: &str| {
            let api = Api::deserialize_json(&text).unwrap();
            reduced(api, &Wanted::parse(list).unwrap()).is_err()
        };
        assert!(!refused("Node") && !refused("RefCounted: get_reference_count"));
        assert!(refused("Nod") && refused("RefCounted: get_count") && refused("Node: get_tree"));
    }
}
