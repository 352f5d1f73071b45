//! The order of rpm versions: `[epoch:]version[-release]`.

use std::cmp::Ordering;

use super::{digits, epoch, numbers};

/// Compares as rpm does: runs of digits and letters, digits newer than letters, `~` before the end, `^` directly
/// after it; other characters are separators.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let ((epoch_a, a), (epoch_b, b)) = (epoch(a), epoch(b));
    let ((version_a, release_a), (version_b, release_b)) = (release(a), release(b));
    numbers(epoch_a, epoch_b).then_with(|| part(version_a, version_b)).then_with(|| {
        match (release_a, release_b) {
            (Some(a), Some(b)) => part(a, b),
            // A version without a release matches any release.
            _ => Ordering::Equal,
        }
    })
}

fn release(version: &str) -> (&str, Option<&str>) {
    version.rsplit_once('-').map_or((version, None), |(version, release)| (version, Some(release)))
}

fn part(mut a: &str, mut b: &str) -> Ordering {
    loop {
        (a, b) = (skip(a), skip(b));
        let (rank_a, rank_b) = (rank(a), rank(b));
        let ((run_a, rest_a), (run_b, rest_b)) = (run(a), run(b));
        let order = match (rank_a, rank_b) {
            (Rank::End, Rank::End) => return Ordering::Equal,
            (Rank::Number, Rank::Number) => numbers(run_a, run_b),
            (Rank::Letters, Rank::Letters) => run_a.cmp(run_b),
            (rank_a, rank_b) => rank_a.cmp(&rank_b),
        };
        if order.is_ne() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

/// The type of the next run, from old to new.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Tilde,
    End,
    Caret,
    Letters,
    Number,
}

fn rank(text: &str) -> Rank {
    match text.bytes().next() {
        None => Rank::End,
        Some(b'~') => Rank::Tilde,
        Some(b'^') => Rank::Caret,
        Some(digit) if digit.is_ascii_digit() => Rank::Number,
        Some(_) => Rank::Letters,
    }
}

fn skip(text: &str) -> &str {
    text.trim_start_matches(|c: char| !c.is_ascii_alphanumeric() && c != '~' && c != '^')
}

/// Splits off `~`, `^`, or a run of digits or letters.
fn run(text: &str) -> (&str, &str) {
    match rank(text) {
        Rank::End => ("", ""),
        Rank::Tilde | Rank::Caret => text.split_at(1),
        Rank::Number => digits(text),
        Rank::Letters => text.split_at(text.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(text.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs from rpm's own tests of `rpmvercmp`.
    #[test]
    fn compares_versions() {
        use Ordering::{Equal, Greater, Less};
        let check = |a, order, b| super::super::check(compare, a, order, b);
        check("1.0", Equal, "1.0");
        check("1.10", Greater, "1.2");
        check("2.0.1", Greater, "2.0");
        check("5.5p1", Less, "5.5p10");
        check("10xyz", Less, "10.1xyz");
        check("xyz10", Less, "xyz10.1");
        check("xyz.4", Less, "8");
        check("2.0", Equal, "2_0");
        check("1.0~rc1", Less, "1.0");
        check("1.0~rc1", Less, "1.0arc1");
        check("1.0^", Greater, "1.0");
        check("1.0^git1", Less, "1.0.1");
        check("1.0^git1~pre", Less, "1.0^git1");
        check("1:1.0", Greater, "2.0");
        check("1.0-1", Equal, "1.0");
        check("1.0-1.el9", Less, "1.0-2.el9");
    }
}
