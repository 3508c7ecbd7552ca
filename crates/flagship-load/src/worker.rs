//! Worker processes: clients run outside the server's process, so that each process has enough
//! file descriptors and the server's CPU time and memory can be measured alone. A worker reads
//! messages from standard input and writes messages to standard output, one line of JSON each.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A worker process, from the side of its parent. Dropping it kills the process.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Worker {
    /// Starts this executable with other arguments. Needs a runtime.
    pub fn start(arguments: &[&str]) -> Result<Self> {
        let program = std::env::current_exe().context("find this program")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().context("start a worker process")?;
        let stdin = child.stdin.take().context("standard input is piped")?;
        let stdout = child.stdout.take().context("standard output is piped")?;
        Ok(Self { child, stdin, lines: BufReader::new(stdout).lines() })
    }

    /// The process id, while it runs.
    pub fn pid(&self) -> Result<u32> {
        self.child.id().context("a worker process has ended")
    }

    /// Sends a message.
    pub async fn send(&mut self, message: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(message)?;
        line.push(b'\n');
        self.stdin.write_all(&line).await?;
        Ok(self.stdin.flush().await?)
    }

    /// Receives the next message.
    pub async fn receive<T: DeserializeOwned>(&mut self) -> Result<T> {
        let line = self.lines.next_line().await?;
        let line = line.context("a worker process ended before its last message")?;
        serde_json::from_str(&line).with_context(|| format!("a worker process wrote {line:?}"))
    }

    /// Closes the worker's standard input and waits until it ends.
    pub async fn finish(mut self) -> Result<()> {
        drop(self.stdin);
        ensure!(self.child.wait().await?.success(), "a worker process failed");
        Ok(())
    }
}
