//! The sections and entries of an INI file, with their lines.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

use crate::document::Document;
use uphold_resource::{Parsed, Result};

use super::ssh_block::{begins_block, section_spelling};

/// The character between a key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Equals,
    Colon,
    /// The first white space.
    Space,
}

impl Sign {
    /// The sign of a separator with white space around it.
    pub(super) fn of(separator: &str) -> Self {
        match separator.trim() {
            ":" => Sign::Colon,
            "" => Sign::Space,
            _ => Sign::Equals,
        }
    }

    fn find(self, text: &str) -> Option<Range<usize>> {
        match self {
            Sign::Equals => text.find('=').map(|at| at..at + 1),
            Sign::Colon => text.find(':').map(|at| at..at + 1),
            Sign::Space => text.find([' ', '\t']).map(|at| at..at + 1),
        }
    }
}

/// The parsed structure of an INI file.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) entries: Vec<Entry>,
    pub(super) sections: Vec<Section>,
}

/// A section. The first one has no name and no header: it precedes all others.
#[derive(Debug)]
pub(super) struct Section {
    pub(super) name: Option<String>,
    /// From its header to the last line that is not empty.
    pub(super) lines: Range<usize>,
}

/// A key and its value.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) section: Option<String>,
    pub(super) key: String,
    /// None for a key without a separator.
    pub(super) value: Option<String>,
    /// The text before the value: indentation, key and separator.
    pub(super) head: String,
    /// Its lines: more than one if it continues after a backslash.
    pub(super) lines: Range<usize>,
}

impl Layout {
    /// Parses a document, in time linear in its size.
    pub(super) fn of(document: &Document<'_>, sign: Sign) -> Self {
        let lines: Vec<Cow<'_, str>> = document.lines().map(String::from_utf8_lossy).collect();
        let mut layout = Layout { entries: Vec::new(), sections: vec![Section { name: None, lines: 0..0 }] };
        let mut at = 0;
        while let Some(line) = lines.get(at) {
            let text = line.trim();
            let mut end = at + 1;
            if let Some(name) = section_name(text, sign) {
                layout.sections.push(Section { name: Some(name.to_owned()), lines: at..end });
            } else if !text.is_empty() && !is_comment(text) {
                end = at + 1 + lines[at..].iter().take_while(|line| line.ends_with('\\')).count();
                end = end.min(lines.len());
                let section = layout.sections.last().and_then(|section| section.name.clone());
                layout.entries.push(entry(section, &lines[at..end], at, sign));
            }
            if let Some(section) = layout.sections.last_mut().filter(|_| !text.is_empty()) {
                section.lines.end = end;
            }
            at = end;
        }
        layout
    }
}

/// Whether a trimmed line is a comment.
pub(super) fn is_comment(text: &str) -> bool {
    text.starts_with(['#', ';'])
}

/// The name in a header, ignoring a comment after it. With white space as separator, as in the files of ssh, a line
/// such as `Match User ann` or `Host *` is a header, too, and its own name.
fn section_name(text: &str, sign: Sign) -> Option<&str> {
    match text.strip_prefix('[') {
        Some(inner) => inner.rfind(']').map(|end| &inner[..end]),
        None => (sign == Sign::Space && begins_block(text)).then_some(text),
    }
}

fn entry(section: Option<String>, lines: &[Cow<'_, str>], at: usize, sign: Sign) -> Entry {
    let line = &*lines[0];
    let indent = line.len() - line.trim_start().len();
    let lines_at = at..at + lines.len();
    let Some(found) = sign.find(line[indent..].trim_end()) else {
        let key = line.trim().to_owned();
        return Entry { section, key, value: None, head: line.trim_end().to_owned(), lines: lines_at };
    };
    let (sign_at, behind) = (indent + found.start, indent + found.end);
    let gap = line[behind..].len() - line[behind..].trim_start().len();
    let first = &line[behind + gap..];
    let parts = [first].into_iter().chain(lines[1..].iter().map(|line| &**line));
    let parts: Vec<_> = parts.map(|part| part.trim_end_matches('\\').trim()).collect();
    let head = line[..behind + gap].to_owned();
    let key = line[indent..sign_at].trim().to_owned();
    Entry { section, key, value: Some(parts.join(" ").trim().to_owned()), head, lines: lines_at }
}

// The values of an INI file by section and key.

/// The values of an INI file, parsed once for all resources. The result depends on the sign between keys and
/// values and on whether case is ignored, so there is one for each combination that is needed.
pub struct IniValues {
    content: Vec<u8>,
    by_sign: [[OnceLock<Values>; 2]; 3],
}

type Values = HashMap<Option<String>, HashMap<String, Vec<Option<String>>>>;

impl Parsed for IniValues {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self { content: content.to_vec(), by_sign: Default::default() })
    }
}

impl IniValues {
    /// The value of each line of a key.
    pub(super) fn find(
        &self,
        sign: Sign,
        section: Option<&str>,
        key: &str,
        ignore_case: bool,
    ) -> &[Option<String>] {
        let cell = &self.by_sign[sign as usize][usize::from(ignore_case)];
        let values = cell.get_or_init(|| values(&self.content, sign, ignore_case));
        let section = section.map(|section| section_spelling(section, ignore_case).into_owned());
        let keys = values.get(&section);
        keys.and_then(|keys| keys.get(&*spelling(key, ignore_case))).map_or(&[], Vec::as_slice)
    }
}

/// The spelling by which a key is found.
fn spelling(key: &str, ignore_case: bool) -> Cow<'_, str> {
    if ignore_case { Cow::Owned(key.to_ascii_lowercase()) } else { Cow::Borrowed(key) }
}

fn values(content: &[u8], sign: Sign, ignore_case: bool) -> Values {
    let mut values = Values::new();
    for entry in Layout::of(&Document::new(content), sign).entries {
        let section = entry.section.map(|section| section_spelling(&section, ignore_case).into_owned());
        let section = values.entry(section).or_default();
        section.entry(spelling(&entry.key, ignore_case).into_owned()).or_default().push(entry.value);
    }
    values
}
