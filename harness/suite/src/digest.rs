//! SHA-256 as lower-case hex, over parts that cannot run into each other.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Collects length-prefixed parts.
pub(crate) struct Digester(Sha256);

impl Digester {
    pub(crate) fn new() -> Self {
        Self(Sha256::new())
    }

    /// Adds one part with its length before it, so that `ab`+`c` and `a`+`bc` differ.
    pub(crate) fn part(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// The first `bytes` bytes of the digest, as hex.
    pub(crate) fn hex(self, bytes: usize) -> String {
        let mut out = String::with_capacity(bytes * 2);
        for byte in self.0.finalize().iter().take(bytes) {
            // Writing to a String does not fail.
            let _ = write!(out, "{byte:02x}");
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_into_each_other() {
        let digest = |parts: &[&str]| {
            let mut d = Digester::new();
            for part in parts {
                d.part(part.as_bytes());
            }
            d.hex(16)
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_eq!(digest(&["ab", "c"]), digest(&["ab", "c"]));
        assert_eq!(digest(&[]).len(), 32);
    }
}
