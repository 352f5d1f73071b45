//! The lines that begin blocks in the files of ssh, such as `Match User ann` and `Host *`.

use std::borrow::Cow;
use std::path::Path;

/// Criteria of `Match` without a pattern.
const WITHOUT_PATTERN: [&str; 4] = ["all", "canonical", "final", "invalid-user"];

/// Criteria of `Match` with a pattern, in ssh or sshd.
const WITH_PATTERN: [&str; 15] = [
    "address",
    "command",
    "exec",
    "group",
    "host",
    "localaddress",
    "localnetwork",
    "localport",
    "localuser",
    "originalhost",
    "rdomain",
    "sessiontype",
    "tagged",
    "user",
    "version",
];

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|known| word.eq_ignore_ascii_case(known))
}

/// Whether ssh or sshd reads this file.
pub fn is_of_ssh(file: &Path) -> bool {
    is_of_client(file) || file.ends_with("sshd_config") || is_in(file, "sshd_config.d")
}

/// Whether ssh, and not sshd, reads this file.
fn is_of_client(file: &Path) -> bool {
    file.ends_with("ssh_config") || file.ends_with(".ssh/config") || is_in(file, "ssh_config.d")
}

fn is_in(file: &Path, directory: &str) -> bool {
    file.parent().is_some_and(|parent| parent.ends_with(directory))
}

/// Whether this line begins a block, which extends to the next one or to the end of the file.
pub fn begins_block(text: &str) -> bool {
    let first = text.split_whitespace().next().unwrap_or_default();
    is_one_of(&["match", "host"], first) && first.len() < text.len()
}

/// The line that is meant by a section that sshd or ssh would refuse: without `Match` or `Host`, or without a criterion.
///
/// A single unknown word is refused after `Match`, since only those of `WITHOUT_PATTERN` have no pattern.
pub fn meant_line(section: &str, file: &Path) -> Option<String> {
    let mut words = section.split_whitespace();
    let begins = begins_block(section);
    let is_match = begins && words.next().is_some_and(|word| word.eq_ignore_ascii_case("match"));
    if begins && !is_match {
        return None;
    }
    let first = words.next().unwrap_or_default();
    let is_alone = words.next().is_none();
    let is_whole = is_one_of(&WITHOUT_PATTERN, first.trim_start_matches('!')) || first.contains('=');
    if is_match && (is_whole || !is_alone) {
        return None;
    }
    let line = if is_match { section[5..].trim_start() } else { section };
    let has_pattern = is_one_of(&WITH_PATTERN, first);
    Some(if has_pattern && is_alone {
        format!("Match {line} PATTERN")
    } else if has_pattern || is_whole {
        format!("Match {line}")
    } else if is_of_client(file) {
        format!("Host {line}")
    } else {
        format!("Match User {line}")
    })
}

/// The spelling by which a section is found. In a block of ssh, only the patterns are case-sensitive: `match user ann` is
/// `Match User ann`.
pub fn section_spelling(section: &str, ignore_case: bool) -> Cow<'_, str> {
    if !ignore_case || !begins_block(section) {
        return Cow::Borrowed(section);
    }
    let mut words = section.split_whitespace();
    let mut spelled = vec![words.next().unwrap_or_default().to_ascii_lowercase()];
    let has_criteria = spelled[0] == "match";
    while let Some(word) = words.next() {
        if has_criteria {
            spelled.push(word.to_ascii_lowercase());
            if !is_one_of(&WITHOUT_PATTERN, word) {
                spelled.extend(words.next().map(str::to_owned));
            }
        } else {
            spelled.push(word.to_owned());
        }
    }
    Cow::Owned(spelled.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_ssh_are_recognized() {
        let check = |path: &str, expected: bool| assert_eq!(is_of_ssh(Path::new(path)), expected, "{path}");
        check("/etc/ssh/sshd_config", true);
        check("/etc/ssh/sshd_config.d/10-local.conf", true);
        check("/etc/ssh/ssh_config.d/10-local.conf", true);
        check("/home/ann/.ssh/config", true);
        check("/etc/login.defs", false);
        check("/etc/my_sshd_config", false);
        check("/etc/app/config", false);
    }

    #[test]
    fn lines_that_ssh_refuses_are_completed() {
        let check = |file: &str, section: &str, expected: Option<&str>| {
            assert_eq!(meant_line(section, Path::new(file)).as_deref(), expected, "{section}");
        };
        let sshd = "/etc/ssh/sshd_config";
        check(sshd, "deploy", Some("Match User deploy"));
        check(sshd, "Match deploy", Some("Match User deploy"));
        check(sshd, "user deploy", Some("Match user deploy"));
        check(sshd, "Match User", Some("Match User PATTERN"));
        check(sshd, "All", Some("Match All"));
        check("/etc/ssh/ssh_config", "deploy", Some("Host deploy"));
        check("/home/ann/.ssh/config", "Match deploy", Some("Host deploy"));
        check("/etc/ssh/ssh_config.d/a.conf", "*", Some("Host *"));
        for whole in
            ["Match User deploy", "Match all", "match !final", "Match user=ann", "Host x", "Match New x"]
        {
            check(sshd, whole, None);
        }
    }
}
