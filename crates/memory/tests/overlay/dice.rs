//! A repeatable random generator.

pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number in `0..sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    pub(crate) fn pick<T: Clone>(&mut self, choice: &[T]) -> T {
        let sides = u64::try_from(choice.len()).expect("a choice is small");
        choice[usize::try_from(self.roll(sides)).expect("a choice is small")].clone()
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: u64) -> bool {
        self.roll(times) == 0
    }
}
