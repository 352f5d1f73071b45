//! Which of two versions is newer, by the rules of each package manager.

mod apk;
mod debian;
mod rpm;

pub(crate) use apk::compare as apk;
pub(crate) use debian::compare as debian;
pub(crate) use rpm::compare as rpm;

use std::cmp::Ordering;

/// Compares two versions as one package manager does.
pub(crate) type Order = fn(&str, &str) -> Ordering;

/// Splits a run of ASCII digits off the front.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Compares numbers of any length; no number is zero.
fn numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// The epoch, `0` unless there is one, and the rest.
fn epoch(version: &str) -> (&str, &str) {
    version.split_once(':').unwrap_or(("0", version))
}

/// Both ways round, for the tests of each.
#[cfg(test)]
#[track_caller]
fn check(compare: Order, a: &str, order: Ordering, b: &str) {
    assert_eq!(compare(a, b), order, "{a} {b}");
    assert_eq!(compare(b, a), order.reverse(), "{b} {a}");
}
