//! One class as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Result, ensure};
use roxmltree::Node;

use super::groups;
use super::markdown::markdown;
use crate::guides::anchor_of;

/// A page and its first sentence.
pub struct Page {
    /// What the class is, in a line, for another page: its links name this one.
    pub brief: String,
    /// All of it.
    pub text: String,
}

/// A part of the page: what a class has of one kind.
struct Part {
    list: &'static str,
    item: &'static str,
    signature: fn(Node<'_, '_>) -> String,
}

const PROPERTIES: Part = Part { list: "members", item: "member", signature: property };
const METHODS: Part = Part { list: "methods", item: "method", signature: method };
const SIGNALS: Part = Part { list: "signals", item: "signal", signature: signal };
const CONSTANTS: Part = Part { list: "constants", item: "constant", signature: constant };

/// A heading with what stands under it: names of members, and the text of each.
struct Chapter {
    title: String,
    /// Names of members that stand under another heading.
    others: Vec<String>,
    entries: Vec<(String, String)>,
}

impl Page {
    /// The page of a class: `help` tells what things mean, `skeleton` what they are.
    ///
    /// # Errors
    /// When a member is in no group.
    pub fn new(help: Node<'_, '_>, skeleton: Node<'_, '_>) -> Result<Self> {
        let class = skeleton.attribute("name").unwrap_or_default();
        let brief = markdown(&text_of(help, "brief_description"), class);
        let base = skeleton.attribute("inherits").unwrap_or_default();
        let about = markdown(&text_of(help, "description"), class);
        let mut text = format!("# {class}\n\n**Inherits:** `{base}`\n\n{brief}\n\n{about}\n");
        let chapters = chapters(help, skeleton, class)?;
        let _ = write!(text, "\n## Overview\n\n| | |\n|---|---|\n");
        for chapter in &chapters {
            let title = &chapter.title;
            let names = chapter.others.iter().chain(chapter.entries.iter().map(|(name, _)| name));
            let links: Vec<String> =
                names.map(|name| format!("[`{name}`](#{})", name.to_lowercase())).collect();
            let _ = writeln!(text, "| [{title}](#{}) | {} |", anchor_of(title), links.join(", "));
        }
        for chapter in &chapters {
            let _ = write!(text, "\n## {}\n", chapter.title);
            text.extend(chapter.entries.iter().map(|(_, entry)| entry.as_str()));
        }
        Ok(Self { brief: brief.replace("](#", &format!("]({class}.md#")), text })
    }
}

/// Properties and methods by their groups, then signals and enumerations.
fn chapters(help: Node<'_, '_>, skeleton: Node<'_, '_>, class: &str) -> Result<Vec<Chapter>> {
    let mut members: BTreeMap<String, String> = BTreeMap::new();
    members.extend(entries(help, skeleton, &PROPERTIES, class));
    members.extend(entries(help, skeleton, &METHODS, class));
    let names: Vec<String> = members.keys().cloned().collect();
    let mut chapters = Vec::new();
    for group in groups::of(class, &names)? {
        let is_free = !members.contains_key(&anchor_of(&group.title));
        ensure!(is_free, "{class}: the group {} has the anchor of a member", group.title);
        let entries = group.members.into_iter().filter_map(|name| members.remove_entry(&name)).collect();
        chapters.push(Chapter { title: group.title, others: group.others, entries });
    }
    let signals = entries(help, skeleton, &SIGNALS, class);
    if !signals.is_empty() {
        chapters.push(Chapter { title: "Signals".to_owned(), others: Vec::new(), entries: signals });
    }
    let mut enumerations: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    let constants = entries(help, skeleton, &CONSTANTS, class);
    for (item, entry) in sorted_items(skeleton, &CONSTANTS).into_iter().zip(constants) {
        let name = item.attribute("enum").unwrap_or("of no enumeration");
        enumerations.entry(format!("enum {name}")).or_default().push(entry);
    }
    for (title, entries) in enumerations {
        chapters.push(Chapter { title, others: Vec::new(), entries });
    }
    Ok(chapters)
}

/// What a class has of one kind: names, and the text of each.
fn entries(help: Node<'_, '_>, skeleton: Node<'_, '_>, part: &Part, class: &str) -> Vec<(String, String)> {
    let meanings = meanings(help, part);
    let items = sorted_items(skeleton, part);
    let entry = |item: Node<'_, '_>| {
        let name = item.attribute("name").unwrap_or_default().to_owned();
        let meaning = meanings.get(&name).map(|text| markdown(text, class)).unwrap_or_default();
        let mut text = format!("\n### {name}\n\n```gdscript\n{}\n```\n", (part.signature)(item));
        if !meaning.is_empty() {
            let _ = write!(text, "\n{meaning}\n");
        }
        (name, text)
    };
    items.into_iter().map(entry).collect()
}

fn sorted_items<'a, 'i>(class: Node<'a, 'i>, part: &Part) -> Vec<Node<'a, 'i>> {
    let mut items: Vec<_> = items(class, part).collect();
    if part.list == CONSTANTS.list {
        items.sort_by_key(family);
    }
    items
}

fn items<'a, 'i>(class: Node<'a, 'i>, part: &Part) -> impl Iterator<Item = Node<'a, 'i>> {
    let (list, item) = (part.list, part.item);
    let lists = class.children().filter(move |node| node.has_tag_name(list));
    let named = move |node: &Node<'_, '_>| {
        // What begins with an underscore is the engine's own business.
        node.has_tag_name(item) && node.attribute("name").is_some_and(|name| !name.starts_with('_'))
    };
    lists.flat_map(|list| list.children()).filter(named)
}

fn meanings(help: Node<'_, '_>, part: &Part) -> BTreeMap<String, String> {
    let of = |item: Node<'_, '_>| {
        let inner = text_of(item, "description");
        // Properties and constants have no element of their own for it.
        let meaning =
            if inner.is_empty() { item.text().unwrap_or_default().trim().to_owned() } else { inner };
        (item.attribute("name").unwrap_or_default().to_owned(), meaning)
    };
    items(help, part).map(of).collect()
}

fn text_of(node: Node<'_, '_>, tag: &str) -> String {
    let child = node.children().find(|child| child.has_tag_name(tag));
    child.and_then(|child| child.text()).unwrap_or_default().trim().to_owned()
}

fn property(item: Node<'_, '_>) -> String {
    let told = |name| item.attribute(name).unwrap_or_default();
    let default = item.attribute("default").filter(|value| !value.is_empty()).map(given).unwrap_or_default();
    format!("{}: {}{default}", told("name"), type_of(item))
}

fn method(item: Node<'_, '_>) -> String {
    let result = item.children().find(|child| child.has_tag_name("return"));
    let result = result.map_or_else(|| "void".to_owned(), type_of);
    format!("{}{} -> {result}", item.attribute("name").unwrap_or_default(), params(item))
}

fn signal(item: Node<'_, '_>) -> String {
    format!("{}{}", item.attribute("name").unwrap_or_default(), params(item))
}

fn constant(item: Node<'_, '_>) -> String {
    let told = |name| item.attribute(name).unwrap_or_default();
    format!("{} = {}", told("name"), told("value"))
}

fn params(item: Node<'_, '_>) -> String {
    let params = item.children().filter(|child| child.has_tag_name("param")).map(|param| {
        let told = |name| param.attribute(name).unwrap_or_default();
        let default = param.attribute("default").map(given).unwrap_or_default();
        format!("{}: {}{default}", told("name"), type_of(param))
    });
    format!("({})", params.collect::<Vec<_>>().join(", "))
}

/// What keeps `STATUS_*` together, in the order of their values: Godot has constants in the order in which
/// the library happens to be linked.
fn family(constant: &Node<'_, '_>) -> (String, i64) {
    let name = constant.attribute("name").unwrap_or_default();
    let value = constant.attribute("value").and_then(|value| value.parse().ok()).unwrap_or_default();
    (name.split('_').next().unwrap_or_default().to_owned(), value)
}

/// A type as a script writes it: Godot's documents have `Vector2i[]` for `Array[Vector2i]`.
fn type_of(item: Node<'_, '_>) -> String {
    let told = item.attribute("enum").or_else(|| item.attribute("type")).unwrap_or_default();
    told.strip_suffix("[]").map_or_else(|| told.to_owned(), |element| format!("Array[{element}]"))
}

/// ` = ` and a default as a script writes it.
fn given(value: &str) -> String {
    let no_cell = format!("Vector2i({0}, {0})", i32::MIN);
    let value = match value {
        "inf" | "-inf" => value.to_uppercase(),
        _ => value.replace(&no_cell, "Vector2i.MIN"),
    };
    format!(" = {value}")
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::Page;

    #[test]
    fn types_and_defaults_are_those_of_scripts() {
        let skeleton = "<class name=\"PathForgeMap\" inherits=\"Node\"><members>\
            <member name=\"grid\" type=\"Vector2i[]\" default=\"[]\"/><member name=\"debug_size\" type=\"Vector2i\" default=\"\"/>\
            </members><signals><signal name=\"near\">\
            <param index=\"0\" name=\"far\" type=\"float\" default=\"inf\"/></signal></signals></class>";
        let help =
            "<class name=\"PathForgeMap\"><brief_description>See [member grid].</brief_description></class>";
        let (help, skeleton) = (Document::parse(help).unwrap(), Document::parse(skeleton).unwrap());

        let page = Page::new(help.root_element(), skeleton.root_element()).unwrap();

        for signature in [
            "grid: Array[Vector2i] = []\n",
            "debug_size: Vector2i\n",
            "near(far: float = INF)\n",
            "| [Overlay](#overlay) | [`debug_size`](#debug_size) |",
        ] {
            assert!(page.text.contains(signature), "{signature} in {}", page.text);
        }
        assert_eq!(page.brief, "See [`grid`](PathForgeMap.md#grid).");
    }
}
