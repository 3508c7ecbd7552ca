//! Context of every benchmark.

use std::path::PathBuf;

use anyhow::Result;

use crate::any_commit;
use crate::data::{Engine, Size, Template};

/// Number of measurements; the median counts.
const ROUNDS: usize = 5;

/// Context of a benchmark run.
#[derive(Clone)]
pub struct Bench {
    pub engine: Engine,
    pub server: PathBuf,
    pub work: PathBuf,
    pub quick: bool,
    pub baseline: bool,
    /// The folder of the example event.
    pub example: PathBuf,
    /// True if `server` may be of another commit. It then creates its own data, and only the
    /// figures reported by `cargo xtask bench compare` are measured, once.
    pub is_compared: bool,
}

impl Bench {
    /// `full`, or `short` where the figures mean nothing.
    pub fn choose<T>(&self, full: T, short: T) -> T {
        if self.quick { short } else { full }
    }

    /// Number of measurements.
    pub fn rounds(&self) -> usize {
        if self.is_compared { 1 } else { self.choose(ROUNDS, 1) }
    }

    /// Data of a size for `server`.
    pub async fn template(&self, size: Size) -> Result<Template> {
        match self.is_compared {
            true => any_commit::template(&self.server, size).await,
            false => Template::make(&self.engine, size).await,
        }
    }
}
