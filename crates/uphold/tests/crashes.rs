//! Runs that lose power at any write of the journal.

mod crashing_storage;
mod files;
mod notifications;
mod site;
mod undo;
mod undo_scene;

use std::ops::Range;

/// The seeds of every test run. `UPHOLD_SEEDS=0..10000` tries others.
const SEEDS: Range<u64> = 0..1_000;

#[expect(clippy::disallowed_methods, reason = "the person who runs the test chooses the seeds")]
fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("UPHOLD_SEEDS") else { return SEEDS };
    let (from, to) = asked.split_once("..").expect("UPHOLD_SEEDS is like 0..100");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// A small generator of choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}
