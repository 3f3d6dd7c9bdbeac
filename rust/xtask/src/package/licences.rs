//! The licences of what is compiled into the library.

use std::collections::BTreeSet;
use std::fmt::Write;

use anyhow::Result;
use fs_err as fs;
use xshell::cmd;

use crate::addon::PACKAGE;
use crate::files;
use crate::paths::Paths;

const HEAD: &str = "\
The PathForge library contains the following libraries, unchanged. Each is listed with its licence and the address of its
source code, and with the notices that its authors ship. The Mozilla Public License 2.0 is at https://mozilla.org/MPL/2.0/,
the Apache License 2.0 at https://www.apache.org/licenses/LICENSE-2.0.
";

/// One library, as `cargo tree` tells.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Library {
    name: String,
    version: String,
    licence: String,
    source: String,
}

/// Every library that is compiled into ours for one of the targets, with its licence's text where it ships
/// one.
pub fn of_the_library(paths: &Paths, targets: &[&str]) -> Result<String> {
    let sh = paths.shell()?;
    let targets = targets.iter().flat_map(|target| ["--target", target]);
    let form = ["--prefix", "none", "--no-dedupe", "--format", "{p}|{l}|{r}"];
    let tree = cmd!(
        sh,
        "cargo tree --locked --package {PACKAGE} --edges normal,no-proc-macro {targets...} {form...}"
    )
    .read()?;
    let libraries: BTreeSet<Library> =
        tree.lines().filter_map(read_line).filter(|library| !library.name.starts_with("pathforge")).collect();

    let mut text = HEAD.to_owned();
    for library in &libraries {
        let Library { name, version, licence, source } = library;
        let _ = write!(text, "\n\n{}\n{name} {version}\n{licence}\n{source}\n", "=".repeat(80));
        for notice in notices(library)? {
            let _ = write!(text, "\n{}\n", notice.trim_end());
        }
    }
    Ok(text)
}

/// Reads `name v1.2.3 (proc-macro)|MIT|https://…`.
fn read_line(line: &str) -> Option<Library> {
    let mut fields = line.split('|');
    let (package, licence, source) = (fields.next()?, fields.next()?, fields.next()?);
    let mut words = package.split_whitespace();
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let owned = str::to_owned;
    Some(Library {
        name: owned(name),
        version: owned(version),
        licence: owned(licence),
        source: owned(source),
    })
}

/// The licence files of a library, from where cargo keeps its source: the MIT one where it ships several, as
/// that is enough and the shortest.
fn notices(library: &Library) -> Result<Vec<String>> {
    let folder = format!("{}-{}", library.name, library.version);
    let sources = files::cargo_registries()?.into_iter().map(|registry| registry.join(&folder));
    let Some(source) = sources.into_iter().find(|source| source.is_dir()) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for name in files::names_in(&source)? {
        let upper = name.to_string_lossy().to_uppercase();
        let is_notice =
            ["LICENSE", "LICENCE", "COPYRIGHT", "NOTICE"].iter().any(|part| upper.starts_with(part));
        if is_notice && source.join(&name).is_file() {
            found.push((upper, source.join(&name)));
        }
    }
    if let Some(mit) = found.iter().position(|(name, _)| name.contains("MIT")) {
        found = vec![found.swap_remove(mit)];
    }
    found.iter().map(|(_, path)| Ok(fs::read_to_string(path)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_tree_are_read() {
        let library = read_line("wide v1.7.1|Zlib OR MIT|https://example.org/wide").unwrap();
        assert_eq!((library.name.as_str(), library.version.as_str()), ("wide", "1.7.1"));
        assert_eq!(
            (library.licence.as_str(), library.source.as_str()),
            ("Zlib OR MIT", "https://example.org/wide")
        );
        assert!(read_line("").is_none());
    }

    #[test]
    fn the_binding_s_licence_is_among_them() {
        let paths = Paths::of_this_repository().unwrap();
        let text = of_the_library(&paths, &["x86_64-pc-windows-gnu", "aarch64-linux-android"]).unwrap();
        assert!(
            text.contains("\ngodot-core ") && text.contains("MPL-2.0") && !text.contains("pathforge-core")
        );
    }
}
