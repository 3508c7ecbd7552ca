//! `cargo xtask dist`: the archive of a release, its checksum and its bill of materials. The
//! program starts on older systems than the build machine, and the same commit always gives the
//! same bytes.
//!
//! zig's linker is used because it has the symbols of each version of glibc. A build in the
//! container of an old distribution would need that distribution's packages. zig cannot merge
//! functions with the same code, so the program is a little larger than that of `build --dist`.

mod archive;
mod authority;
mod contents;
pub mod image;
mod inspect;
pub mod installation;
mod licences;
#[cfg(test)]
mod manifests;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::process::{at_root, cargo, output, root, run};
use crate::setup::{self, Need};
use crate::{build, sbom};

/// Folder of the archive.
const FOLDER: &str = "target/dist";
/// Folder of the build, which is not shared with other builds because their linker differs.
const BUILT: &str = "target/zigbuild";
/// Target without the version of glibc, as in the path of the program.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Package with zig, the linker and C compiler.
const ZIG: &str = "ziglang==0.15.2";
/// Folder of the second build of `--check`. Its path is longer than that of the first one.
const SECOND: &str = "target/dist-check/another-folder/flagship";

/// `flagship-0.1.0`: the top folder.
fn release() -> String {
    format!("flagship-{}", env!("CARGO_PKG_VERSION"))
}

/// The archive, relative to the root.
fn archive_path() -> PathBuf {
    Path::new(FOLDER).join(format!("{}-x86_64-linux.tar.gz", release()))
}

/// Builds the program and writes the archive, its checksum and the bill of materials.
pub fn make() -> Result<()> {
    let program = program()?;
    let content = std::fs::read(&program).with_context(|| format!("read {}", program.display()))?;
    inspect::check(&content, &[&root(), &cargo_home()?])?;
    let packed = pack(&program, commit_time_s()?)?;
    println!("wrote {} ({} bytes)", archive_path().display(), packed.len());
    Ok(())
}

/// Writes the archive of a program; returns its content.
fn pack(program: &Path, time_s: u64) -> Result<Vec<u8>> {
    let folder = root().join(FOLDER);
    std::fs::create_dir_all(&folder).with_context(|| format!("create {}", folder.display()))?;
    let mut entries = contents::entries(program, &folder)?;
    entries.extend(licences::entries()?);
    let packed = archive::pack(&release(), entries, time_s)?;
    let path = root().join(archive_path());
    let name = path.file_name().context("the archive has a name")?.to_string_lossy().into_owned();
    let sum = path.with_added_extension("sha256");
    std::fs::write(&path, &packed).with_context(|| format!("write {}", path.display()))?;
    std::fs::write(&sum, archive::checksum(&name, &packed))
        .with_context(|| format!("write {}", sum.display()))?;
    sbom::write(&format!("{FOLDER}/{}.cdx.json", release()))?;
    Ok(packed)
}

/// Builds the committed files twice, in two folders, and fails if the archives differ.
pub fn check() -> Result<()> {
    let changed = output(at_root("git").args(["status", "--porcelain"]))?;
    ensure!(changed.trim().is_empty(), "commit or remove these changes first:\n{changed}");
    make()?;
    let second = root().join(SECOND);
    std::fs::remove_dir_all(&second).ok();
    run(at_root("git").args(["clone", "--quiet", "--no-hardlinks", "."]).arg(&second))?;
    let commit = output(at_root("git").args(["rev-parse", "HEAD"]))?;
    let checkout = ["checkout", "--quiet", "--detach", commit.trim()];
    run(Command::new("git").current_dir(&second).args(checkout))?;
    let mut dist = cargo(&["xtask", "dist"]);
    run(dist.current_dir(&second).env_remove("CARGO_TARGET_DIR"))?;
    let read = |folder: &Path| {
        let path = folder.join(archive_path());
        std::fs::read(&path).with_context(|| format!("read {}", path.display()))
    };
    let (first, second) = (read(&root())?, read(&second)?);
    if first != second {
        bail!("these files differ: {}", archive::differences(&first, &second)?.join(", "));
    }
    println!("both builds gave the same archive");
    Ok(())
}

/// Builds the program for [`TARGET`] with the symbols of [`inspect::GLIBC_MAX`].
fn program() -> Result<PathBuf> {
    setup::ensure(&[Need::Node, Need::Python, Need::Zigbuild])?;
    build::site()?;
    let (major, minor) = inspect::GLIBC_MAX;
    let target = format!("{TARGET}.{major}.{minor}");
    let mut build = cargo(&["zigbuild", "--locked", "--profile", "dist", "--package", "flagship"]);
    build.args(["--bin", "flagship", "--target-dir", BUILT, "--target", &target]);
    let folders = [(root(), "/flagship"), (cargo_home()?, "/cargo")];
    let flags = |option: &str, separator: &str| {
        let flags = folders.iter().map(|(from, to)| format!("{option}={}={to}", from.display()));
        flags.collect::<Vec<_>>().join(separator)
    };
    // The compilers write file names into the program, for messages of failed assertions.
    build.env("CARGO_ENCODED_RUSTFLAGS", flags("--remap-path-prefix", "\u{1f}"));
    build.env(format!("CFLAGS_{}", TARGET.replace('-', "_")), flags("-ffile-prefix-map", " "));
    build.env("PYTHONPATH", zig()?).env("CARGO_ZIGBUILD_CACHE_DIR", root().join(BUILT));
    run(&mut build)?;
    Ok(root().join(BUILT).join(TARGET).join("dist/flagship"))
}

/// Folder with zig as a Python package.
fn zig() -> Result<PathBuf> {
    let folder = root().join("target").join(ZIG);
    if !folder.join("ziglang/zig").exists() {
        let pip = ["-m", "pip", "install", "--quiet", ZIG, "--target"];
        run(Command::new("python3").args(pip).arg(&folder))?;
    }
    Ok(folder)
}

fn cargo_home() -> Result<PathBuf> {
    let set = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo"));
    set.or_else(home).context("set CARGO_HOME or HOME")
}

/// `SOURCE_DATE_EPOCH`, or the time of the commit.
fn commit_time_s() -> Result<u64> {
    let time = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(time) => time,
        Err(_) => output(at_root("git").args(["log", "-1", "--format=%ct"]))?,
    };
    time.trim().parse().with_context(|| format!("`{}` is not a time in seconds", time.trim()))
}

/// Sends a request to a server of a test; returns the whole response. `head` ends without a line
/// break.
fn request(address: SocketAddr, head: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    write!(stream, "{head}\r\nHost: {address}\r\nConnection: close\r\n\r\n{body}")?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    Ok(response)
}
