//! Parts of a benchmark in processes of their own, so that open files suffice and that what each
//! uses is told apart. A part hears commands on its standard input, a line of JSON each, and
//! answers each with one line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A part, seen from the benchmark. Dropped, it is killed.
pub struct Part {
    child: Child,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
}

impl Part {
    /// Starts this program anew with these words.
    pub fn start(words: &[&str]) -> Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let stdin = child.stdin.take().context("it hears")?;
        let stdout = BufReader::new(child.stdout.take().context("it speaks")?);
        Ok(Self { child, stdin, stdout })
    }

    /// Its id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Tells it to do something.
    pub fn tell(&mut self, word: &impl Serialize) -> Result<()> {
        serde_json::to_writer(&mut self.stdin, word)?;
        writeln!(self.stdin)?;
        Ok(self.stdin.flush()?)
    }

    /// Waits for what it says next.
    pub fn hear<T: DeserializeOwned>(&mut self) -> Result<T> {
        let mut line = String::new();
        self.stdout.read_line(&mut line)?;
        serde_json::from_str(&line).with_context(|| format!("a part said {line:?}"))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
