//! Godot's help text as Markdown.

/// Classes that have a page begin with one of these.
const OURS: [&str; 4] = ["PathForge", "FlowField", "InfluenceMap", "ClearanceMap"];

/// The text of a class's help, with links to its own page and others.
pub fn markdown(help: &str, class: &str) -> String {
    let mut text = String::new();
    let mut rest = help;
    while let Some((before, tag, after)) = next_tag(rest) {
        text.push_str(before);
        rest = after;
        let (word, argument) = tag.split_once(' ').unwrap_or((tag, ""));
        let shown = match word {
            "br" => "\n".to_owned(),
            "b" | "/b" => "**".to_owned(),
            "i" | "/i" => "*".to_owned(),
            "code" | "codeblock" => {
                let end = format!("[/{word}]");
                let (code, after) = rest.split_once(&end).unwrap_or((rest, ""));
                rest = after;
                if word == "code" {
                    format!("`{code}`")
                } else {
                    format!("```gdscript\n{}\n```", code.trim_matches('\n'))
                }
            }
            "method" | "member" | "signal" | "constant" => link(argument, class),
            "param" => format!("`{argument}`"),
            _ if argument.is_empty() && has_page(word) => format!("[`{word}`]({word}.md)"),
            _ if argument.is_empty() && word.starts_with(char::is_uppercase) => format!("`{word}`"),
            _ => format!("[{tag}]"),
        };
        text.push_str(&shown);
    }
    text.push_str(rest);
    text.trim().lines().map(list_item).collect::<Vec<_>>().join("\n")
}

/// A line, as an item of a Markdown list if Godot shows it as one.
fn list_item(line: &str) -> String {
    line.trim_start().strip_prefix("• ").map_or_else(|| line.to_owned(), |item| format!("- {item}"))
}

/// The text before the next `[tag]`, the tag, and what comes after it.
fn next_tag(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (tag, after) = rest.split_once(']')?;
    Some((before, tag, after))
}

/// A link to something that a class has: `name` of this class, or `Class.name`.
fn link(target: &str, class: &str) -> String {
    match target.split_once('.') {
        None => format!("[`{target}`](#{})", target.to_lowercase()),
        Some((other, name)) if other == class => format!("[`{name}`](#{})", name.to_lowercase()),
        Some((other, name)) if has_page(other) => format!("[`{target}`]({other}.md#{})", name.to_lowercase()),
        Some(_) => format!("`{target}`"),
    }
}

fn has_page(class: &str) -> bool {
    OURS.iter().any(|ours| class.starts_with(ours))
}

#[cfg(test)]
mod tests {
    use super::markdown;

    #[test]
    fn words_and_links_become_markdown() {
        assert_eq!(
            markdown("a [b]b[/b] [i]c[/i][br][br]d [code]x[0][/code]", "A"),
            "a **b** *c*\n\nd `x[0]`"
        );
        let help = "[method step] and [member PathForgePath.cells] of a [PathForgePath], a [Node2D], [member Node2D.position]";
        let page = "[`step`](#step) and [`PathForgePath.cells`](PathForgePath.md#cells) of a \
                    [`PathForgePath`](PathForgePath.md), a `Node2D`, `Node2D.position`";
        assert_eq!(markdown(help, "PathForgeGrid"), page);
        assert_eq!(markdown("weights [0, 1] [", "A"), "weights [0, 1] [");
        assert_eq!(markdown("either[br][br]• a,[br]    • b[br]", "A"), "either\n\n- a,\n- b");
    }

    #[test]
    fn code_stays_code() {
        let help = "[codeblock lang=gdscript]var a := [b][0]\n[/codeblock][br]end";
        assert_eq!(markdown(help, "A"), "```gdscript\nvar a := [b][0]\n```\nend");
    }
}
