//! Reproducible random numbers.

/// A generator of random numbers; the same seed gives the same numbers.
pub(crate) struct Dice(u64);

impl Dice {
    /// Adjacent seeds give unrelated numbers.
    pub(crate) fn new(seed: u64) -> Self {
        Self(Dice(seed).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        usize::try_from(self.next() % sides as u64).expect("it is less than a usize")
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.roll(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, choice: &[T]) -> T {
        choice[self.roll(choice.len())]
    }

    pub(crate) fn seed(&mut self) -> u64 {
        self.next()
    }
}
