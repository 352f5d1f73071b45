//! The locales that a system has or can generate.

use std::path::Path;

use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::tool;
use uphold_resource::{Act, Error, ErrorKind, Parsed, Reading, Result, closest};

use super::LocaleName;

/// The locales that can be generated, with their encodings.
const SUPPORTED: &str = "/usr/share/i18n/SUPPORTED";

/// Lines such as `de_AT.UTF-8 UTF-8`.
pub(super) struct LocaleList(Vec<(LocaleName, String)>);

impl Parsed for LocaleList {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        Ok(Self(text.lines().filter_map(listed).collect()))
    }
}

/// Parses a line with a locale and its encoding; none for a comment.
pub(super) fn listed(line: &str) -> Option<(LocaleName, String)> {
    let (name, encoding) = line.trim().split_once(char::is_whitespace)?;
    let is_comment = name.starts_with('#');
    (!is_comment).then(|| (LocaleName::found(name), encoding.trim().trim_end_matches('\\').trim().to_owned()))
}

impl LocaleList {
    fn has(&self, name: &LocaleName) -> bool {
        self.0.iter().any(|(found, _)| found == name)
    }
}

/// The line of a locale that can be generated; none if it is not supported.
pub(super) fn supported(name: &LocaleName, host: &Reading<'_>) -> Result<Option<String>> {
    let list = host.parsed::<LocaleList>(Path::new(SUPPORTED))?;
    let found = list.and_then(|list| {
        list.0.iter().find(|(found, _)| found == name).map(|(found, encoding)| format!("{found} {encoding}"))
    });
    Ok(found)
}

/// Whether the system has all of these, and they are in `/etc/locale.gen` if that exists.
pub(super) fn has_all(names: &[&LocaleName], host: &Reading<'_>) -> Result<bool> {
    let made: Vec<_> = names.iter().filter(|name| !name.is_builtin()).collect();
    if made.is_empty() {
        return Ok(true);
    }
    let configured = host.parsed::<LocaleList>(Path::new(GENERATED))?;
    let is_configured = |name: &&LocaleName| configured.as_ref().is_none_or(|list| list.has(name));
    Ok(made.iter().all(|name| is_configured(name)) && missing(names, host)?.is_empty())
}

/// The locales that the system does not have. Empty for a C library without a list of locales.
pub(super) fn missing<'n>(names: &[&'n LocaleName], host: &Reading<'_>) -> Result<Vec<&'n LocaleName>> {
    let what = "cannot list the locales of the system";
    let command = tool::command("locale", ["--all-locales"]);
    let output = match tool::probe(&command, what, host) {
        Err(error) if error.kind() == ErrorKind::Missing => return Ok(Vec::new()),
        output => tool::expect(output?, &command, what)?,
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let all: Vec<LocaleName> = text.lines().map(LocaleName::found).collect();
    let is_missing = |name: &&&LocaleName| !name.is_builtin() && !all.contains(name);
    Ok(names.iter().filter(is_missing).copied().collect())
}

/// Fails if a locale neither exists nor can be generated.
pub(super) fn must_be_possible(name: &LocaleName, host: &Reading<'_>) -> Result<()> {
    let list = host.parsed::<LocaleList>(Path::new(SUPPORTED))?;
    let Some(list) = list.filter(|list| !name.is_builtin() && !list.has(name)) else { return Ok(()) };
    if missing(&[name], host)?.is_empty() {
        return Ok(());
    }
    let error = Error::new(ErrorKind::Invalid, format!("the locale {name} does not exist"));
    Err(match closest(name.as_str(), list.0.iter().map(|(name, _)| name.as_str())) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error.hint(format!("{SUPPORTED} lists the supported locales")),
    })
}

// Generating locales with `locale-gen`.

/// The list of locales to generate.
pub(super) const GENERATED: &str = "/etc/locale.gen";

/// Adds these locales to the list, and generates missing ones.
pub(super) fn generate(names: &[&LocaleName], host: &Act<'_>) -> Result<()> {
    let missing = missing(names, host)?;
    if host.files().look(Path::new(GENERATED))?.is_none() {
        return missing.first().map_or(Ok(()), |name| Err(cannot(name)));
    }
    let mut lines = Vec::new();
    for name in names.iter().filter(|name| !name.is_builtin()) {
        lines.push((name, supported(name, host)?.unwrap_or_else(|| usual_line(name))));
    }
    EditedFile::of_system(Path::new(GENERATED)).rewrite_lines(host, |list| {
        for (name, line) in &lines {
            add(list, name, line.clone());
        }
    })?;
    if missing.is_empty() {
        return Ok(());
    }
    let command = tool::command("locale-gen", [""; 0]);
    tool::run(&command, &format!("cannot generate the locale {}", missing[0]), host).map(drop)
}

/// The line of a locale that is not in the list of supported ones.
fn usual_line(name: &LocaleName) -> String {
    let encoding = name.as_str().split('.').nth(1).unwrap_or("ISO-8859-1");
    format!("{name} {encoding}")
}

fn cannot(name: &LocaleName) -> Error {
    let what = format!("cannot generate the locale {name}: {GENERATED} does not exist");
    Error::new(ErrorKind::Missing, what)
        .hint("install the package `locales`, or a language pack that contains it")
}

/// Adds a locale to the list, in place of its commented-out line if there is one.
fn add(list: &mut Document<'_>, name: &LocaleName, line: String) {
    let is_listed =
        |line: &[u8]| listed(&String::from_utf8_lossy(line)).is_some_and(|(found, _)| found == *name);
    if list.lines().any(is_listed) {
        return;
    }
    list.put(line, |line| {
        let text = String::from_utf8_lossy(line);
        let comment = text.trim_start().strip_prefix('#').map(str::trim_start);
        comment.and_then(listed).is_some_and(|(found, _)| found == *name)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lists() {
        let check = |line: &str, expected: Option<(&str, &str)>| {
            let read = listed(line);
            let read = read.as_ref().map(|(name, encoding)| (name.as_str(), encoding.as_str()));
            assert_eq!(read, expected, "{line}");
        };
        check("de_AT.UTF-8 UTF-8", Some(("de_AT.UTF-8", "UTF-8")));
        check("de_AT ISO-8859-1  ", Some(("de_AT", "ISO-8859-1")));
        check("# de_AT.UTF-8 UTF-8", None);
        check("#de_AT.UTF-8 UTF-8", None);
        check("", None);
    }
}

#[cfg(test)]
mod generation_tests {
    use super::*;

    #[test]
    fn adds_a_locale_in_place() {
        let check = |before: &str, after: &str| {
            let mut list = Document::new(before.as_bytes());
            add(&mut list, &LocaleName::found("de_AT.utf8"), "de_AT.UTF-8 UTF-8".to_owned());
            assert_eq!(String::from_utf8_lossy(&list.content()), after);
        };
        check("", "de_AT.UTF-8 UTF-8\n");
        check("# a b c\n# de_AT.UTF-8 UTF-8\n# x\n", "# a b c\nde_AT.UTF-8 UTF-8\n# x\n");
        check("de_AT.UTF-8 UTF-8\n# de_AT.UTF-8 UTF-8\n", "de_AT.UTF-8 UTF-8\n# de_AT.UTF-8 UTF-8\n");
        check("en_US.UTF-8 UTF-8\n", "en_US.UTF-8 UTF-8\nde_AT.UTF-8 UTF-8\n");
    }
}
