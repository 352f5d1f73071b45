//! Each law is proved by a resource that breaks it, and only it; a right one keeps them all.

mod batch;
mod defined;
mod interests;
mod note;
mod prepare;
mod right;
mod values;
mod wrong;

use uphold_testkit::Subject;
use uphold_testkit::laws::{Broken, broken_by};

/// The subject breaks exactly `law`, and the explanation holds these words.
#[track_caller]
fn breaks(subject: &Subject, law: &str, words: &str) {
    let broken = broken_by(subject);
    let names: Vec<_> = broken.iter().map(|broken| broken.law).collect();
    let told = broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(names, [law], "{told}");
    assert!(told.contains(words), "{told}");
}

#[track_caller]
fn keeps_all(subject: &Subject) {
    let broken = broken_by(subject);
    assert!(broken.is_empty(), "{}", broken.iter().map(Broken::to_string).collect::<Vec<_>>().join("\n"));
}
