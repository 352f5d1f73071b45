//! The content of a unit file: sections with settings, which may be repeated.

use std::fmt::Write;
use std::path::Path;

use uphold_resource::{
    Access, Act, EntryKind, Error, ErrorKind, NewFile, Reading, Result, Verify, wrong_type,
};

/// A unit file without comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    sections: Vec<Section>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    name: String,
    settings: Vec<(String, String)>,
}

impl Document {
    /// Parses the text of a unit file.
    ///
    /// # Errors
    /// The number of the invalid line, and the reason.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut document = Self::default();
        for (number, line) in lines(text) {
            document.add_line(&line).map_err(|why| format!("line {number} {why}"))?;
        }
        Ok(document)
    }

    fn add_line(&mut self, line: &str) -> Result<(), String> {
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.strip_suffix(']').filter(|name| is_section(name));
            let name = name.ok_or("is not a section header, such as [Service]")?;
            self.sections.push(Section { name: name.to_owned(), settings: Vec::new() });
            return Ok(());
        }
        let Some((key, value)) = line.split_once('=') else {
            return Err("has no `=`; a setting is written as in ExecStart=/bin/true".to_owned());
        };
        match self.sections.last_mut() {
            Some(section) => section.settings.push((key.trim().to_owned(), value.trim().to_owned())),
            None => return Err("comes before the first section, such as [Service]".to_owned()),
        }
        Ok(())
    }

    /// Adds a setting to a section, which is created if missing.
    pub(crate) fn add(&mut self, section: &str, key: &str, value: impl Into<String>) {
        let at = self.sections.iter().position(|known| known.name == section);
        let at = at.unwrap_or_else(|| {
            self.sections.push(Section { name: section.to_owned(), settings: Vec::new() });
            self.sections.len() - 1
        });
        self.sections[at].settings.push((key.to_owned(), value.into()));
    }

    /// The values of a setting, in order. An empty value resets those before it.
    pub(crate) fn values(&self, section: &str, key: &str) -> Vec<&str> {
        let mut found = Vec::new();
        let sections = self.sections.iter().filter(|known| known.name == section);
        for (_, value) in sections.flat_map(|section| &section.settings).filter(|(known, _)| known == key) {
            if value.is_empty() {
                found.clear();
            } else {
                found.push(&**value);
            }
        }
        found
    }

    /// The last value of a setting.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        self.values(section, key).pop()
    }

    /// The text of the unit file.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        for section in &self.sections {
            let gap = if text.is_empty() { "" } else { "\n" };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{gap}[{}]", section.name);
            for (key, value) in &section.settings {
                let _ = writeln!(text, "{key}={value}");
            }
        }
        text
    }
}

/// Whether this is a valid name of a section.
pub(super) fn is_section(name: &str) -> bool {
    !name.is_empty() && !name.contains(|sign: char| sign.is_control() || sign == '[' || sign == ']')
}

/// The lines without comments, each with its number; continued lines are joined.
fn lines(text: &str) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        let is_comment = line.starts_with(['#', ';']);
        if is_comment || (line.is_empty() && !continues) {
            continue;
        }
        let (part, ends_in_backslash) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match found.last_mut().filter(|_| continues) {
            Some((_, whole)) => *whole = format!("{whole} {}", part.trim()),
            None => found.push((number, part.trim_end().to_owned())),
        }
        continues = ends_in_backslash;
    }
    found
}

// Reading and writing unit files.

/// The directory of local unit files.
pub(crate) const UNIT_FILES: &str = "/etc/systemd/system";

/// The text and mode of a unit file; none if it does not exist.
pub(crate) fn read(path: &Path, host: &Reading<'_>) -> Result<Option<(String, u32)>> {
    let Some(entry) = host.files().look(path)? else { return Ok(None) };
    match &entry.kind {
        EntryKind::File => {}
        EntryKind::Link(target) if target == Path::new("/dev/null") => {
            let what = format!("the unit file {} is masked", path.display());
            let hint =
                "unmask the unit first, with `masked = false` in a `service` or with `systemctl unmask`";
            return Err(Error::new(ErrorKind::WrongType, what).hint(hint));
        }
        other => return Err(wrong_type(path, other.words(), "a regular file")),
    }
    let text = host.files().read(path, entry.size)?;
    Ok(Some((String::from_utf8_lossy(&text).into_owned(), entry.mode)))
}

/// Writes a unit file; the directory of a drop-in is created.
pub(crate) fn write(
    path: &Path,
    text: &str,
    mode: u32,
    verify: Option<&Verify<'_>>,
    host: &Act<'_>,
) -> Result<()> {
    let parent = path.parent().filter(|parent| *parent != Path::new(UNIT_FILES));
    if let Some(parent) = parent
        && host.files().look(parent)?.is_none()
    {
        let access = Access { mode: Some(0o755), ..Access::default() };
        host.edits().make_directory(parent, &access)?;
    }
    let access = Access { mode: Some(mode), ..Access::default() };
    let file = NewFile { verify, ..NewFile::new(text.as_bytes(), access) };
    host.edits().write(path, &file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_settings() {
        let check = |text: &str, section: &str, key: &str, expected: &[&str]| {
            assert_eq!(Document::parse(text).unwrap().values(section, key), expected, "{text}");
        };
        check("[Service]\nExecStart=/bin/a\n", "Service", "ExecStart", &["/bin/a"]);
        check("# a\n\n[Service]\n;b\nA = 1\nA=2\n", "Service", "A", &["1", "2"]);
        check("[S]\nA=1\nA=\nA=3\n", "S", "A", &["3"]);
        check("[S]\nA=1\n[T]\nA=2\n[S]\nA=3\n", "S", "A", &["1", "3"]);
        check("[S]\nA=x \\\n  y \\\n# no\n  z\nB=1\n", "S", "A", &["x y z"]);
        check("[S]\nA=x=y\n", "S", "A", &["x=y"]);
        check("[S]\n", "T", "A", &[]);
    }

    #[test]
    fn refuses_invalid_lines() {
        let check = |text: &str, expected: &str| {
            let why = Document::parse(text).unwrap_err();
            assert!(why.contains(expected), "{text}: {why}");
        };
        check("[Service\nA=1\n", "line 1 is not a section header");
        check("[]\n", "line 1 is not a section header");
        check("A=1\n[S]\n", "line 1 comes before");
        check("[S]\nA=1\nnonsense\n", "line 3 has no `=`");
    }

    #[test]
    fn unit_files_round_trip() {
        let mut document = Document::default();
        document.add("Unit", "Description", "x");
        document.add("Service", "ExecStart", "");
        document.add("Service", "ExecStart", "/bin/true");
        document.add("Unit", "After", "y");
        let text = document.render();
        assert_eq!(text, "[Unit]\nDescription=x\nAfter=y\n\n[Service]\nExecStart=\nExecStart=/bin/true\n");
        assert_eq!(Document::parse(&text), Ok(document));
    }
}
