//! Each law is tested by a resource that breaks only this law; a correct one keeps them all.

mod batch;
mod defined;
mod interests;
mod inverse;
mod note;
mod prepare;
mod right;
mod values;
mod wrong;

use uphold_testkit::Subject;
use uphold_testkit::laws::{Broken, broken_by};

/// Asserts that the subject breaks exactly `law`, and that the explanation contains these words.
#[track_caller]
fn breaks(subject: &Subject, law: &str, words: &str) {
    let broken = broken_by(subject);
    let names: Vec<_> = broken.iter().map(|broken| broken.law).collect();
    let report = broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(names, [law], "{report}");
    assert!(report.contains(words), "{report}");
}

#[track_caller]
fn keeps_all(subject: &Subject) {
    let broken = broken_by(subject);
    assert!(broken.is_empty(), "{}", broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n"));
}
