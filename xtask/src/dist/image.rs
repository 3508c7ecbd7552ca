//! `cargo xtask image`: a container image of the program in the archive, with the C library and the
//! CA certificates of this machine's Debian release. `cargo xtask test image` plays an event in it.

use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::{archive, archive_path, commit_time_s, release, request};
use crate::hostile;
use crate::postgres::free_port;
use crate::process::{output, root, run, succeeds};
use crate::setup::{self, Need};

/// Folder of the build context.
const CONTEXT: &str = "target/image";
/// Folder of the test's event and data.
const PLAYED: &str = "target/image-test";
/// Debian packages whose files are in the image.
const PACKAGES: [&str; 2] = ["libc6", "ca-certificates"];
/// Files of these packages that the program does not use.
const UNUSED: [&str; 7] = [
    "etc",
    "usr/sbin",
    "usr/share/ca-certificates",
    "usr/share/lintian",
    "usr/share/man",
    "lib/x86_64-linux-gnu/gconv",
    "usr/lib/x86_64-linux-gnu/gconv",
];
/// User and group of the image.
const USER: u32 = 65_532;
const START_MAX: Duration = Duration::from_secs(60);

/// `flagship:0.1.0`.
pub fn tag() -> String {
    format!("flagship:{}", env!("CARGO_PKG_VERSION"))
}

/// Builds the image from the archive in `target/dist`.
pub fn make() -> Result<()> {
    let path = root().join(archive_path());
    ensure!(path.exists(), "{} is missing: run `cargo xtask dist` first", path.display());
    setup::ensure(&[Need::Podman])?;
    let context = root().join(CONTEXT);
    std::fs::remove_dir_all(&context).ok();
    let (files, volume) = (context.join("root"), context.join("volume/data"));
    std::fs::create_dir_all(&volume)?;
    std::fs::set_permissions(&volume, PermissionsExt::from_mode(0o700))?;
    debian_files(&context, &files)?;
    program_files(&std::fs::read(&path)?, &files)?;
    let time = commit_time_s()?.to_string();
    let mut podman = Command::new("podman");
    podman.args(["build", "--isolation", "chroot", "--format", "docker", "--timestamp", &time]);
    podman.args(["--tag", &tag(), "--file"]).arg(root().join("deploy/Containerfile"));
    run(podman.arg(&context))?;
    println!("built {}; `podman save {}` writes it to a file", tag(), tag());
    Ok(())
}

/// Adds the C library and the certificates.
fn debian_files(context: &Path, files: &Path) -> Result<()> {
    let packages = context.join("packages");
    std::fs::create_dir_all(&packages)?;
    std::fs::create_dir_all(files)?;
    // apt downloads as its own user, which cannot write here, unless the sandbox is off.
    let mut apt = Command::new("apt-get");
    apt.args(["--quiet", "-o", "APT::Sandbox::User=root", "download"]).args(PACKAGES);
    run(apt.current_dir(&packages))?;
    for package in std::fs::read_dir(&packages)? {
        run(Command::new("dpkg-deb").arg("-x").arg(package?.path()).arg(files))?;
    }
    let certificates = certificates(&files.join("usr/share/ca-certificates/mozilla"))?;
    for unused in UNUSED {
        std::fs::remove_dir_all(files.join(unused)).ok();
    }
    let bundle = files.join("etc/ssl/certs/ca-certificates.crt");
    std::fs::create_dir_all(bundle.parent().context("the bundle is in a folder")?)?;
    std::fs::write(bundle, certificates)?;
    // Newer releases have all libraries below /usr.
    for folder in ["lib", "lib64"] {
        if !files.join(folder).exists() {
            symlink(format!("usr/{folder}"), files.join(folder))?;
        }
    }
    Ok(())
}

/// All certificates in one text, as `update-ca-certificates` writes them.
fn certificates(folder: &Path) -> Result<String> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.sort();
    let texts = paths.iter().map(std::fs::read_to_string);
    Ok(texts.collect::<std::io::Result<Vec<_>>>()?.concat())
}

/// Adds the program and the licences.
fn program_files(packed: &[u8], files: &Path) -> Result<()> {
    let moved = [
        ("bin/flagship", "usr/local/bin/flagship"),
        ("LICENSE", "usr/share/doc/flagship/LICENSE"),
        ("LICENSES-RUST.html", "usr/share/doc/flagship/LICENSES-RUST.html"),
        ("LICENSES-THIRD-PARTY.txt", "usr/share/doc/flagship/LICENSES-THIRD-PARTY.txt"),
    ];
    let mut archived = archive::unpack(packed)?;
    for (from, to) in moved {
        let content = archived.remove(&format!("{}/{from}", release()));
        let content = content.with_context(|| format!("the archive has no {from}"))?;
        let to = files.join(to);
        std::fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        std::fs::write(&to, content)?;
        std::fs::set_permissions(to, PermissionsExt::from_mode(0o755))?;
    }
    Ok(())
}

/// Builds the image, serves an event in it and submits a flag.
pub fn test() -> Result<()> {
    make()?;
    let folder = root().join(PLAYED);
    hostile::write_event(&folder)?;
    let data = folder.join("data");
    std::fs::create_dir_all(&data)?;
    chown(&data, Some(USER), Some(USER)).context("run this test as root")?;
    let listen = format!("127.0.0.1:{}", free_port()?);
    let mut container = Container::start(&folder, &listen)?;
    container.wait_until_healthy()?;
    container.flagship(&["team", "import", "/teams.csv", "--tokens", "/data/tokens.csv"])?;
    let tokens = std::fs::read_to_string(data.join("tokens.csv"))?;
    let token = tokens.lines().nth(1).and_then(|row| row.split(',').nth(1));
    let headers = [
        format!("X-Api-Key: {}", token.context("the team has a token")?),
        "Content-Type: application/json".to_owned(),
        format!("Content-Length: {}", hostile::SOLVE.len()),
    ];
    let head = format!("POST /api/solve HTTP/1.1\r\n{}", headers.join("\r\n"));
    let answer = request(listen.parse()?, &head, hostile::SOLVE)?;
    ensure!(answer.contains("\"correct\":true"), "the flag was answered with {answer}");
    let solves = container.flagship(&["export", "solves", "--format", "csv"])?;
    ensure!(solves.contains("The Ants"), "the solve is not recorded: {solves}");
    container.stop()?;
    println!("a solve was played in the image {}", tag());
    Ok(())
}

/// A running container; dropping it removes the container.
struct Container {
    name: String,
    child: Child,
}

impl Container {
    /// Runs the image with runc and the network of this machine, read-only except for the data.
    fn start(folder: &Path, listen: &str) -> Result<Self> {
        let name = format!("flagship-test-{}", std::process::id());
        let volume = |from: &str, to: &str| format!("{}:{to}", folder.join(from).display());
        let mut podman = Command::new("podman");
        podman.args(["--runtime", "runc", "run", "--rm", "--name", &name, "--network", "host"]);
        podman.args(["--read-only", "--ulimit", "nofile=1024:1024"]);
        podman.args(["--ulimit", "nproc=1024:1024", "--volume", &volume("event", "/event:ro")]);
        podman.args(["--volume", &volume("teams.csv", "/teams.csv:ro")]);
        podman.args(["--volume", &volume("data", "/data"), "--env", "FLAGSHIP_EVENT=/event"]);
        podman.args(["--env", &format!("FLAGSHIP_LISTEN={listen}"), &tag()]);
        let child = podman.spawn().context("start podman")?;
        Ok(Self { name, child })
    }

    /// Runs the program in the container; returns its output.
    fn flagship(&self, words: &[&str]) -> Result<String> {
        let mut podman = Command::new("podman");
        podman.args(["exec", &self.name, "/usr/local/bin/flagship"]).args(words);
        output(&mut podman)
    }

    fn wait_until_healthy(&mut self) -> Result<()> {
        let started = Instant::now();
        let check = ["exec", &self.name, "/usr/local/bin/flagship", "health"];
        while !succeeds(Command::new("podman").args(check)) {
            if let Some(status) = self.child.try_wait()? {
                bail!("the container ended: {status}");
            }
            ensure!(started.elapsed() < START_MAX, "the container is not healthy");
            sleep(Duration::from_millis(200));
        }
        Ok(())
    }

    fn stop(&mut self) -> Result<()> {
        output(Command::new("podman").args(["stop", "--time", "10", &self.name]))?;
        let status = self.child.wait()?;
        ensure!(status.success(), "the container ended with {status}");
        Ok(())
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        succeeds(Command::new("podman").args(["rm", "--force", &self.name]));
        self.child.wait().ok();
    }
}
