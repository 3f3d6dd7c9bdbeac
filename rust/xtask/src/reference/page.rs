//! One class as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use roxmltree::Node;

use super::markdown::markdown;

/// A page and its first sentence.
pub struct Page {
    /// What the class is, in a line.
    pub brief: String,
    /// All of it.
    pub text: String,
}

/// A part of the page: what a class has of one kind.
struct Part {
    heading: &'static str,
    list: &'static str,
    item: &'static str,
    signature: fn(Node<'_, '_>) -> String,
}

const PARTS: [Part; 4] = [
    Part { heading: "Properties", list: "members", item: "member", signature: property },
    Part { heading: "Methods", list: "methods", item: "method", signature: method },
    Part { heading: "Signals", list: "signals", item: "signal", signature: signal },
    Part { heading: "Constants", list: "constants", item: "constant", signature: constant },
];

impl Page {
    /// The page of a class: `help` tells what things mean, `skeleton` what they are.
    pub fn new(help: Node<'_, '_>, skeleton: Node<'_, '_>) -> Self {
        let class = skeleton.attribute("name").unwrap_or_default();
        let brief = markdown(&text_of(help, "brief_description"), class);
        let base = skeleton.attribute("inherits").unwrap_or_default();
        let about = markdown(&text_of(help, "description"), class);
        let mut text = format!("# {class}\n\n**Inherits:** `{base}`\n\n{brief}\n\n{about}\n");
        for part in &PARTS {
            let meanings = meanings(help, part);
            let items: Vec<_> = items(skeleton, part).collect();
            if items.is_empty() {
                continue;
            }
            let _ = write!(text, "\n## {}\n", part.heading);
            for item in items {
                let name = item.attribute("name").unwrap_or_default();
                let meaning = meanings.get(name).map(|text| markdown(text, class)).unwrap_or_default();
                let _ = write!(text, "\n### {name}\n\n```gdscript\n{}\n```\n", (part.signature)(item));
                if !meaning.is_empty() {
                    let _ = write!(text, "\n{meaning}\n");
                }
            }
        }
        Self { brief, text }
    }
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
    format!("{}: {} = {}", told("name"), told("type"), told("default"))
}

fn method(item: Node<'_, '_>) -> String {
    let result = item.children().find(|child| child.has_tag_name("return"));
    let result = result.and_then(|result| result.attribute("type")).unwrap_or("void");
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
        let default = param.attribute("default").map(|value| format!(" = {value}")).unwrap_or_default();
        format!("{}: {}{default}", told("name"), told("type"))
    });
    format!("({})", params.collect::<Vec<_>>().join(", "))
}
