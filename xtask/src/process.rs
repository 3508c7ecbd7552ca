//! Runs other programs, with errors that name the command.

use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context, Result, bail};

/// The root of the repository.
pub fn root() -> PathBuf {
    // Cargo sets the variable when it runs a program. The value from the build is for a program
    // that is started directly.
    let package = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    package.parent().map(Path::to_path_buf).expect("xtask is a folder of the repository")
}

/// The cargo that started this program, at the root of the repository.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = at_root(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.args(arguments);
    // Cargo set these for xtask; build scripts would take them for their own.
    // Some watch them, and would run again whenever cargo is run without xtask.
    let of_cargo =
        |name: &String| name.starts_with("CARGO_MANIFEST_") || name.starts_with("CARGO_PKG_");
    for name in std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).filter(of_cargo)
    {
        command.env_remove(name);
    }
    command
}

/// `npm` in a folder of the repository.
pub fn npm(folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(root().join(folder)).args(arguments);
    command
}

/// A program at the root of the repository.
pub fn at_root(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Runs a program to its end with inherited output.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("start {}", words(command)))?;
    if !status.success() {
        bail!("{}: {status}", words(command));
    }
    Ok(())
}

/// Like [`run`], but also returns the lines for which `keep` is true, without colours, whether or
/// not the program succeeded.
pub fn run_and_keep(command: &mut Command, keep: fn(&str) -> bool) -> (Vec<String>, Result<()>) {
    let kept = Mutex::new(Vec::new());
    let outcome = tee(command, keep, &kept);
    (kept.into_inner().expect("no reader panicked"), outcome)
}

fn tee(command: &mut Command, keep: fn(&str) -> bool, kept: &Mutex<Vec<String>>) -> Result<()> {
    if std::io::stdout().is_terminal() {
        command.env("CARGO_TERM_COLOR", "always").env("FORCE_COLOR", "1");
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("start {}", words(command)))?;
    let stdout = child.stdout.take().expect("stdout is piped");
    let stderr = child.stderr.take().expect("stderr is piped");
    thread::scope(|scope| {
        scope.spawn(|| copy_lines(stdout, keep, kept));
        scope.spawn(|| copy_lines(stderr, keep, kept));
    });
    let status = child.wait().with_context(|| format!("wait for {}", words(command)))?;
    if !status.success() {
        bail!("{}: {status}", words(command));
    }
    Ok(())
}

fn copy_lines(source: impl Read, keep: fn(&str) -> bool, kept: &Mutex<Vec<String>>) {
    for line in BufReader::new(source).split(b'\n') {
        let Ok(line) = line else { return };
        let line = String::from_utf8_lossy(&line);
        // Continue to read the program's output even if ours is closed.
        std::io::stdout().lock().write_all(format!("{line}\n").as_bytes()).ok();
        let plain = without_colours(&line);
        if keep(&plain) {
            kept.lock().expect("no reader panicked").push(plain.trim().to_owned());
        }
    }
}

/// Runs a program and returns its standard output.
///
/// # Errors
/// The program fails.
pub fn output(command: &mut Command) -> Result<String> {
    let done = command.output().with_context(|| format!("start {}", words(command)))?;
    if !done.status.success() {
        let stderr = String::from_utf8_lossy(&done.stderr);
        bail!("{}: {}: {}", words(command), done.status, stderr.trim());
    }
    String::from_utf8(done.stdout).with_context(|| format!("{} wrote no text", words(command)))
}

/// True if a program starts and succeeds; discards its output.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// True if this process runs as root, which may change owners and needs no sudo.
pub fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

fn words(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
    match command.get_current_dir().and_then(|folder| folder.strip_prefix(root()).ok()) {
        Some(folder) if folder != Path::new("") => {
            format!("`{}` in {}", words.join(" "), folder.display())
        }
        _ => format!("`{}`", words.join(" ")),
    }
}

/// The line without its `ESC [ ... letter` sequences.
fn without_colours(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut rest = line.chars();
    while let Some(character) = rest.next() {
        if character == '\u{1b}' {
            rest.by_ref().find(char::is_ascii_alphabetic);
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_taken_out_of_a_line() {
        assert_eq!(without_colours("\u{1b}[32;1mSummary\u{1b}[0m 3 passed"), "Summary 3 passed");
    }

    #[test]
    fn kept_lines_survive_a_failing_program() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo one passed; echo noise; echo two passed >&2; exit 3"]);
        let (mut kept, outcome) = run_and_keep(&mut command, |line| line.ends_with("passed"));
        kept.sort();
        assert_eq!(kept, ["one passed", "two passed"]);
        assert!(outcome.unwrap_err().to_string().contains("exit status: 3"));
    }
}
