//! Installs missing requirements of a step: Debian packages with apt, cargo tools with `cargo
//! install`, npm packages with `npm ci`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::process::{self, npm, output, root, run, succeeds};

/// The oldest major version of Node that can build the site.
const NODE_MAJOR_MIN: u32 = 20;
const NEXTEST_VERSION: &str = "0.9.143";
const DENY_VERSION: &str = "0.20.2";
const MUTANTS_VERSION: &str = "27.1.0";
const ZIGBUILD_VERSION: &str = "0.24.1";

/// The needs of the Rust tests.
pub const TESTS_NEED: [Need; 18] = [
    Need::Nextest,
    Need::Postgres,
    Need::Pooler,
    Need::MailSink,
    Need::Bucket,
    Need::Python,
    Need::PythonYaml,
    Need::Strace,
    Need::Systemd,
    Need::Nginx,
    Need::Caddy,
    Need::Prometheus,
    Need::Openssl,
    Need::OpensslHeaders,
    Need::Go,
    Need::Node,
    Need::Pebble,
    Need::Wrk,
];

/// A program or package that a step needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// `initdb` and `postgres`.
    Postgres,
    /// A connection pooler for PostgreSQL.
    Pooler,
    /// Chromium, with fonts for text and for emoji.
    Browser,
    /// Firefox, and WebKit with its driver and a display in memory for it.
    OtherBrowsers,
    /// Makes moving pictures.
    WebP,
    /// Fonts with glyphs for most assigned code points.
    WideFonts,
    /// Python, for the example's solutions.
    Python,
    /// PyYAML, for comparison.
    PythonYaml,
    /// An SMTP server for tests.
    MailSink,
    /// An S3-compatible server for tests, from npm.
    Bucket,
    /// Traces system calls.
    Strace,
    /// Checks units.
    Systemd,
    /// A reverse proxy.
    Nginx,
    /// Another reverse proxy.
    Caddy,
    /// Scrapes metrics and evaluates alerts.
    Prometheus,
    /// An HTTP load generator.
    Wrk,
    /// Counts instructions.
    Valgrind,
    /// Requests over TLS.
    Curl,
    /// Creates certificates.
    Openssl,
    /// Builds a verifier of team passes in C.
    OpensslHeaders,
    /// Builds a verifier of team passes in Go.
    Go,
    /// A certificate authority for tests.
    Pebble,
    /// The test runner.
    Nextest,
    /// Checks licenses and banned crates.
    Deny,
    /// Changes code that tests must notice.
    Mutants,
    /// Builds and runs container images, without a service.
    Podman,
    /// Creates a minimal Debian system.
    Mmdebstrap,
    /// Links for older versions of glibc.
    Zigbuild,
    /// Node and npm, which are not installed: an error names them if they are missing.
    Node,
}

/// Installs all `needs` that are missing.
pub fn ensure(needs: &[Need]) -> Result<()> {
    let packages: Vec<&str> = needs.iter().flat_map(|need| missing_packages(*need)).collect();
    if !packages.is_empty() {
        install_packages(&packages)?;
        if let Some(package) = needs.iter().flat_map(|need| missing_packages(*need)).next() {
            bail!("`{package}` was installed, but the program or file that it provides is missing");
        }
    }
    if needs.contains(&Need::Node) || needs.contains(&Need::Bucket) {
        check_node()?;
    }
    if needs.contains(&Need::Bucket) {
        npm_packages("e2e/bucket")?;
    }
    if needs.contains(&Need::Nextest) {
        ensure_cargo_tool("nextest", "cargo-nextest", NEXTEST_VERSION)?;
    }
    if needs.contains(&Need::Deny) {
        ensure_cargo_tool("deny", "cargo-deny", DENY_VERSION)?;
    }
    if needs.contains(&Need::Mutants) {
        ensure_cargo_tool("mutants", "cargo-mutants", MUTANTS_VERSION)
            .context("please install manually: cargo install cargo-mutants --locked")?;
    }
    // `cargo zigbuild` has no `--version`.
    let zigbuild = || succeeds(Command::new("cargo-zigbuild").arg("--version"));
    if needs.contains(&Need::Zigbuild) && !zigbuild() {
        install_cargo_tool("cargo-zigbuild", ZIGBUILD_VERSION)?;
    }
    Ok(())
}

fn missing_packages(need: Need) -> Vec<&'static str> {
    let mut missing = Vec::new();
    let mut want = |package, there: bool| {
        if !there {
            missing.push(package);
        }
    };
    match need {
        Need::Postgres => want("postgresql", postgres_folder().is_some()),
        Need::Pooler => want("pgbouncer", Path::new("/usr/sbin/pgbouncer").exists()),
        Need::Browser => {
            let fonts = Path::new("/usr/share/fonts/truetype");
            want("chromium-headless-shell", Path::new(&chromium()).exists());
            want("fonts-noto-color-emoji", fonts.join("noto/NotoColorEmoji.ttf").exists());
            want("fonts-dejavu-core", fonts.join("dejavu/DejaVuSans.ttf").exists());
        }
        Need::OtherBrowsers => {
            want("firefox-esr", Path::new("/usr/bin/firefox-esr").exists());
            want("webkit2gtk-driver", Path::new("/usr/bin/WebKitWebDriver").exists());
            want("xvfb", Path::new("/usr/bin/Xvfb").exists());
        }
        Need::WebP => want("webp", Path::new("/usr/bin/img2webp").exists()),
        Need::WideFonts => {
            let fonts = Path::new("/usr/share/fonts");
            let core = fonts.join("truetype/noto/NotoSansSymbols2-Regular.ttf");
            want("fonts-noto-core", core.exists());
            let cjk = fonts.join("opentype/noto/NotoSansCJK-Regular.ttc");
            want("fonts-noto-cjk", cjk.exists());
        }
        Need::Python => want("python3", succeeds(Command::new("python3").arg("--version"))),
        Need::PythonYaml => {
            let imports = |python| succeeds(Command::new(python).args(["-c", "import yaml"]));
            want("python3-yaml", ["python3", "/usr/bin/python3"].into_iter().any(imports));
        }
        Need::MailSink => {
            let mut python = Command::new("/usr/bin/python3");
            want("python3-aiosmtpd", succeeds(python.args(["-c", "import aiosmtpd"])));
        }
        Need::Strace => want("strace", succeeds(Command::new("strace").arg("--version"))),
        Need::Mmdebstrap => want("mmdebstrap", Path::new("/usr/bin/mmdebstrap").exists()),
        Need::Podman => {
            want("podman", Path::new("/usr/bin/podman").exists());
            want("runc", Path::new("/usr/sbin/runc").exists());
        }
        Need::Systemd => want("systemd", Path::new("/usr/bin/systemd-analyze").exists()),
        Need::Nginx => want("nginx-light", Path::new("/usr/sbin/nginx").exists()),
        Need::Caddy => want("caddy", Path::new("/usr/bin/caddy").exists()),
        Need::Prometheus => want("prometheus", Path::new("/usr/bin/prometheus").exists()),
        Need::Valgrind => want("valgrind", Path::new("/usr/bin/valgrind").exists()),
        Need::Wrk => want("wrk", Path::new("/usr/bin/wrk").exists()),
        Need::Pebble => want("pebble", Path::new("/usr/bin/pebble").exists()),
        Need::Curl => want("curl", succeeds(Command::new("curl").arg("--version"))),
        Need::Openssl => want("openssl", succeeds(Command::new("openssl").arg("version"))),
        Need::OpensslHeaders => {
            want("libssl-dev", Path::new("/usr/include/openssl/evp.h").exists());
        }
        Need::Go => want("golang-go", succeeds(Command::new("go").arg("version"))),
        Need::Bucket | Need::Nextest | Need::Deny | Need::Mutants | Need::Zigbuild | Need::Node => {
        }
    }
    missing
}

/// The browser for the end-to-end tests: Chromium without a window, which takes four fifths of the
/// time of the complete one.
pub fn chromium() -> String {
    std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium-headless-shell".into())
}

/// The folder with the programs of the newest PostgreSQL; on Debian it is not in `PATH`.
pub fn postgres_folder() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    versions
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .map(|version| PathBuf::from(format!("/usr/lib/postgresql/{version}/bin")))
        .filter(|folder| folder.join("initdb").exists() && folder.join("postgres").exists())
        .max()
}

fn install_packages(packages: &[&str]) -> Result<()> {
    println!("installing with apt: {}", packages.join(" "));
    let advice = || format!("please install manually: apt-get install {}", packages.join(" "));
    apt(&["update"]).with_context(advice)?;
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    apt(&words).with_context(advice)
}

fn apt(arguments: &[&str]) -> Result<()> {
    let words = ["DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet"];
    let mut command = if process::is_root() {
        Command::new("env")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "env"]);
        sudo
    };
    run(command.args(words).args(arguments))
}

fn check_node() -> Result<()> {
    let version = output(Command::new("node").arg("--version"))
        .with_context(|| format!("Node {NODE_MAJOR_MIN} or newer is needed (nodejs, npm)"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().unwrap_or_default();
    if !major.parse::<u32>().is_ok_and(|major| major >= NODE_MAJOR_MIN) {
        bail!("Node {NODE_MAJOR_MIN} or newer is needed, this is {}", version.trim());
    }
    if !succeeds(Command::new("npm").arg("--version")) {
        bail!("npm is needed in addition to Node");
    }
    Ok(())
}

fn ensure_cargo_tool(name: &str, package: &str, version: &str) -> Result<()> {
    if succeeds(process::cargo(&[name, "--version"]).current_dir("/")) {
        return Ok(());
    }
    install_cargo_tool(package, version)
}

fn install_cargo_tool(package: &str, version: &str) -> Result<()> {
    println!("installing {package} {version}: this happens once and takes some minutes");
    // A debug build without debug information compiles in half the time and is fast enough.
    let words = ["install", "--locked", "--debug", "--no-default-features"];
    let mut install = process::cargo(&words);
    run(install.args([package, "--version", version]).env("CARGO_PROFILE_DEV_DEBUG", "false"))
}

/// Runs `npm ci` in `folder`, unless the installed packages match the lock file.
pub fn npm_packages(folder: &str) -> Result<()> {
    let lock = std::fs::read(root().join(folder).join("package-lock.json"))
        .with_context(|| format!("read {folder}/package-lock.json"))?;
    let stamp = root().join(folder).join("node_modules/.installed-lock.json");
    if std::fs::read(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    run(&mut npm(folder, &["ci", "--no-audit", "--no-fund", "--no-progress"]))?;
    std::fs::write(&stamp, lock).with_context(|| format!("write {}", stamp.display()))
}
