//! Labels that fit.

/// Longest name of a node, in characters: what a box of a readable picture holds.
pub(super) const NAME_LENGTH: usize = 60;

/// Longest reason of an edge, in characters.
pub(super) const REASON_LENGTH: usize = 80;

/// `text` with its middle cut out if it has more than `limit` characters: of a path, both the
/// start and the end tell something.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    let length = text.chars().count();
    if length <= limit {
        return text.to_owned();
    }
    let head = (limit - 1) / 2;
    let tail = limit - 1 - head;
    text.chars().take(head).chain(['…']).chain(text.chars().skip(length - tail)).collect()
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn the_middle_is_cut() {
        let check = |text: &str, limit, expected: &str| assert_eq!(shorten(text, limit), expected);
        check("/etc/motd", 9, "/etc/motd");
        check("/etc/motd", 8, "/et…motd");
        check("äöüäöü", 5, "äö…öü");
        check("", 5, "");
    }
}
