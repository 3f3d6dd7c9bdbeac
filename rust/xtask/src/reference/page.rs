//! One class as a page.

use std::collections::BTreeMap;
use std::fmt::Write;

use roxmltree::Node;

use super::markdown::markdown;

/// A page and its first sentence.
pub struct Page {
    /// What the class is, in a line, for another page: its links name this one.
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

/// What a class has of one of Godot's own is a part of its page. The paragraph of its description that begins with these
/// words names them in their order.
const BORROWED: &str = "Verbs of `AStarGrid2D`";

impl Page {
    /// The page of a class: `help` tells what things mean, `skeleton` what they are.
    pub fn new(help: Node<'_, '_>, skeleton: Node<'_, '_>) -> Self {
        let class = skeleton.attribute("name").unwrap_or_default();
        let brief = markdown(&text_of(help, "brief_description"), class);
        let base = skeleton.attribute("inherits").unwrap_or_default();
        let about = markdown(&text_of(help, "description"), class);
        let borrowed = borrowed(&about);
        let mut borrowed_items = BTreeMap::new();
        let mut text = format!("# {class}\n\n**Inherits:** `{base}`\n\n{brief}\n\n{about}\n");
        for part in &PARTS {
            let meanings = meanings(help, part);
            let mut items: Vec<_> = items(skeleton, part).collect();
            if part.list == "constants" {
                items.sort_by_key(family);
            }
            let mut own = String::new();
            for item in items {
                let name = item.attribute("name").unwrap_or_default();
                let meaning = meanings.get(name).map(|text| markdown(text, class)).unwrap_or_default();
                let mut told = format!("\n### {name}\n\n```gdscript\n{}\n```\n", (part.signature)(item));
                if !meaning.is_empty() {
                    let _ = write!(told, "\n{meaning}\n");
                }
                match borrowed.iter().position(|borrowed| borrowed == name) {
                    Some(place) => drop(borrowed_items.insert(place, told)),
                    None => own += &told,
                }
            }
            if !own.is_empty() {
                let _ = write!(text, "\n## {}\n{own}", part.heading);
            }
        }
        if !borrowed_items.is_empty() {
            let items: String = borrowed_items.into_values().collect();
            let _ = write!(text, "\n## {BORROWED}\n{items}");
        }
        Self { brief: brief.replace("](#", &format!("]({class}.md#")), text }
    }
}

/// The members that a description says to be those of one of Godot's own classes.
fn borrowed(about: &str) -> Vec<String> {
    let opening = format!("The {}{}", BORROWED[..1].to_lowercase(), &BORROWED[1..]);
    let paragraph = about.split("\n\n").find(|paragraph| paragraph.starts_with(&opening));
    let links = paragraph.unwrap_or_default().split("](#").skip(1);
    links.filter_map(|link| Some(link.split_once(')')?.0.to_owned())).collect()
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

/// What keeps `STATUS_*` together, in the order of their values: Godot has constants in the order in which the library
/// happens to be linked.
fn family(constant: &Node<'_, '_>) -> (String, i64) {
    let name = constant.attribute("name").unwrap_or_default();
    let value = constant.attribute("value").and_then(|value| value.parse().ok()).unwrap_or_default();
    (name.split('_').next().unwrap_or_default().to_owned(), value)
}

/// A type as a script writes it: Godot's documents have `Vector2i[]` for `Array[Vector2i]`.
fn type_of(item: Node<'_, '_>) -> String {
    let told = item.attribute("type").unwrap_or_default();
    told.strip_suffix("[]").map_or_else(|| told.to_owned(), |element| format!("Array[{element}]"))
}

/// ` = ` and a default as a script writes it.
fn given(value: &str) -> String {
    let no_cell = format!("Vector2i({0}, {0})", i32::MIN);
    format!(" = {}", if value == "inf" { "INF".to_owned() } else { value.replace(&no_cell, "Vector2i.MIN") })
}

#[cfg(test)]
mod tests {
    use roxmltree::Document;

    use super::Page;

    #[test]
    fn types_and_defaults_are_those_of_scripts() {
        let skeleton = "<class name=\"PathForgeX\" inherits=\"Node\"><members>\
            <member name=\"goals\" type=\"Vector2i[]\" default=\"[]\"/><member name=\"size\" type=\"Vector2i\" default=\"\"/>\
            </members><methods><method name=\"near\"><return type=\"int\"/>\
            <param index=\"0\" name=\"far\" type=\"float\" default=\"inf\"/></method></methods></class>";
        let help =
            "<class name=\"PathForgeX\"><brief_description>See [member size].</brief_description></class>";
        let (help, skeleton) = (Document::parse(help).unwrap(), Document::parse(skeleton).unwrap());

        let page = Page::new(help.root_element(), skeleton.root_element());

        for signature in
            ["goals: Array[Vector2i] = []\n", "size: Vector2i\n", "near(far: float = INF) -> int\n"]
        {
            assert!(page.text.contains(signature), "{signature} in {}", page.text);
        }
        assert_eq!(page.brief, "See [`size`](PathForgeX.md#size).");
    }

    #[test]
    fn what_a_class_of_godot_has_is_a_part_of_the_page() {
        let skeleton = "<class name=\"PathForgeX\" inherits=\"Node\"><methods><method name=\"near\"/>\
            <method name=\"update\"/><method name=\"solid\"/></methods></class>";
        let help = "<class name=\"PathForgeX\"><description>A map.[br][br]The verbs of [code]AStarGrid2D[/code] are \
            [method solid] and [method update].</description></class>";
        let (help, skeleton) = (Document::parse(help).unwrap(), Document::parse(skeleton).unwrap());

        let text = Page::new(help.root_element(), skeleton.root_element()).text;

        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} in {text}"));
        let order = ["## Methods", "### near", "## Verbs of `AStarGrid2D`", "### solid", "### update"];
        assert!(order.map(place).is_sorted(), "{text}");
    }
}
