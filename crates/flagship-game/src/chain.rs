//! The hash chain over the journal, by which anyone can check that nothing was changed later.
//!
//! The chain runs over salted commitments to the entries' texts: a text may be withheld or erased,
//! and the chain still proves the others.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// The name of the chain's format, hashed so that a later one cannot be mistaken for it.
const FORMAT: &str = "flagship-journal-1";

/// The hash before the first entry of the journal called `generation`. 64 hex digits.
pub fn genesis(generation: &str) -> String {
    digest(&[FORMAT, generation])
}

/// The commitment to an entry's text `body`: SHA-256 over the lines salt and body, in hex.
pub fn commitment(salt: &str, body: &str) -> String {
    digest(&[salt, body])
}

/// The hash of an entry: SHA-256 over the lines format, previous hash, sequence number, time in
/// milliseconds and commitment, in hex.
pub fn link(previous: &str, seq: i64, at_ms: i64, commitment: &str) -> String {
    digest(&[FORMAT, previous, &seq.to_string(), &at_ms.to_string(), commitment])
}

fn digest(lines: &[&str]) -> String {
    let mut hash = Sha256::new();
    for line in lines {
        hash.update(line.as_bytes());
        hash.update(b"\n");
    }
    HEXLOWER.encode(&hash.finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_of_an_entry_changes_its_hash() {
        let first = genesis("a");
        let whole = link(&first, 1, 2, &commitment("salt", "{}"));
        for other in [
            link(&genesis("b"), 1, 2, &commitment("salt", "{}")),
            link(&first, 2, 2, &commitment("salt", "{}")),
            link(&first, 1, 3, &commitment("salt", "{}")),
            link(&first, 1, 2, &commitment("pepper", "{}")),
            link(&first, 1, 2, &commitment("salt", "{ }")),
        ] {
            assert_ne!(whole, other);
        }
    }
}
