//! Addresses as text: `module.web["a"].file["/etc/motd"]`.

/// The addresses that cover this one, the outermost first and the whole one last: module calls and the blocks of
/// `for_each`, with and without a key.
///
/// `address` is text that [`ResourceId`](crate::ResourceId) prints. Each of the results is a prefix of it.
pub fn covering_addresses(address: &str) -> impl Iterator<Item = &str> {
    ends(address).map(|(end, _)| &address[..end])
}

/// Whether an address ends with a key of `for_each`.
pub(crate) fn has_key(address: &str) -> bool {
    ends(address).last().is_some_and(|(_, is_key)| is_key)
}

/// Where names and keys end, and whether it is a key.
fn ends(address: &str) -> impl Iterator<Item = (usize, bool)> {
    let (mut at, mut after_name) = (0, false);
    std::iter::from_fn(move || {
        let rest = &address[at..];
        if after_name && rest.starts_with('[') {
            (at, after_name) = (at + bracket(rest), false);
            return Some((at, true));
        }
        // The dot before the kind, which the first one does not have.
        let kind = rest.strip_prefix('.').unwrap_or(rest);
        let start = rest.len() - kind.len();
        let name = start + kind.find(['.', '['])?;
        let tail = &rest[name..];
        let length = if tail.starts_with('[') {
            bracket(tail)
        } else {
            tail[1..].find(['.', '[']).map_or(tail.len(), |end| end + 1)
        };
        (at, after_name) = (at + name + length, true);
        Some((at, false))
    })
}

/// The length of a quoted string in brackets.
fn bracket(text: &str) -> usize {
    let mut is_escaped = false;
    // The closing quote; a bracket follows it.
    let quote = text.char_indices().skip(2).find(|(_, character)| {
        let ends = *character == '"' && !is_escaped;
        is_escaped = *character == '\\' && !is_escaped;
        ends
    });
    quote.map_or(text.len(), |(at, _)| (at + 2).min(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_split_after_names_and_keys() {
        let check = |address: &str, expected: &[&str], key: bool| {
            assert_eq!(covering_addresses(address).collect::<Vec<_>>(), expected);
            assert_eq!(has_key(address), key, "{address}");
        };
        check("cron.a", &["cron.a"], false);
        check(r#"cron.a["b"]"#, &["cron.a", r#"cron.a["b"]"#], true);
        check(r#"file["/a.b[c]"]"#, &[r#"file["/a.b[c]"]"#], false);
        check(
            r#"module.web["x\"].y"].file["/a"]["k"]"#,
            &[
                "module.web",
                r#"module.web["x\"].y"]"#,
                r#"module.web["x\"].y"].file["/a"]"#,
                r#"module.web["x\"].y"].file["/a"]["k"]"#,
            ],
            true,
        );
        for odd in ["", "cron", "cron.", "cron[", "cron[\"", ".", "..", "a.b[\"", "a.b.", "ä.ö[\"ü\\"] {
            assert!(covering_addresses(odd).count() < 3, "{odd}");
        }
    }
}
