//! Lessons on pages: `<!-- lesson: 01_path -->` before a block of code says that the block is that lesson's
//! script.

use std::fmt::Write;

use anyhow::{Context, Result};

const MARK: &str = "<!-- lesson: ";
const MARK_END: &str = " -->";
const BLOCK: &str = "```gdscript\n";
const BLOCK_END: &str = "```";

/// The page with the script of each lesson that it names, as `lesson` has it.
pub fn filled(page: &str, lesson: &dyn Fn(&str) -> Result<String>) -> Result<String> {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(MARK) {
        let name = after.split(MARK_END).next().unwrap_or_default();
        let block =
            after[name.len()..].strip_prefix(MARK_END).and_then(|rest| rest.trim_start().strip_prefix(BLOCK));
        let block = block.with_context(|| format!("the lesson {name} has no block of gdscript after it"))?;
        let _ = writeln!(text, "{before}{MARK}{name}{MARK_END}\n{BLOCK}{}", lesson(name)?.trim_end());
        rest = if block.starts_with(BLOCK_END) {
            block
        } else {
            block.find(&format!("\n{BLOCK_END}")).map_or("", |at| &block[at + 1..])
        };
    }
    Ok(text + rest)
}

/// Returns `true` if a page's text before a block of code says that the block is a lesson.
pub fn is_lesson(before: &str) -> bool {
    before.lines().next_back().is_some_and(|line| line.starts_with(MARK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_the_lessons_that_they_name() {
        let page = "# A\n<!-- lesson: 01_path -->\n```gdscript\nold\n\nold\n```\ntext\n```gdscript\nmine\n```\n\
            <!-- lesson: 02 -->\n```gdscript\n```\nend\n";
        let lesson = |name: &str| Ok(format!("extends Node\n\n# {name}\n"));

        let text = filled(page, &lesson).unwrap();

        let wanted = "# A\n<!-- lesson: 01_path -->\n```gdscript\nextends Node\n\n# 01_path\n```\ntext\n\
            ```gdscript\nmine\n```\n<!-- lesson: 02 -->\n```gdscript\nextends Node\n\n# 02\n```\nend\n";
        assert_eq!(text, wanted);
        assert_eq!(filled(&text, &lesson).unwrap(), text, "what is filled stays");
    }

    #[test]
    fn a_lesson_without_a_block_is_an_error() {
        assert!(filled("<!-- lesson: 01 -->\ntext\n", &|_| Ok(String::new())).is_err());
        assert!(filled("<!-- lesson: 01 -->\n```gdscript\n```\n", &|_| anyhow::bail!("gone")).is_err());
    }

    #[test]
    fn the_line_before_a_block_tells_lessons_apart() {
        assert!(is_lesson("text\n<!-- lesson: 01_path -->\n"));
        assert!(!is_lesson("<!-- lesson: 01_path -->\ntext\n"));
    }
}
