//! What a library's file says about the systems that load it: symbol versions, load commands and imports.

use std::fmt;

use anyhow::{Context, Result, bail, ensure};
use object::macho::{LC_CODE_SIGNATURE, LC_ID_DYLIB, LinkeditDataCommand, MachHeader64};
use object::read::elf::{ElfFile64, FileHeader as _};
use object::read::macho::{FatArch as _, MachHeader as _, MachOFatFile32};
use object::read::pe::PeFile64;
use object::{Endianness, LittleEndian, Object as _, ObjectSymbol as _, elf};

/// The function that Godot calls first.
const ENTRY: &[u8] = b"pathforge_init";
/// What every Windows 10 has, in small letters.
const WINDOWS_LIBRARIES: [&str; 9] = [
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "ucrtbase.dll",
    "userenv.dll",
    "ws2_32.dll",
];
/// What libraries ask Android's libc, libm and libdl for, all of it there since API 24 or before (bionic's
/// `libc.map.txt`).
const ANDROID_NAMES: &str = "\
    __cxa_atexit __cxa_finalize __errno __register_atfork abort acos android_set_abort_message atan2f calloc \
    clock_gettime clock_nanosleep close closelog cos cosf dl_iterate_phdr dladdr dlopen fflush fma fmax fmaxf fmin fminf fprintf fputc \
    free fstat fwrite getcwd getenv hypot hypotf log2 log2f lseek64 malloc memcmp memcpy memmove memset mmap \
    munmap open openlog pipe posix_memalign prctl process_vm_readv pthread_attr_destroy pthread_attr_init \
    pthread_attr_setstacksize pthread_create pthread_detach pthread_getspecific pthread_key_create \
    pthread_key_delete pthread_mutex_lock pthread_mutex_unlock pthread_once pthread_rwlock_rdlock \
    pthread_rwlock_unlock pthread_rwlock_wrlock pthread_setspecific read readlink realloc realpath \
    sched_getaffinity sched_yield sin sincos sincosf sinf snprintf stat stderr strcmp strerror_r strlen \
    strncmp syscall sysconf syslog vasprintf vfprintf write writev";
/// The least alignment, in bytes, of what an Android device with pages of 16 KiB loads.
const ANDROID_PAGE: u64 = 16 << 10;

/// The oldest system that has to load a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Baseline {
    /// A Linux with this version of glibc.
    Glibc(u32, u32),
    /// Windows 10 with nothing installed.
    Windows10,
    /// This version of macOS, on both of its processors.
    MacOs(u32, u32),
    /// Android with this number of its interface, and pages of 4 or 16 KiB.
    Android(u32),
    /// A Godot in the browser, which links it when it starts.
    SideModule,
}

impl Baseline {
    /// An error when that system would not load the library.
    pub fn check(self, library: &[u8]) -> Result<()> {
        match self {
            Self::Glibc(major, minor) => {
                let newest = newest_glibc(library)?;
                ensure!(
                    newest <= (major, minor),
                    "it needs glibc {}.{}, not {major}.{minor}",
                    newest.0,
                    newest.1
                );
                exports_entry(library)
            }
            Self::Windows10 => check_windows(library),
            Self::MacOs(major, minor) => check_macos(library, (major, minor)),
            Self::Android(_) => check_android(library),
            Self::SideModule => check_side_module(library),
        }
    }
}

impl fmt::Display for Baseline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Glibc(major, minor) => write!(formatter, "glibc {major}.{minor} and later"),
            Self::Windows10 => formatter.write_str("Windows 10 and later"),
            Self::MacOs(major, minor) => write!(formatter, "macOS {major}.{minor} and later"),
            Self::Android(interface) => write!(formatter, "Android's API {interface} and later"),
            Self::SideModule => formatter.write_str("a side module"),
        }
    }
}

fn exports_entry(library: &[u8]) -> Result<()> {
    let file = object::File::parse(library)?;
    let is_entry = |name: &[u8]| name == ENTRY || name.strip_prefix(b"_") == Some(ENTRY);
    ensure!(file.exports()?.iter().any(|export| is_entry(export.name())), "it does not export its entry");
    Ok(())
}

/// The newest version of glibc whose symbols a library of Linux asks for.
fn newest_glibc(library: &[u8]) -> Result<(u32, u32)> {
    let header = elf::FileHeader64::<Endianness>::parse(library)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, library)?;
    let (needed, strings) = sections.gnu_verneed(endian, library)?.context("it names no symbol versions")?;
    let strings = sections.strings(endian, library, strings)?;
    let mut newest = (0, 0);
    let mut files = needed;
    while let Some((_, mut versions)) = files.next()? {
        while let Some(version) = versions.next()? {
            let name = String::from_utf8_lossy(version.name(endian, strings)?).into_owned();
            if let Some(number) = name.strip_prefix("GLIBC_") {
                newest = newest.max(read_version(number).with_context(|| format!("the version {name}"))?);
            }
        }
    }
    Ok(newest)
}

/// Reads `2.28` and `2.2.5`, of which the first two numbers count.
fn read_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn check_windows(library: &[u8]) -> Result<()> {
    let file = PeFile64::parse(library)?;
    let table = file.import_table()?.context("it imports nothing")?;
    let mut descriptors = table.descriptors()?;
    while let Some(descriptor) = descriptors.next()? {
        let name = table.name(descriptor.name.get(LittleEndian))?;
        let name = String::from_utf8_lossy(name).to_lowercase();
        let is_systems = WINDOWS_LIBRARIES.contains(&name.as_str()) || name.starts_with("api-ms-win-");
        ensure!(is_systems, "it needs {name}, which Windows 10 does not bring");
    }
    exports_entry(library)
}

fn check_macos(library: &[u8], promised: (u32, u32)) -> Result<()> {
    let both = MachOFatFile32::parse(library).context("it is not for two processors")?;
    ensure!(both.arches().len() == 2, "it is for {} processors, not two", both.arches().len());
    for one in both.arches() {
        let one = one.data(library)?;
        exports_entry(one)?;
        let header = MachHeader64::<Endianness>::parse(one, 0)?;
        let endian = header.endian()?;
        let (mut oldest, mut is_signed) = (None, false);
        let mut commands = header.load_commands(endian, one, 0)?;
        while let Some(command) = commands.next()? {
            if let Some(dylib) = command.dylib()? {
                let name = String::from_utf8_lossy(command.string(endian, dylib.dylib.name)?).into_owned();
                let is_itself = command.cmd() == LC_ID_DYLIB;
                let is_systems = name.starts_with("/usr/lib/") || name.starts_with("/System/");
                ensure!(is_itself || is_systems, "it needs {name}, which macOS does not bring");
            }
            if command.cmd() == LC_CODE_SIGNATURE {
                let place = command.data::<LinkeditDataCommand<Endianness>>()?;
                let end = u64::from(place.dataoff.get(endian)) + u64::from(place.datasize.get(endian));
                // What is written last: a tool that strips afterwards cuts it off or moves it.
                is_signed = end == one.len() as u64;
            }
            if let Some(version) = command.build_version()? {
                oldest = Some(version.minos.get(endian));
            }
        }
        ensure!(is_signed, "it is not signed at its end, and Apple's processors refuse it");
        let oldest = oldest.context("it does not say for which macOS it is")?;
        let oldest = (oldest >> 16, oldest >> 8 & 0xff);
        ensure!(oldest <= promised, "it is for macOS {}.{} and later, not {promised:?}", oldest.0, oldest.1);
    }
    Ok(())
}

fn check_android(library: &[u8]) -> Result<()> {
    let file = ElfFile64::<Endianness>::parse(library)?;
    for segment in file.elf_program_headers() {
        let (kind, align) = (segment.p_type.get(file.endian()), segment.p_align.get(file.endian()));
        ensure!(kind != elf::PT_LOAD || align >= ANDROID_PAGE, "its parts are aligned to {align} bytes only");
    }
    for symbol in file.dynamic_symbols().filter(|symbol| symbol.is_undefined() && !symbol.is_weak()) {
        let name = symbol.name()?;
        let is_known = name.is_empty() || ANDROID_NAMES.split(' ').any(|known| known == name);
        ensure!(is_known, "it needs {name}, which is not known to be in Android 7");
    }
    exports_entry(library)
}

/// A module of WebAssembly that a running Godot can link: its first section says so, and it asks for no
/// exceptions, of which Godot's web builds have none.
fn check_side_module(library: &[u8]) -> Result<()> {
    ensure!(library.starts_with(b"\0asm\x01\0\0\0"), "it is not WebAssembly");
    if library.get(8) != Some(&0)
        || !library[8..library.len().min(64)].windows(8).any(|part| part == b"dylink.0")
    {
        bail!("it is not a side module");
    }
    let names = |name: &[u8]| library.windows(name.len()).any(|part| part == name);
    ensure!(names(ENTRY), "it does not export its entry");
    ensure!(
        !names(b"__cpp_exception") && !names(b"__cxa_"),
        "it needs exceptions, which Godot does not bring"
    );
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(read_version("2.28"), Some((2, 28)));
        assert_eq!(read_version("2.2.5"), Some((2, 2)));
        assert_eq!(read_version("PRIVATE"), None);
        assert!((2, 9) < (2, 28), "they are numbers");
    }

    #[test]
    fn a_file_that_is_no_library_is_refused() {
        let baselines = [
            Baseline::Glibc(2, 28),
            Baseline::Windows10,
            Baseline::MacOs(11, 0),
            Baseline::Android(24),
            Baseline::SideModule,
        ];
        for baseline in baselines {
            for bytes in [&b""[..], b"\x7fELF", b"\0asm\x01\0\0\0", &[0; 4096]] {
                assert!(baseline.check(bytes).is_err(), "{baseline:?} {}", bytes.len());
            }
        }
    }

    #[test]
    fn this_program_needs_a_glibc() {
        if cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")) {
            let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
            let newest = newest_glibc(&program).unwrap();
            assert!(newest > (2, 0) && newest < (3, 0), "{newest:?}");
            let error = Baseline::Glibc(2, 1).check(&program).unwrap_err().to_string();
            assert!(error.contains("it needs glibc 2."), "{error}");
            assert!(exports_entry(&program).is_err());
        }
    }
}
