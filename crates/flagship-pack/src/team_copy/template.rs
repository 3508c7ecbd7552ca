//! The places where the copies of teams differ, and their content for one flag.

use crc32fast::Hasher;

/// The places of a template where the copies of teams differ.
#[derive(Debug)]
pub struct Template {
    /// The places, in order.
    pub(super) slots: Vec<Slot>,
    /// Parts of the data of each checksum.
    pub(super) sums: Vec<Vec<SumPart>>,
    /// Length of the template and of each copy, in bytes.
    pub(super) bytes: u64,
    /// Length of a flag, in bytes.
    pub(super) flag_bytes: usize,
}

/// A place where copies differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    /// Position of the first byte.
    pub(super) at: u64,
    pub(super) fill: Fill,
}

/// The content of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    Flag,
    /// CRC-32 with this index, in little-endian order.
    Sum(usize),
}

/// Part of the data of a checksum.
#[derive(Clone, Debug)]
pub(super) enum SumPart {
    /// Bytes that are the same in all copies.
    Same(Hasher),
    Flag,
}

impl Template {
    /// Length of each copy, in bytes.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// True if the copies of teams differ.
    pub fn has_flag(&self) -> bool {
        self.slots.iter().any(|slot| slot.fill == Fill::Flag)
    }

    /// Position of the first byte that differs between copies, or the length.
    pub fn same_bytes(&self) -> u64 {
        self.slots.first().map_or(self.bytes, |slot| slot.at)
    }

    /// Computes the content of the slots for a flag. `None` if its length is not the template's.
    pub fn fill(&self, flag: &str) -> Option<Filling> {
        if flag.len() != self.flag_bytes {
            return None;
        }
        let mut of_flag = Hasher::new();
        of_flag.update(flag.as_bytes());
        let sum = |parts: &Vec<SumPart>| {
            let mut whole = Hasher::new();
            for part in parts {
                match part {
                    SumPart::Same(part) => whole.combine(part),
                    SumPart::Flag => whole.combine(&of_flag),
                }
            }
            whole.finalize().to_le_bytes()
        };
        let sums = self.sums.iter().map(sum).collect();
        Some(Filling { flag: flag.as_bytes().to_owned(), sums })
    }

    /// Writes the parts of a copy into `bytes`, which were read from the template at `at`.
    pub fn apply(&self, filling: &Filling, at: u64, bytes: &mut [u8]) {
        let end = at + bytes.len() as u64;
        let first = self.slots.partition_point(|slot| slot.at + self.length(slot) <= at);
        for slot in self.slots[first..].iter().take_while(|slot| slot.at < end) {
            let fill = match slot.fill {
                Fill::Flag => &filling.flag[..],
                Fill::Sum(index) => &filling.sums[index][..],
            };
            for (byte, position) in fill.iter().zip(slot.at..) {
                let index = position.checked_sub(at).and_then(|index| usize::try_from(index).ok());
                if let Some(target) = index.and_then(|index| bytes.get_mut(index)) {
                    *target = *byte;
                }
            }
        }
    }

    /// Length of a slot, in bytes.
    fn length(&self, slot: &Slot) -> u64 {
        match slot.fill {
            Fill::Flag => self.flag_bytes as u64,
            Fill::Sum(_) => 4,
        }
    }
}

/// Content of a template's slots for one flag. `Debug` does not show it.
pub struct Filling {
    flag: Vec<u8>,
    sums: Vec<[u8; 4]>,
}

impl std::fmt::Debug for Filling {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[filling]")
    }
}
