//! Random edits of an overlay, compared with the same edits of the real machine.

use std::path::Path;

use uphold_host::LocalHost;
use uphold_resource::{Act, Files};

use super::dice::Dice;
use super::ground::{Local, is_root, memory};
use super::script::{Op, winding_path};
use super::view::{answers, view, walk};

/// The number of edits of a script, enough to change everything.
const STEPS: usize = 60;

/// Makes random edits on `real` and on an overlay of `base`, which are equal, and compares their results and final states. The
/// second half is made on an overlay of the overlay.
fn compare(seed: u64, real: &Act<'_>, base: &Act<'_>) {
    let mut dice = Dice(seed);
    // An overlay that is read all the time knows more than one that is not.
    let often = seed.is_multiple_of(5);
    let lower = base.overlay();
    let mut pair = Pair { real, counted: true, often, done: Vec::new() };
    pair.play(&mut dice, &lower.act());
    let halfway = view(&*lower.files, false);
    let upper = lower.overlay();
    pair.play(&mut dice, &upper.act());
    assert_eq!(view(&*lower.files, false), halfway, "seed {seed}: the lower overlay was changed");
}

struct Pair<'a> {
    real: &'a Act<'a>,
    /// Whether hard links were counted correctly so far.
    counted: bool,
    often: bool,
    done: Vec<Op>,
}

impl Pair<'_> {
    fn play(&mut self, dice: &mut Dice, overlay: &Act<'_>) {
        for _ in 0..STEPS / 2 {
            let op = Op::random(dice, is_root(self.real));
            let (expected, result) = (op.apply(self.real), op.apply(overlay));
            self.counted &= !op.removes_blindly();
            self.done.push(op);
            assert_eq!(result, expected, "{}", self.story());
            let path = winding_path(dice);
            let expected = answers(self.real.files(), &path);
            assert_eq!(answers(overlay.files(), &path), expected, "{}\n{path:?}", self.story());
            if self.often {
                self.agree(overlay.files());
            }
        }
        self.agree(overlay.files());
    }

    fn agree(&self, overlay: &dyn Files) {
        let expected = view(self.real.files(), self.counted);
        assert_eq!(view(overlay, self.counted), expected, "{}", self.story());
    }

    fn story(&self) -> String {
        self.done.iter().map(|op| format!("{op:?}\n")).collect()
    }
}

#[test]
fn an_overlay_of_memory_behaves_like_the_machine() {
    for seed in 0..120 {
        let base = memory();
        let before = base.snapshot();
        compare(seed, &memory().act(), &base.act());
        assert_eq!(base.snapshot().diff(&before), Vec::<String>::new(), "seed {seed}");
        assert!(base.writes().is_empty(), "seed {seed}: {:?}", base.writes());
    }
}

#[test]
fn an_overlay_of_this_machine_behaves_like_the_machine() {
    let base = Local::furnished();
    let before = walk(&*base.host.files);
    for seed in 0..20 {
        compare(seed, &base.copy().host.act(), &base.host.act());
        assert_eq!(walk(&*base.host.files), before, "seed {seed}");
    }
}

#[test]
fn an_overlay_of_the_whole_system_shows_its_files() {
    let host = LocalHost::new().machine();
    let overlay = host.overlay();
    for path in
        ["/", "/etc/passwd", "/bin/sh", "/usr/bin/env", "/dev/null", "/dev/fd", "/proc/self/exe", "/no/x"]
    {
        let look = |files: &dyn Files| files.look(Path::new(path)).expect("it can be read");
        assert_eq!(look(&*overlay.files), look(&*host.files), "{path}");
    }
}

/// An overlay of a machine in memory, compared with the real machine.
#[test]
fn an_overlay_of_memory_behaves_like_this_machine() {
    let real = Local::furnished();
    if is_root(&real.host.act()) {
        (1000..1020).for_each(|seed| compare(seed, &real.copy().host.act(), &memory().act()));
    }
}
