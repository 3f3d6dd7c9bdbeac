//! The library's entry point, which keeps gdext's line of greeting out of the game's output.
//!
//! gdext says what it is with `println!` while it starts and leaves that out only when Godot itself was told `--quiet`.
//! A game's output is the game's own, so standard output leads nowhere while gdext starts, which takes less than a
//! millisecond.

use godot::sys;

use crate::{direct, gdext_rust_init};

/// What `pathforge.gdextension` names.
#[unsafe(no_mangle)]
unsafe extern "C" fn pathforge_init(
    get_proc_address: sys::GDExtensionInterfaceGetProcAddress,
    library: sys::GDExtensionClassLibraryPtr,
    init: *mut sys::GDExtensionInitialization,
) -> sys::GDExtensionBool {
    let _silence = Silence::begin();
    // SAFETY: what Godot hands to this function is what it would hand to that one; `between` finds Godot's functions.
    unsafe { gdext_rust_init(direct::between(get_proc_address), library, init) }
}

/// Standard output leads nowhere until this is dropped; where that cannot be had, nothing changes.
struct Silence(Option<platform::Stdout>);

impl Silence {
    fn begin() -> Self {
        Self(platform::silence())
    }
}

impl Drop for Silence {
    fn drop(&mut self) {
        if let Some(stdout) = self.0.take() {
            platform::restore(stdout);
        }
    }
}

#[cfg(all(unix, not(target_os = "emscripten")))]
mod platform {
    use std::fs::File;
    use std::os::fd::OwnedFd;

    use rustix::stdio::{dup2_stdout, stdout};

    pub type Stdout = OwnedFd;

    pub fn silence() -> Option<Stdout> {
        let nowhere = File::options().write(true).open("/dev/null").ok()?;
        let before = stdout().try_clone_to_owned().ok()?;
        dup2_stdout(nowhere).ok()?;
        Some(before)
    }

    pub fn restore(before: Stdout) {
        // A failure could not be reported anywhere.
        let _ = dup2_stdout(before);
    }
}

#[cfg(windows)]
mod platform {
    use std::ffi::c_void;
    use std::ptr;

    /// The handle that the process had.
    pub type Stdout = *mut c_void;

    const STD_OUTPUT_HANDLE: u32 = -11_i32 as u32;

    #[link(name = "kernel32")]
    unsafe extern "system" {
        fn GetStdHandle(which: u32) -> *mut c_void;
        fn SetStdHandle(which: u32, handle: *mut c_void) -> i32;
    }

    pub fn silence() -> Option<Stdout> {
        // SAFETY: both only read and write a field of the process; without a handle, `println!` writes nothing.
        unsafe {
            let before = GetStdHandle(STD_OUTPUT_HANDLE);
            (SetStdHandle(STD_OUTPUT_HANDLE, ptr::null_mut()) != 0).then_some(before)
        }
    }

    pub fn restore(before: Stdout) {
        // SAFETY: as above; the handle is the one that was there before.
        unsafe { SetStdHandle(STD_OUTPUT_HANDLE, before) };
    }
}

/// The web, where the line goes to the browser's console.
#[cfg(not(any(all(unix, not(target_os = "emscripten")), windows)))]
mod platform {
    pub type Stdout = ();

    pub fn silence() -> Option<Stdout> {
        None
    }

    pub fn restore((): Stdout) {}
}
