//! Every cap and every seed of the plans, laws and shrinker, each with its reason. Other limits stand with the parsers
//! ([`streakstone_model::Caps`]).

use std::time::Duration;

/// Raw bytes up to which a plan runs its full family. Every two-chunk cut of 4 KiB reads 16 MiB, a third of a second.
pub const FULL_FAMILY_BYTES: usize = 4096;

/// Raw bytes that one plan may read for one case and delivery above [`FULL_FAMILY_BYTES`]; half of what the largest full family
/// needs. It thins families of long texts, in which every byte may be near a marker.
pub const FAMILY_BUDGET_BYTES: usize = 8 << 20;

/// Fewest chunkings that the byte budget leaves of a family, however long the text.
pub const FAMILY_FLOOR: usize = 4;

/// Above the full family: cuts this near to a marker all run. No marker's ambiguous part is longer than its neighbourhood.
pub const NEAR_MARKER_BYTES: usize = 8;

/// Above the full family: seeded cuts besides those near a marker.
pub const SEEDED_CUTS: usize = 256;

/// Chunkings of the plan `bursts`.
pub const BURSTS: usize = 18;

/// Chunkings of the plan `random`.
pub const RANDOM_CHUNKINGS: usize = 100;

/// Most cuts in one chunking of the plan `random`: from one cut to about a token each on a short text.
pub const RANDOM_MOST_CUTS: usize = 32;

/// Chunk sizes of the plan `sizes`. One byte is the plan `bytes`; 13 is longer than most marker pieces.
pub const SIZES: std::ops::RangeInclusive<usize> = 2..=13;

/// Bytes of the pieces between markers in `special-tokens`: about an English token.
pub const TOKEN_BYTES: usize = 4;

/// Most chunkings of the plan `marker-pairs`; the full grid of a text with ten 30-byte tags has 5,000.
pub const MARKER_PAIRS: usize = 512;

/// Last characters that ride with the finish reason in `last-with-finish`, at most.
pub const LAST_CHARACTERS: usize = 8;

/// Prefixes that `prefix-honest` reads of one case.
pub const PREFIXES: usize = 512;

/// Prefixes that `prefix-honest` reads of one case with a subject outside this process, which reads each of them anew for the price of a
/// whole text.
pub const OUTSIDE_PREFIXES: usize = 64;

/// Prefixes that `prefix-honest` reads of one case under a policy other than the defaults.
pub const POLICY_PREFIXES: usize = 6;

/// Raw bytes up to which a policy that changes the reply is judged on every cut too.
pub const POLICY_EVERY_CUT_BYTES: usize = 256;

/// Raw bytes above which a policy other than the defaults is judged on the whole text only: a dozen policies with split readings
/// of megabytes each would spend the deadline.
pub const POLICY_SPLIT_BYTES: usize = 256 << 10;

/// Seeded chunkings under a policy other than the defaults.
pub const POLICY_RANDOM: usize = 8;

/// Longest run of white space that may be framing after a call (semantics 3); part of the bound of `prose-not-held`.
pub const WHITE_SPACE_CAP: usize = 256;

/// Seed of the plan `bursts`.
pub const BURSTS_SEED: u64 = 0x5741_4b45_0001;

/// Seed of the plan `random`.
pub const RANDOM_SEED: u64 = 0x5741_4b45_0002;

/// Seed of the cuts above the full family.
pub const LARGE_SEED: u64 = 0x5741_4b45_0003;

/// Seed of the prefixes of `prefix-honest`.
pub const PREFIX_SEED: u64 = 0x5741_4b45_0004;

/// Time, by the judge's clock, that one subject may spend on all readings of one case. The slowest honest subject, a Python adapter, needs a
/// tenth of it.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// Readings of one batch after which the deadline is looked at: the clock costs a tenth of a short reading.
pub const DEADLINE_EVERY: usize = 8;

/// Readings the judge spends on the smallest cut of one broken law; `minimize` has its own budget.
pub const JUDGE_SHRINK_READINGS: usize = 400;

/// Readings `minimize` may spend.
pub const SHRINK_READINGS: usize = 20_000;

/// Characters on each side of the cut in a failure's excerpt.
pub const EXCERPT_CHARACTERS: usize = 24;

/// Characters of a value shown in a difference; the run log has the case's name, so nothing is lost.
pub const VALUE_CHARACTERS: usize = 400;

/// Most declared choices of a subject of which every subset is tried: 31 readings of one text.
pub const SUBSET_POLICIES: usize = 5;
