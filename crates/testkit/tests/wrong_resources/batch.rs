//! Kinds that support batches.

use uphold_resource::{Act, Batch, Properties, Resource, Result, Step};
use uphold_testkit::{Subject, Wish};

use crate::note::{apply, load, note, put, tried};
use crate::{breaks, keeps_all};

note!(Pair, PairState, load, apply, batch);

impl Batch for Pair {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(pair, step)| pair.apply(*step, host)).collect()
    }
}

#[test]
fn a_correct_batch_keeps_all_laws() {
    keeps_all(&tried(Subject::of::<Pair>()));
}

note!(Muddle, MuddleState, load, apply, batch);

/// Wrong: gives every file the text of the last.
impl Batch for Muddle {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        let text = items.last().and_then(|(last, _)| last.text.get().cloned()).unwrap_or_default();
        let create = |(item, step): &(&Self, Step<'_, Self>)| match step {
            Step::Create { goal } => put(&item.path, &text, Some(goal.mode.bits()), host),
            _ => item.apply(*step, host),
        };
        items.iter().map(create).collect()
    }
}

#[test]
fn detects_a_batch_that_mixes_up_its_members() {
    let words = "+ /srv/motd a regular file 0640 0:0 \"welcome\"";
    breaks(&tried(Subject::of::<Muddle>()), "a_batch_equals_separate_applies", words);
}

#[test]
fn batches_need_wishes_of_two_names() {
    let subject = Subject::of::<Pair>().wish(Wish::named("/motd").set("text", "hello"));
    let broken = uphold_testkit::laws::a_batch_equals_separate_applies(&subject).expect_err("one name");
    assert!(broken.why.contains("another name"), "{broken}");
    assert_eq!(Pair::SCHEMA.kind, "note");
}
