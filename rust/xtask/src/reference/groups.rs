//! The groups in which a class's page shows its properties and methods: `groups.txt`.

use anyhow::{Result, ensure};

/// Lines `# Class`, then `Title: members` for each group. Groups before the first class count for all
/// classes. A member that ends with `*` stands for all members that begin so, if any, and that no other group
/// of the class names. A member that begins with `+` is described in another group, and named in the overview
/// of this one, too.
const TABLE: &str = include_str!("groups.txt");

/// A group of a class.
pub struct Group {
    /// Its heading.
    pub title: String,
    /// Names of its members.
    pub members: Vec<String>,
    /// Names of members that other groups describe.
    pub others: Vec<String>,
}

/// The groups of a class that has these members.
///
/// # Errors
/// Which members are in no group, and which names in the table are no members.
pub fn of(class: &str, members: &[String]) -> Result<Vec<Group>> {
    sorted(TABLE, class, members)
}

fn sorted(table: &str, class: &str, members: &[String]) -> Result<Vec<Group>> {
    let mut at = "";
    let mut rows: Vec<(bool, &str, Vec<&str>)> = Vec::new();
    for line in table.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            at = name;
        } else if let Some((title, names)) = line.split_once(": ").filter(|_| at.is_empty() || at == class) {
            rows.push((at.is_empty(), title, names.split_whitespace().collect()));
        }
    }
    let named: Vec<&str> = rows.iter().flat_map(|(_, _, names)| names.iter().copied()).collect();
    let mut groups = Vec::new();
    let mut wrong = Vec::new();
    for (is_common, title, names) in &rows {
        let mut group = Group { title: (*title).to_owned(), members: Vec::new(), others: Vec::new() };
        for name in names {
            if let Some(other) = name.strip_prefix('+') {
                group.others.extend(members.iter().filter(|member| *member == other).cloned());
                continue;
            }
            let before = group.members.len();
            match name.strip_suffix('*') {
                None => group.members.extend(members.iter().filter(|member| member == name).cloned()),
                Some(start) => {
                    let fits =
                        |member: &&String| member.starts_with(start) && !named.contains(&member.as_str());
                    group.members.extend(members.iter().filter(fits).cloned());
                }
            }
            if group.members.len() == before && !name.ends_with('*') {
                wrong.push(format!("{name} is no member"));
            }
        }
        if !group.members.is_empty() {
            groups.push((*is_common, group));
        }
    }
    let is_grouped = |member: &&String| groups.iter().any(|(_, group)| group.members.contains(member));
    wrong.extend(
        members.iter().filter(|member| !is_grouped(member)).map(|member| format!("{member} has no group")),
    );
    ensure!(wrong.is_empty(), "reference/groups.txt, {class}: {}", wrong.join(", "));
    // Groups that every class may have come last.
    groups.sort_by_key(|(is_common, _)| *is_common);
    Ok(groups.into_iter().map(|(_, group)| group).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "Debug: debug_*\n\n# A\nThe map: size region\nQuestions: find_* find_path +size\n\n# B\nThe map: cells\n";

    fn names(list: &[&str]) -> Vec<String> {
        list.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn members_stand_in_the_order_of_the_table() {
        let members = names(&["debug_lines", "find_any", "find_path", "region", "size"]);
        let groups = sorted(TABLE, "A", &members).unwrap();
        let shown: Vec<_> =
            groups.iter().map(|group| format!("{}: {}", group.title, group.members.join(" "))).collect();
        assert_eq!(groups[1].others, ["size"]);
        assert_eq!(shown, ["The map: size region", "Questions: find_any find_path", "Debug: debug_lines"]);
    }

    #[test]
    fn what_is_in_no_group_and_what_is_no_member_are_errors() {
        let missing = sorted(TABLE, "B", &names(&["cells", "clear"])).err().unwrap().to_string();
        assert!(missing.contains("clear has no group"), "{missing}");
        let gone = sorted(TABLE, "B", &names(&[])).err().unwrap().to_string();
        assert!(gone.contains("cells is no member"), "{gone}");
    }
}
