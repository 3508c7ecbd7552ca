//! Latency histograms.

use std::time::Duration;

use anyhow::Result;
use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

/// Maximum recorded time, in microseconds. Longer times count as this.
const LONGEST_US: u64 = 120_000_000;
/// Significant digits of a time.
const DIGITS: u8 = 3;

/// A histogram of times in microseconds, serialized as pairs of value and count.
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "Vec<(u64, u64)>", try_from = "Vec<(u64, u64)>")]
pub struct Times {
    histogram: Histogram<u64>,
    /// Time from the first request to the last response, if measured; not serialized.
    pub elapsed: Duration,
}

impl Default for Times {
    fn default() -> Self {
        let histogram = Histogram::new_with_bounds(1, LONGEST_US, DIGITS);
        Self { histogram: histogram.expect("the bounds are valid"), elapsed: Duration::ZERO }
    }
}

impl From<Times> for Vec<(u64, u64)> {
    fn from(times: Times) -> Self {
        let recorded = times.histogram.iter_recorded();
        recorded.map(|it| (it.value_iterated_to(), it.count_since_last_iteration())).collect()
    }
}

impl TryFrom<Vec<(u64, u64)>> for Times {
    type Error = hdrhistogram::RecordError;

    fn try_from(pairs: Vec<(u64, u64)>) -> Result<Self, Self::Error> {
        let mut times = Self::default();
        for (value, count) in pairs {
            times.histogram.record_n(value.min(LONGEST_US), count)?;
        }
        Ok(times)
    }
}

impl Times {
    /// Records a time.
    pub fn record(&mut self, time: Duration) {
        let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.histogram.saturating_record(micros);
    }

    /// Adds the times of another histogram.
    pub fn add(&mut self, other: &Self) -> Result<()> {
        Ok(self.histogram.add(&other.histogram)?)
    }

    /// Number of recorded times.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// Recorded times per second of `elapsed`.
    pub fn per_s(&self) -> f64 {
        self.count() as f64 / self.elapsed.as_secs_f64()
    }

    /// The quantile in milliseconds; a share of 1 gives the longest time.
    pub fn quantile_ms(&self, share: f64) -> f64 {
        self.histogram.value_at_quantile(share) as f64 / 1000.0
    }

    /// The 99th percentile in milliseconds.
    pub fn p99_ms(&self) -> f64 {
        self.quantile_ms(0.99)
    }
}
