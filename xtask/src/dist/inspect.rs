//! Checks of the built program: oldest C library, libraries, size, and paths of the build machine.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use goblin::elf::Elf;

/// Newest version of glibc whose symbols the program may use: Debian 10, Ubuntu 18.10, RHEL 8.
pub const GLIBC_MAX: (u32, u32) = (2, 28);
/// Maximum size of the program.
const BYTES_MAX: usize = 40_000_000;
/// Libraries of glibc. The container image has no others.
const LIBRARIES: [&str; 8] = [
    "ld-linux-x86-64.so.2",
    "libc.so.6",
    "libdl.so.2",
    "libm.so.6",
    "libpthread.so.0",
    "libresolv.so.2",
    "librt.so.1",
    "libutil.so.1",
];

/// Checks a program for publication; `folders` are those of the build machine.
pub fn check(program: &[u8], folders: &[&Path]) -> Result<()> {
    let bytes = program.len();
    ensure!(bytes <= BYTES_MAX, "the program has {bytes} bytes; the maximum is {BYTES_MAX}");
    let needed = glibc_needed(program)?;
    ensure!(needed <= GLIBC_MAX, "the program needs glibc {needed:?}; maximum: {GLIBC_MAX:?}");
    if let Some(name) = other_library(program)? {
        bail!("the program needs `{name}`, which is not part of glibc");
    }
    for folder in folders {
        let is_there = contains_path(program, folder);
        ensure!(!is_there, "the program contains the path {}", folder.display());
    }
    Ok(())
}

/// The version of glibc that a program needs, from the versions of its symbols.
fn glibc_needed(program: &[u8]) -> Result<(u32, u32)> {
    let elf = Elf::parse(program).context("read the program's ELF header")?;
    let needs = elf.verneed.as_ref().context("the program has no symbol versions")?;
    let mut newest = None;
    for library in needs.iter() {
        for symbol in library.iter() {
            let name = elf.dynstrtab.get_at(symbol.vna_name).context("a version has a name")?;
            if let Some(version) = name.strip_prefix("GLIBC_") {
                newest = newest.max(Some(parsed(version)?));
            }
        }
    }
    newest.context("the program needs no version of glibc")
}

/// Major and minor number. Rejects `PRIVATE` and `ABI_DT_RELR`, which have no number: the program
/// would not start with some versions of glibc.
fn parsed(version: &str) -> Result<(u32, u32)> {
    let mut numbers = version.split('.').map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => bail!("the program needs GLIBC_{version}"),
    }
}

/// A needed library that is not part of glibc.
fn other_library(program: &[u8]) -> Result<Option<String>> {
    let elf = Elf::parse(program).context("read the program's ELF header")?;
    let other = elf.libraries.iter().find(|name| !LIBRARIES.contains(name));
    Ok(other.map(|name| (*name).to_owned()))
}

fn contains_path(program: &[u8], folder: &Path) -> bool {
    let path = folder.as_os_str().as_encoded_bytes();
    program.windows(path.len()).any(|window| window == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn this_program() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn the_needed_glibc_is_read_from_the_program() {
        let (major, minor) = glibc_needed(&this_program()).unwrap();
        assert!(major == 2 && minor >= 14, "{major}.{minor}: memcpy alone needs 2.14");
        assert_eq!(parsed("2.28").unwrap(), (2, 28));
        assert_eq!(parsed("2.2.5").unwrap(), (2, 2));
        assert!(parsed("2.4").unwrap() < GLIBC_MAX, "numbers, not texts");
        assert!(parsed("PRIVATE").is_err() && parsed("ABI_DT_RELR").is_err());
        assert!(glibc_needed(b"#!/bin/sh\n").is_err());
    }

    #[test]
    fn a_library_outside_glibc_is_found() {
        // Built with the system's linker, which links the unwinder of GCC.
        assert_eq!(other_library(&this_program()).unwrap().as_deref(), Some("libgcc_s.so.1"));
        assert!(other_library(b"#!/bin/sh\n").is_err());
    }

    #[test]
    fn a_program_for_this_machine_only_is_rejected() {
        assert!(check(&this_program(), &[]).is_err());
        let large = vec![0; BYTES_MAX + 1];
        assert!(check(&large, &[]).unwrap_err().to_string().contains("the maximum is"));
        assert!(contains_path(b"at /build/src/main.rs:1", Path::new("/build")));
        assert!(!contains_path(b"at /source/src/main.rs:1", Path::new("/build")));
    }
}
