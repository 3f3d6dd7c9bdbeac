//! What compiles and links for a platform: cargo-zigbuild, rustc's own linker, Emscripten or Android's NDK.

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use fs_err as fs;
use object::macho::FAT_MAGIC;
use xshell::{Cmd, Shell, cmd};

use super::rust::{self, Std};
use super::{Lacking, emscripten};
use crate::addon::{self, PACKAGE};
use crate::paths::Paths;
use crate::{files, python};

/// A C linker for every system in one program, and what has cargo use it.
const ZIG: [&str; 2] = ["ziglang==0.17.1", "cargo-zigbuild==0.24.0"];
/// The oldest Android that Godot 4.4 runs on, as its interface's number.
const ANDROID: u32 = 24;
/// A module that a running program in the browser links, and that keeps its names from other modules.
const SIDE_MODULE: [&str; 3] =
    ["-Clink-args=-sSIDE_MODULE=2", "-Zlink-native-libraries=no", "-Zdefault-visibility=hidden"];
/// rustc's linker for macOS, without names that are not asked for from outside, without this machine's
/// folders in the library's own name, and with a signature of no one.
const MACOS: [&str; 3] = [
    "-Clinker=rust-lld",
    "-Clinker-flavor=ld64.lld",
    "-Clink-args=-x -S -adhoc_codesign -install_name @rpath/libpathforge.macos.dylib",
];
/// rustc's linker for Android. The libraries are named outright, as the linker leaves out unused ones.
const ANDROID_LINKER: [&str; 3] = [
    "-Clinker=rust-lld",
    "-Clinker-flavor=ld.lld",
    "-Clink-args=-s --pack-dyn-relocs=android -z max-page-size=16384 --no-as-needed -lc -lm -ldl",
];
/// LLVM's unwinder, whose source Zig has.
const UNWINDER: [&str; 5] = [
    "libunwind.cpp",
    "UnwindLevel1.c",
    "UnwindLevel1-gcc-ext.c",
    "UnwindRegistersRestore.S",
    "UnwindRegistersSave.S",
];
/// Where Android's tools say that their NDK is.
const NDK: [&str; 4] = ["ANDROID_NDK_HOME", "ANDROID_NDK_ROOT", "ANDROID_NDK_LATEST_HOME", "ANDROID_NDK"];

/// What builds a library.
#[derive(Debug)]
pub enum Tool {
    /// cargo-zigbuild, for the target as it names it: rustc's, with a version of glibc.
    Zig {
        /// That target.
        target: &'static str,
    },
    /// The linker that rustc brings, and the names of the system's functions that Zig brings. (Zig's own
    /// linker neither strips for macOS nor ends its parts at pages.) It strips what it links, as Apple's
    /// processors refuse a library that was changed after it was signed, and the linker signs.
    MacOs {
        /// The oldest version that loads it.
        oldest: &'static str,
    },
    /// Android's NDK, where one is. Elsewhere the linker that rustc brings, libraries that stand for
    /// Android's, and Zig's unwinder.
    Android,
    /// Emscripten and Rust's standard library from source.
    Emscripten {
        /// For games that are exported with threads.
        threads: bool,
    },
}

impl Tool {
    /// What rustc is told beside cargo's options.
    fn flags(&self, sh: &Shell, paths: &Paths, target: &str) -> Result<Vec<String>> {
        let owned = |flags: &[&str]| flags.iter().map(|&flag| flag.to_owned()).collect();
        let mut flags: Vec<String> = match self {
            Self::Zig { .. } => owned(&[addon::RELEASE_FLAGS]),
            Self::MacOs { .. } => {
                let mut flags: Vec<String> = owned(&MACOS);
                flags.push(format!("-Clink-arg=-L{}", macos_sdk(paths).join("usr/lib").display()));
                flags
            }
            // Devices with memory pages of 16 KiB load only what is aligned to them, and the store asks for
            // it. The tables of what is filled in at start are in Android's short form, which every Android 6
            // reads.
            Self::Android if ndk().is_some() => {
                let link = "-Clink-arg=-Wl,-z,max-page-size=16384,--pack-dyn-relocs=android";
                owned(&[addon::RELEASE_FLAGS, link])
            }
            Self::Android => {
                let mut flags: Vec<String> = owned(&[&ANDROID_LINKER[..], &[addon::RELEASE_FLAGS]].concat());
                flags.push(format!("-Clink-arg=-L{}", android_system(paths, target).display()));
                flags
            }
            Self::Emscripten { threads: false } => owned(&SIDE_MODULE),
            Self::Emscripten { threads: true } => {
                owned(&[&SIDE_MODULE[..], &["-Clink-args=-pthread", "-Ctarget-feature=+atomics"]].concat())
            }
        };
        // Messages of panics name source files: they are shorter without this machine's folders, and the same
        // on every machine.
        let rust = PathBuf::from(cmd!(sh, "rustc --print sysroot").read()?);
        for folder in files::cargo_registries()?.iter().chain([&paths.root, &rust]) {
            flags.push(format!("--remap-path-prefix={}=.", folder.display()));
        }
        Ok(flags)
    }

    /// The command that builds the library for one of rustc's targets, and the file that it makes.
    pub fn build<'a>(
        &self,
        sh: &'a Shell,
        paths: &Paths,
        target: &str,
    ) -> Result<Result<(Cmd<'a>, PathBuf), Lacking>> {
        let std = if matches!(self, Self::Emscripten { .. }) { Std::FromSource } else { Std::Ready };
        let options = match rust::for_target(sh, paths, target, std)? {
            Ok(options) => options,
            Err(lacking) => return Ok(Err(lacking)),
        };
        let features = match self {
            Self::Emscripten { threads: true } => "web,threads",
            Self::Emscripten { threads: false } => "web-nothreads",
            _ => "threads",
        };
        let (command, build, asked) = match self {
            Self::Zig { target } => (zig(sh, paths)?.map(|zig| sh.cmd(zig)), "zigbuild", *target),
            Self::MacOs { oldest } => (macos(sh, paths, oldest)?, "build", target),
            Self::Android => (android(sh, paths, target)?, "build", target),
            Self::Emscripten { .. } => {
                (emscripten::on_path(sh, paths)?.map(|()| sh.cmd("cargo")), "build", target)
            }
        };
        let command = match command {
            Ok(command) => command,
            Err(lacking) => return Ok(Err(lacking)),
        };
        let file = match self {
            Self::MacOs { .. } => "libpathforge_godot.dylib",
            Self::Emscripten { .. } => "pathforge_godot.wasm",
            _ if target.contains("windows") => "pathforge_godot.dll",
            _ => "libpathforge_godot.so",
        };
        let strip = if matches!(self, Self::MacOs { .. }) { "none" } else { "symbols" };
        // Godot's web builds bring no exceptions, and refuse a module that asks for them.
        let panic = if matches!(self, Self::Emscripten { .. }) { "abort" } else { "unwind" };
        let mut flags = self.flags(sh, paths, target)?;
        flags.extend(options.flags.into_iter().map(str::to_owned));
        let command = command
            .args([build, "--locked", "--release", "--package", PACKAGE, "--target", asked])
            .args(addon::features(features))
            .args(options.args)
            .env("CARGO_TARGET_DIR", &paths.target)
            .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
            .env("CARGO_PROFILE_RELEASE_STRIP", strip)
            .env("CARGO_PROFILE_RELEASE_PANIC", panic)
            .env("CARGO_PROFILE_RELEASE_DEBUG", "false");
        Ok(Ok((command, paths.target.join(target).join("release").join(file))))
    }
}

/// cargo-zigbuild, which takes cargo's commands, and what it needs in the shell's environment. It is
/// installed under `target/` at the first call.
pub fn zig(sh: &Shell, paths: &Paths) -> Result<Result<PathBuf, Lacking>> {
    let bin = match python::tools(paths, "zig", &ZIG)? {
        Ok(bin) => bin,
        Err(reason) => return Ok(Err(Lacking(reason))),
    };
    emscripten::add(sh, &bin)?;
    sh.set_var("CARGO_ZIGBUILD_PYTHON_PATH", bin.join("python"));
    Ok(Ok(bin.join("cargo-zigbuild")))
}

/// Where Zig is, whose environment is in the shell.
fn zig_folder(sh: &Shell) -> Result<PathBuf> {
    Ok(cmd!(sh, "python -c 'import os, ziglang; print(os.path.dirname(ziglang.__file__))'").read()?.into())
}

/// Where [`macos`] puts what a linker reads of macOS.
fn macos_sdk(paths: &Paths) -> PathBuf {
    paths.scratch().join("macos")
}

/// cargo, with what rustc's linker for macOS asks the environment for.
fn macos<'a>(sh: &'a Shell, paths: &Paths, oldest: &str) -> Result<Result<Cmd<'a>, Lacking>> {
    if let Err(lacking) = zig(sh, paths)? {
        return Ok(Err(lacking));
    }
    let system = fs::read_to_string(zig_folder(sh)?.join("lib/libc/darwin/libSystem.tbd"))?;
    // Zig lists the functions of arm64 only under arm64e, which Apple's own programs use, and under a kind
    // that no linker of today knows. The linker would refuse the file.
    let system = system.replace("arm64e.x1-", "arm64-").replace("arm64e-", "arm64-");
    for name in ["libSystem.tbd", "libc.tbd", "libm.tbd"] {
        files::put(&macos_sdk(paths).join("usr/lib").join(name), system.as_bytes())?;
    }
    let cargo = sh.cmd("cargo").env("SDKROOT", macos_sdk(paths)).env("MACOSX_DEPLOYMENT_TARGET", oldest);
    Ok(Ok(cargo))
}

/// One file of macOS with a library for each of two processors, which begins with a table of them (Apple's
/// `mach-o/fat.h`).
pub fn universal(libraries: &[Vec<u8>]) -> Result<Vec<u8>> {
    const ALIGNMENT: u32 = 14; // Pages of 16 KiB, as a power of two.
    let mut file: Vec<u8> = [FAT_MAGIC, libraries.len() as u32].map(u32::to_be_bytes).concat();
    let mut at = 0;
    for library in libraries {
        at = (at as usize + 1).next_multiple_of(1 << ALIGNMENT) as u32;
        // Its own header names the processor, in the order of its bytes.
        let number = |from: usize| library[from..from + 4].try_into().map(u32::from_le_bytes);
        let row = [number(4)?, number(8)?, at, library.len() as u32, ALIGNMENT];
        file.extend(row.map(u32::to_be_bytes).concat());
        at += library.len() as u32;
    }
    for library in libraries {
        file.resize((file.len() + 1).next_multiple_of(1 << ALIGNMENT), 0);
        file.extend(library);
    }
    Ok(file)
}

/// The NDK that the environment names.
fn ndk() -> Option<PathBuf> {
    NDK.iter().find_map(env::var_os).map(PathBuf::from)
}

/// cargo, told to link with the NDK, or with what [`stand_in_for_ndk`] makes.
fn android<'a>(sh: &'a Shell, paths: &Paths, target: &str) -> Result<Result<Cmd<'a>, Lacking>> {
    let Some(ndk) = ndk() else { return stand_in_for_ndk(sh, paths, target) };
    let host = format!("{}-x86_64", if cfg!(target_os = "macos") { "darwin" } else { env::consts::OS });
    let bin = ndk.join("toolchains/llvm/prebuilt").join(host).join("bin");
    let script = if cfg!(windows) { ".cmd" } else { "" };
    let linker = bin.join(format!("{target}{ANDROID}-clang{script}"));
    if !linker.is_file() {
        let reason = format!("{} is not there: is {} an NDK?", linker.display(), ndk.display());
        return Ok(Err(Lacking(reason)));
    }
    let variable = target.to_uppercase().replace('-', "_");
    Ok(Ok(sh.cmd("cargo").env(format!("CARGO_TARGET_{variable}_LINKER"), linker)))
}

/// Where [`stand_in_for_ndk`] puts what a linker reads of Android.
fn android_system(paths: &Paths, target: &str) -> PathBuf {
    paths.scratch().join("android").join(target)
}

/// Makes the linker's inputs for Android. For the system's libraries these are names; the built file is
/// checked for functions that Android does not have. The unwinder comes with each library. Zig has its
/// source; its C library differs from Android's, in what the unwinder uses, by one function's name.
fn stand_in_for_ndk<'a>(sh: &'a Shell, paths: &Paths, target: &str) -> Result<Result<Cmd<'a>, Lacking>> {
    const ERRNO: &str = "int *__errno(void);\nint *__errno_location(void) { return __errno(); }\n";
    if let Err(Lacking(reason)) = zig(sh, paths)? {
        return Ok(Err(Lacking(format!("{reason}, or Android's NDK, which {} names", NDK[0]))));
    }
    let folder = android_system(paths, target);
    files::put(&folder.join("nothing.c"), b"")?;
    files::put(&folder.join("errno.c"), ERRNO.as_bytes())?;
    let _here = sh.push_dir(&folder);
    let zigs = target.replace("android", "musl");
    for name in ["c", "m", "dl", "log"] {
        let (file, soname) = (format!("lib{name}.so"), format!("-Wl,-soname,lib{name}.so"));
        cmd!(sh, "python -m ziglang cc -target {zigs} -shared -nostdlib {soname} -o {file} nothing.c")
            .quiet()
            .run()?;
    }
    let unwinder = zig_folder(sh)?.join("lib/libunwind");
    let headers = format!("-I{}", unwinder.join("include").display());
    let sources = UNWINDER.map(|name| unwinder.join("src").join(name));
    cmd!(sh, "python -m ziglang build-lib -target {zigs} -lc -fPIC -O ReleaseSmall --name unwind")
        .args(["-cflags", "-DNDEBUG", "-D_LIBUNWIND_IS_NATIVE_ONLY", "-D_LIBUNWIND_HIDE_SYMBOLS", &headers])
        .args(["-fvisibility=hidden", "-funwind-tables", "-fno-exceptions", "-fno-rtti", "--"])
        .args(sources)
        .arg("errno.c")
        .quiet()
        .run()?;
    Ok(Ok(sh.cmd("cargo")))
}
