//! What a run ran on.

use std::env;
use std::fs;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

/// The locked versions of everything that is compared.
const LOCK: &str = include_str!("../../../Cargo.lock");

/// Machine and versions.
#[derive(Clone, Debug)]
pub struct Machine {
    cpu: String,
    cores: usize,
    memory_gb: u64,
    system: String,
    /// Name and version of what was measured and what measured it.
    versions: Vec<(&'static str, String)>,
}

impl Machine {
    /// This one.
    pub fn here() -> Self {
        let mut versions = vec![("PathForge", format!("{}{}", env!("CARGO_PKG_VERSION"), revision()))];
        versions.push(("rustc", answer("rustc", &["--version"]).replace("rustc ", "")));
        if let Some(launcher) = env::var_os(crate::godot::LAUNCHER) {
            let version = answer(&launcher.to_string_lossy(), &["--version"]);
            versions.push(("Godot", version.lines().last().unwrap_or_default().to_owned()));
        }
        for peer in ["grid_pathfinding", "pathfinding", "hierarchical_pathfinding"] {
            versions.extend(locked(peer).map(|version| (peer, version)));
        }
        Self {
            cpu: cpu(),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_gb: memory_gb(),
            system: system(),
            versions,
        }
    }

    /// In a sentence or two.
    pub fn words(&self) -> String {
        let versions: Vec<_> =
            self.versions.iter().map(|(name, version)| format!("{name} {version}")).collect();
        let Self { cpu, cores, memory_gb, system, .. } = self;
        let memory = if *memory_gb > 0 { format!(", {memory_gb} GB") } else { String::new() };
        format!("{cpu}, {cores} cores{memory}, {system}. {}.", versions.join(", "))
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let versions: serde_json::Map<_, _> =
            self.versions.iter().map(|(name, version)| ((*name).to_owned(), json!(version))).collect();
        json!({
            "cpu": self.cpu,
            "cores": self.cores,
            "memory_gb": self.memory_gb,
            "system": self.system,
            "versions": versions,
        })
    }
}

/// The first thing that a command says, or nothing.
fn answer(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output();
    output.map_or_else(|_| String::new(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn revision() -> String {
    let revision = answer("git", &["rev-parse", "--short", "HEAD"]);
    if revision.is_empty() { revision } else { format!(" ({revision})") }
}

/// The version of a crate in `Cargo.lock`.
fn locked(name: &str) -> Option<String> {
    let (_, rest) = LOCK.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    rest.split('"').next().map(str::to_owned)
}

/// The value of the first line of a file that begins with `key`.
fn entry(file: &str, key: &str, separator: char) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(line.split_once(separator)?.1.trim().trim_matches('"').to_owned())
}

fn cpu() -> String {
    let linux = || entry("/proc/cpuinfo", "model name", ':');
    let mac = || Some(answer("sysctl", &["-n", "machdep.cpu.brand_string"])).filter(|name| !name.is_empty());
    let windows = || env::var("PROCESSOR_IDENTIFIER").ok();
    linux().or_else(mac).or_else(windows).unwrap_or_else(|| env::consts::ARCH.to_owned())
}

fn memory_gb() -> u64 {
    let kb = entry("/proc/meminfo", "MemTotal", ':');
    kb.and_then(|text| text.split(' ').next()?.parse::<u64>().ok()).map_or(0, |kb| kb.div_ceil(1 << 20))
}

fn system() -> String {
    let name = entry("/etc/os-release", "PRETTY_NAME", '=').unwrap_or_else(|| env::consts::OS.to_owned());
    format!("{name} {}", env::consts::ARCH)
}
