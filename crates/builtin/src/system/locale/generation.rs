//! Generating locales with `locale-gen`.

use std::path::Path;

use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::tool;
use uphold_resource::{Act, Error, ErrorKind, Result};

use super::LocaleName;
use super::available::{listed, missing, supported};

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
