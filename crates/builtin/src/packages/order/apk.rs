//! The order of Alpine versions: `1.2.3a_rc1-r4`.

use std::cmp::Ordering;

use super::{digits, numbers};

/// Suffixes from old to new. Those in `BEFORE` precede a version without a suffix.
const BEFORE: [&str; 4] = ["alpha", "beta", "pre", "rc"];
const AFTER: [&str; 5] = ["cvs", "svn", "git", "hg", "p"];

/// Compares as apk does: dotted numbers, a letter, suffixes and the release.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let (a, b) = (Version::of(a), Version::of(b));
    a.numbers(&b)
        .then_with(|| a.letter.cmp(b.letter))
        .then_with(|| a.suffixes(&b))
        .then_with(|| numbers(a.release, b.release))
}

struct Version<'a> {
    numbers: &'a str,
    letter: &'a str,
    suffixes: &'a str,
    release: &'a str,
}

impl<'a> Version<'a> {
    fn of(text: &'a str) -> Self {
        let (text, release) = text.rsplit_once("-r").unwrap_or((text, ""));
        let (text, suffixes) = text.split_once('_').unwrap_or((text, ""));
        let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (numbers, letter) = text.split_at(at);
        Self { numbers, letter, suffixes, release }
    }

    fn numbers(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (self.numbers.split('.'), other.numbers.split('.'));
        loop {
            let order = match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                (a, b) if a.is_none() || b.is_none() => return a.is_some().cmp(&b.is_some()),
                (a, b) => numbers(a.unwrap_or_default(), b.unwrap_or_default()),
            };
            if order.is_ne() {
                return order;
            }
        }
    }

    fn suffixes(&self, other: &Self) -> Ordering {
        let (mut a, mut b) = (weights(self.suffixes), weights(other.suffixes));
        loop {
            let (next_a, next_b) = (a.next(), b.next());
            if next_a.is_none() && next_b.is_none() {
                return Ordering::Equal;
            }
            let ((weight_a, number_a), (weight_b, number_b)) =
                (next_a.unwrap_or(NO_SUFFIX), next_b.unwrap_or(NO_SUFFIX));
            let order = weight_a.cmp(&weight_b).then_with(|| numbers(number_a, number_b));
            if order.is_ne() {
                return order;
            }
        }
    }
}

/// A version without a suffix is between `BEFORE` and `AFTER`.
const NO_SUFFIX: (usize, &str) = (BEFORE.len(), "");

fn weights(suffixes: &str) -> impl Iterator<Item = (usize, &str)> {
    suffixes.split('_').filter(|suffix| !suffix.is_empty()).map(|suffix| {
        let at = suffix.find(|c: char| c.is_ascii_digit()).unwrap_or(suffix.len());
        let (name, number) = suffix.split_at(at);
        let place = |names: &[&str]| names.iter().position(|known| *known == name);
        let weight = place(&BEFORE).or_else(|| place(&AFTER).map(|at| BEFORE.len() + 1 + at));
        (weight.unwrap_or(BEFORE.len()), digits(number).0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_versions() {
        use Ordering::{Equal, Greater, Less};
        let check = |a, order, b| super::super::check(compare, a, order, b);
        check("1.0", Equal, "1.0");
        check("1.10", Greater, "1.2");
        check("1.0", Less, "1.0.0");
        check("1.0a", Greater, "1.0");
        check("1.0a", Less, "1.0b");
        check("1.0_rc1", Less, "1.0");
        check("1.0_alpha", Less, "1.0_beta");
        check("1.0_rc2", Less, "1.0_rc10");
        check("1.0_p1", Greater, "1.0");
        check("1.0_git20200101", Greater, "1.0");
        check("1.0-r1", Less, "1.0-r10");
        check("1.0_rc1-r5", Less, "1.0-r0");
    }
}
