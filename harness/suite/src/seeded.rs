//! A seeded generator, so that a plan's sample is the same on every machine and in every release of any library.

/// `SplitMix64` (Steele, Lea and Flood 2014): passes `BigCrush`, one word of state.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts at `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    pub const fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..bound`; 0 if `bound` is 0. The bias of the multiplication is below 2^-32 for any text length.
    pub fn below(&mut self, bound: usize) -> usize {
        let wide = u128::from(self.next_word()) * bound as u128;
        usize::try_from(wide >> 64).unwrap_or(0)
    }

    /// At most `count` of `items`, in their order.
    #[must_use]
    pub fn sample<T>(&mut self, mut items: Vec<T>, count: usize) -> Vec<T> {
        let mut left = items.len();
        let mut wanted = count;
        // Knuth's selection sampling: each item is kept with the chance that is still needed.
        items.retain(|_| {
            let keep = wanted > 0 && self.below(left) < wanted;
            wanted -= usize::from(keep);
            left -= 1;
            keep
        });
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_are_those_of_the_published_generator() {
        let mut rng = SplitMix64::new(1_234_567);
        assert_eq!([rng.next_word(), rng.next_word()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn a_sample_keeps_the_order_and_the_count() {
        let sample = SplitMix64::new(3).sample((0..1000).collect(), 40);
        assert_eq!(sample.len(), 40);
        assert!(sample.windows(2).all(|w| w[0] < w[1]));
        assert_eq!(SplitMix64::new(3).sample(vec![1, 2], 5), [1, 2]);
        assert_eq!(SplitMix64::new(3).below(0), 0);
    }
}
