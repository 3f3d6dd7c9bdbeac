//! How the library is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // Godot unloads extensions when it ends, while idle threads of ours may still be on their way to sleep: their code
    // must not vanish below them.
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux" || os == "android") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
