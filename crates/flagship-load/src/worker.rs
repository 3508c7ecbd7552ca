//! Parts in processes of their own, so that open files suffice and that what each uses is told
//! apart. A part hears on its standard input and speaks on its standard output, a line of JSON
//! each.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A part, seen from who started it. Dropped, it is killed.
pub struct Part {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Part {
    /// Starts this program anew with these words. Needs a runtime.
    pub fn start(words: &[&str]) -> Result<Self> {
        let program = std::env::current_exe().context("find this program")?;
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().context("start a part")?;
        let stdin = child.stdin.take().context("a part listens")?;
        let stdout = child.stdout.take().context("a part speaks")?;
        Ok(Self { child, stdin, lines: BufReader::new(stdout).lines() })
    }

    /// Its id, while it runs.
    pub fn pid(&self) -> Result<u32> {
        self.child.id().context("a part has ended")
    }

    /// Tells it something.
    pub async fn tell(&mut self, word: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(word)?;
        line.push(b'\n');
        self.stdin.write_all(&line).await?;
        Ok(self.stdin.flush().await?)
    }

    /// Waits for what it says next.
    pub async fn hear<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.lines.next_line().await?.context("a part ended before its last word")?;
        serde_json::from_str(&line).with_context(|| format!("a part said {line:?}"))
    }

    /// Waits for its end, after it has heard all.
    pub async fn end(mut self) -> Result<()> {
        drop(self.stdin);
        ensure!(self.child.wait().await?.success(), "a part failed");
        Ok(())
    }
}
