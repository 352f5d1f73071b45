//! An `authorized_keys` file in which one key changes and all other lines stay byte for byte.

use super::entry::Entry;

/// All lines of the file that hold the key `body`.
pub(super) fn entries(content: &[u8], body: &str) -> Vec<Entry> {
    lines(content).filter_map(|line| entry(line, body)).collect()
}

/// Returns the file with one line for the key, in place of the first or at the end; without the key if `entry_` is
/// none.
pub(super) fn replaced(content: &[u8], body: &str, entry_: Option<&Entry>) -> Vec<u8> {
    let mut new = entry_.map(|entry| entry.line(body));
    let mut result = Vec::with_capacity(content.len());
    let mut add = |line: &[u8]| {
        result.extend_from_slice(line);
        result.push(b'\n');
    };
    for line in lines(content) {
        match entry(line, body) {
            None => add(line),
            Some(_) => {
                if let Some(new) = new.take() {
                    add(new.as_bytes());
                }
            }
        }
    }
    if let Some(new) = new {
        add(new.as_bytes());
    }
    result
}

fn entry(line: &[u8], body: &str) -> Option<Entry> {
    Entry::of(&String::from_utf8_lossy(line), body)
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = content.strip_suffix(b"\n").unwrap_or(content);
    let count = if content.is_empty() { 0 } else { usize::MAX };
    whole.split(|byte| *byte == b'\n').take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_lines_are_kept() {
        let check = |content: &[u8], put: &str, removed: &[u8]| {
            let entry = Entry::of("no-pty ssh-rsa AAAA new", "AAAA");
            let found = replaced(content, "AAAA", entry.as_ref());
            assert_eq!(String::from_utf8_lossy(&found), put);
            assert_eq!(replaced(content, "AAAA", None), removed);
        };
        let new = "no-pty ssh-rsa AAAA new\n";
        check(b"", new, b"");
        check(b"# a\n\nssh-rsa BBBB", &format!("# a\n\nssh-rsa BBBB\n{new}"), b"# a\n\nssh-rsa BBBB\n");
        check(b"ssh-rsa AAAA\nx\nssh-rsa AAAA b\n", &format!("{new}x\n"), b"x\n");
        let found = replaced(b"\xff\n", "AAAA", None);
        assert_eq!(found, b"\xff\n");
    }
}
