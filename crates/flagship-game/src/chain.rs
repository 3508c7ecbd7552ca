//! The hash chain over the journal, which allows anyone to verify that no entry was modified.
//!
//! The chain covers salted commitments to the texts of the entries, so it stays verifiable if a
//! text is withheld or erased.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

/// Name of the chain format. It is part of every hash, to distinguish future formats.
const FORMAT: &str = "flagship-journal-1";

/// Hash before the first entry of the journal named `generation`, as 64 hex digits.
pub fn genesis(generation: &str) -> String {
    digest(&[FORMAT, generation])
}

/// Commitment to the text `body` of an entry: SHA-256 over the lines salt and body, in hex.
pub fn commitment(salt: &str, body: &str) -> String {
    digest(&[salt, body])
}

/// Hash of an entry: SHA-256 over the lines format, previous hash, sequence number, time in
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
