//! Rust for another platform: rustup's, or Debian's, which compiles the standard library from its source.

use std::path::Path;

use anyhow::Result;
use xshell::{Shell, cmd};

use super::Lacking;
use crate::debian::{Packages, Sysroot};
use crate::files;
use crate::paths::Paths;
use crate::process::{self, Limits};

/// A compiler, and the source of its own standard library.
const RUST: Packages = Packages {
    name: "Rust",
    wanted: &["rustc", "rust-src"],
    processor: None,
    recipe: "1",
    megabytes: (220, 1200),
};
const DOWNLOAD: Limits = Limits::seconds(900, 300);

/// How a standard library gets there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Std {
    /// Built by others, where rustup has it.
    Ready,
    /// Built here, with options of ours.
    FromSource,
}

/// What cargo and rustc are told for a target, beside its name.
#[derive(Debug, Default)]
pub struct Options {
    /// cargo.
    pub args: Vec<&'static str>,
    /// rustc.
    pub flags: Vec<&'static str>,
}

impl Options {
    /// What has cargo build the standard library. That is not stable yet.
    fn from_source(sh: &Shell) -> Self {
        sh.set_var("RUSTC_BOOTSTRAP", "1");
        Self { args: vec!["-Zbuild-std=std,panic_unwind,panic_abort"], flags: Vec::new() }
    }
}

/// What compiles for a target. Where rustup has what it takes, that is used, and downloaded if need be;
/// elsewhere Debian's Rust is set up under `target/` and named in the shell's environment.
pub fn for_target(sh: &Shell, paths: &Paths, target: &str, std: Std) -> Result<Result<Options, Lacking>> {
    let installed = cmd!(sh, "rustc --print sysroot").read()?;
    let rustlib = Path::new(&installed).join("lib/rustlib");
    let (part, kind, place) = match std {
        Std::Ready => (target, "target", rustlib.join(target).join("lib")),
        Std::FromSource => ("rust-src", "component", rustlib.join("src/rust/library/std")),
    };
    let dir = paths.target.join("rust");
    let mut refused = String::new();
    // A private copy is there because rustup could not help before.
    if !place.is_dir() && !dir.join("installed").is_file() {
        refused = rustup_add(sh, kind, part)?.err().unwrap_or_default();
    }
    if place.is_dir() {
        return Ok(Ok(match std {
            Std::Ready => Options::default(),
            Std::FromSource => Options::from_source(sh),
        }));
    }
    let start = |sysroot: &Sysroot| -> Result<String> {
        let rustc = dir.join("rustc");
        let script =
            format!("#!/bin/sh\nexec {} \"$@\"\n", sysroot.start(&sysroot.root.join("usr/bin/rustc")));
        files::put_program(&rustc, script.as_bytes())?;
        Ok(cmd!(sh, "{rustc} --version").read()?)
    };
    match RUST.ensure(&dir, &start) {
        Ok(_) => {
            sh.set_var("RUSTC", dir.join("rustc"));
            // What rustup brings beside the library (a C library's start-up code) is the linker's there.
            let flags = if target.contains("emscripten") { vec![] } else { vec!["-Clink-self-contained=no"] };
            Ok(Ok(Options { flags, ..Options::from_source(sh) }))
        }
        Err(error) => Ok(Err(Lacking(format!(
            "Rust's {kind} {part}: install Rust with https://rustup.rs, or this system's package of it\n    {refused}\n    {error:#}"
        )))),
    }
}

/// Has rustup download a target or a component, or says why it cannot.
fn rustup_add(sh: &Shell, kind: &str, name: &str) -> Result<Result<(), String>> {
    if files::on_path("rustup").is_none() {
        return Ok(Err("there is no rustup".to_owned()));
    }
    println!("    rustup {kind} add {name}");
    let added = process::watch(cmd!(sh, "rustup {kind} add {name}"), DOWNLOAD, &mut |_| ())?;
    let said =
        || format!("rustup {kind} add {name}: {}\n    {}", added.ending(), added.tail(5).join("\n    "));
    Ok(if added.succeeded() { Ok(()) } else { Err(said()) })
}
