//! The order of Debian versions: `[epoch:]upstream[-revision]`.

use std::cmp::Ordering;

use super::{digits, epoch, numbers};

/// Compares by the rules of `deb-version`: numbers by value, `~` before the end, letters before all other
/// characters.
pub(crate) fn compare(a: &str, b: &str) -> Ordering {
    let ((epoch_a, a), (epoch_b, b)) = (epoch(a), epoch(b));
    let ((upstream_a, revision_a), (upstream_b, revision_b)) = (revision(a), revision(b));
    let upstream = || part(upstream_a, upstream_b);
    numbers(epoch_a, epoch_b).then_with(upstream).then_with(|| part(revision_a, revision_b))
}

fn revision(version: &str) -> (&str, &str) {
    version.rsplit_once('-').unwrap_or((version, ""))
}

/// Non-digits and numbers alternate, beginning with non-digits.
fn part(mut a: &str, mut b: &str) -> Ordering {
    while !a.is_empty() || !b.is_empty() {
        let (signs_a, rest_a) = signs(a);
        let (signs_b, rest_b) = signs(b);
        let ((number_a, next_a), (number_b, next_b)) = (digits(rest_a), digits(rest_b));
        let order = by_weight(signs_a, signs_b).then_with(|| numbers(number_a, number_b));
        if order.is_ne() {
            return order;
        }
        (a, b) = (next_a, next_b);
    }
    Ordering::Equal
}

fn signs(text: &str) -> (&str, &str) {
    text.split_at(text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len()))
}

fn by_weight(a: &str, b: &str) -> Ordering {
    let weights = |text: &str| text.bytes().map(weight).chain([END]).collect::<Vec<_>>();
    weights(a).cmp(&weights(b))
}

/// The weight of the end of a part: above `~`, below all others.
const END: u16 = 1;

fn weight(sign: u8) -> u16 {
    match sign {
        b'~' => 0,
        letter if letter.is_ascii_alphabetic() => u16::from(letter),
        other => u16::from(other) + 256,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of `dpkg --compare-versions`.
    #[test]
    fn compares_versions() {
        use Ordering::{Equal, Greater, Less};
        let check = |a, order, b| super::super::check(compare, a, order, b);
        check("1.0", Equal, "1.0");
        check("1.10", Greater, "1.2");
        check("1.0", Equal, "0:1.0");
        check("1.0", Equal, "1.0-0");
        check("1.0", Equal, "1.00");
        check("1:0.1", Greater, "9.9");
        check("1.0~rc1", Less, "1.0");
        check("1.0~~", Less, "1.0~");
        check("1.0~rc1-1", Less, "1.0-1");
        check("1.0-1", Less, "1.0-1+b1");
        check("1.0-1", Less, "1.0-1.1");
        check("1.0a", Less, "1.0+");
        check("1.0", Less, "1.0a");
        check("2.36-9+deb12u9", Less, "2.36-9+deb12u13");
        check("1.2-3-4", Less, "1.2-4-1");
        check("99999999999999999999", Less, "100000000000000000000");
        check("1.", Equal, "1.0");
    }
}
