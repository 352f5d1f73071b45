//! Comparison of versions by the rules of each package manager.

mod apk;
mod debian;
mod rpm;

pub(crate) use apk::compare as apk;
pub(crate) use debian::compare as debian;
pub(crate) use rpm::compare as rpm;

use std::cmp::Ordering;

/// Compares two versions as a package manager does.
pub(crate) type Order = fn(&str, &str) -> Ordering;

/// Splits off leading ASCII digits.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()))
}

/// Compares numbers of any length; an empty string counts as zero.
fn numbers(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.trim_start_matches('0'), b.trim_start_matches('0'));
    a.len().cmp(&b.len()).then_with(|| a.cmp(b))
}

/// Splits off the epoch, `0` if there is none.
fn epoch(version: &str) -> (&str, &str) {
    version.split_once(':').unwrap_or(("0", version))
}

/// Checks a comparison in both directions.
#[cfg(test)]
#[track_caller]
fn check(compare: Order, a: &str, order: Ordering, b: &str) {
    assert_eq!(compare(a, b), order, "{a} {b}");
    assert_eq!(compare(b, a), order.reverse(), "{b} {a}");
}
