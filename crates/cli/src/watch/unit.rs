//! The systemd unit of `uphold watch --print-unit`.

use std::path::{Path, PathBuf};

use uphold::current_program;

use super::flags::WatchFlags;
use crate::{CliError, Input, Session};

/// The unit with a default command.
const TEMPLATE: &str = include_str!("uphold.service");

/// The line of the template that is replaced.
const EXEC_START: &str = "ExecStart=/usr/bin/uphold watch --plain /etc/uphold\n";

/// The default configuration.
const DEFAULT_CONFIGURATION: &str = "/etc/uphold";

/// A unit that runs this command line with this program, in the current directory if it contains a relative path.
pub(crate) fn unit(input: &Input, flags: &WatchFlags, session: &Session) -> Result<String, CliError> {
    if input.files.iter().any(|file| file == Path::new("-")) {
        let hint = "name a file or a directory";
        return Err(CliError::new("a service cannot read its configuration from standard input").hint(hint));
    }
    let program = current_program()?;
    let mut words = vec![word(&program.to_string_lossy())];
    words.extend(arguments(std::env::args_os().skip(1))?.iter().map(|argument| word(argument)));
    if input.files.is_empty() {
        words.push(DEFAULT_CONFIGURATION.to_owned());
    }
    let mut command = format!("ExecStart={}\n", words.join(" "));
    if is_relative(input, flags, session) {
        let directory = uphold::current_directory()?;
        command.push_str(&format!("WorkingDirectory={}\n", directory.to_string_lossy().replace('%', "%%")));
    }
    Ok(TEMPLATE.replace(EXEC_START, &command))
}

/// The arguments of this process, with `--plain` in place of `--print-unit`.
fn arguments(given: impl Iterator<Item = std::ffi::OsString>) -> Result<Vec<String>, CliError> {
    let texts = given.map(|argument| argument.into_string().map_err(|argument| not_utf8(&argument)));
    let mut texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    let is_plain = texts.iter().any(|text| text == "--plain");
    texts.retain(|text| !(is_plain && text == "--print-unit"));
    texts.iter_mut().filter(|text| *text == "--print-unit").for_each(|text| *text = "--plain".to_owned());
    Ok(texts)
}

fn not_utf8(argument: &std::ffi::OsStr) -> CliError {
    CliError::new(format!("{} cannot be part of a unit: it is not UTF-8", argument.to_string_lossy()))
}

/// Whether the command line contains a relative path.
fn is_relative(input: &Input, flags: &WatchFlags, session: &Session) -> bool {
    let named = input
        .files
        .iter()
        .chain(&input.params)
        .chain(&session.flags.kinds)
        .chain(&session.flags.root)
        .chain(&session.flags.state);
    named.map(PathBuf::as_path).chain(flags.given_socket()).any(Path::is_relative)
}

/// A word of a command, escaped for systemd.
fn word(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let escaped = escaped.replace('%', "%%").replace('$', "$$");
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%$".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { escaped } else { format!("\"{escaped}\"") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_words_for_systemd() {
        let check = |text: &str, expected: &str| assert_eq!(word(text), expected);
        check("/srv/site", "/srv/site");
        check("a b", "\"a b\"");
        check("100%", "100%%");
        check("$HOME", "$$HOME");
        check("say \"hi\" \\", "\"say \\\"hi\\\" \\\\\"");
        check("", "\"\"");
    }

    #[test]
    fn replaces_print_unit_by_plain() {
        let check = |given: &[&str], expected: &[&str]| {
            assert_eq!(arguments(given.iter().map(Into::into)).unwrap_or_default(), expected);
        };
        check(&["watch", "--print-unit", "--", "x"], &["watch", "--plain", "--", "x"]);
        check(&["watch", "--plain", "--print-unit"], &["watch", "--plain"]);
    }

    #[test]
    fn the_template_contains_the_replaced_line() {
        assert_eq!(TEMPLATE.matches(EXEC_START).count(), 1);
    }
}
