//! Keys of INI files: found, and changed in place.
//!
//! ```
//! use uphold_kit::ini::IniKey;
//!
//! let key = IniKey { section: Some("Journal"), key: "SystemMaxUse", separator: None, ignore_case: false };
//! let edited = key.put(b"[Journal]\n#SystemMaxUse=\n", &[Some("1G".to_owned())])?;
//! assert_eq!(edited, b"[Journal]\n#SystemMaxUse=\nSystemMaxUse = 1G\n");
//! # Ok::<(), uphold_kit::prelude::Error>(())
//! ```

mod layout;
pub mod ssh_block;
#[cfg(test)]
mod tests;

pub use layout::IniValues;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use crate::document::Document;
use uphold_resource::{Error, ErrorKind, Result};

use layout::{Entry, Layout, Sign, is_comment};
use ssh_block::{begins_block, section_spelling};

/// The separator if the file has no example.
const USUAL: &str = " = ";

/// One key of one section.
#[derive(Clone, Copy, Debug)]
pub struct IniKey<'a> {
    /// The section; none for keys before the first one.
    pub section: Option<&'a str>,
    /// The key.
    pub key: &'a str,
    /// The separator for a new key.
    pub separator: Option<&'a str>,
    /// Whether keys that differ only in case are the same key.
    pub ignore_case: bool,
}

impl IniKey<'_> {
    fn sign(self) -> Sign {
        Sign::of(self.separator.unwrap_or(USUAL))
    }

    /// The value of each line of the key; empty if it does not exist.
    pub fn look(self, table: &IniValues) -> Vec<Option<String>> {
        table.find(self.sign(), self.section, self.key, self.ignore_case).to_vec()
    }

    /// The lines of the key in a file.
    fn entries(self, layout: &Layout) -> impl Iterator<Item = &Entry> {
        layout.entries.iter().filter(move |entry| self.is_ours(entry))
    }

    fn is_ours(self, entry: &Entry) -> bool {
        self.is_section(entry.section.as_deref()) && self.is_key(&entry.key)
    }

    fn is_section(self, section: Option<&str>) -> bool {
        let spelling = |section| section_spelling(section, self.ignore_case);
        section == self.section || section.map(spelling) == self.section.map(spelling)
    }

    fn is_key(self, key: &str) -> bool {
        if self.ignore_case { key.eq_ignore_ascii_case(self.key) } else { key == self.key }
    }

    /// The file with these values, one line each, in place of the existing ones.
    ///
    /// # Guarantees
    /// Existing lines keep their text up to the value. All other entries stay the same, in the same order: this is
    /// checked before anything is written.
    ///
    /// # Errors
    /// If the file cannot be edited safely.
    pub fn put(self, content: &[u8], values: &[Option<String>]) -> Result<Vec<u8>> {
        let mut document = Document::new(content);
        let before = Layout::of(&document, self.sign());
        let found: Vec<&Entry> = self.entries(&before).collect();
        let blocks = marked_blocks(&document);
        self.must_be_outside(&found, values, &blocks)?;
        let kept = found.len().min(values.len());
        let removed: BTreeSet<usize> = found[kept..].iter().flat_map(|entry| entry.lines.clone()).collect();
        document.retain_numbered(|number, _| !removed.contains(&number));
        let last = found[..kept].last().copied();
        let more = values[kept..].iter().map(|value| self.line(last, &before, value));
        self.add(&mut document, &before, last, more.collect(), &blocks);
        // From the end, so that line numbers stay valid.
        for (entry, value) in found[..kept].iter().zip(values).rev() {
            if entry.value != *value {
                let line = Cow::Owned(self.line(Some(entry), &before, value).into_bytes());
                document.splice(entry.lines.start, entry.lines.end, [line].into_iter());
            }
        }
        let content = document.content();
        self.check(&before, &content, values)?;
        Ok(content)
    }

    /// A line with the indentation and separator of its siblings.
    fn line(self, like: Option<&Entry>, layout: &Layout, value: &Option<String>) -> String {
        let of_section = || layout.entries.iter().rfind(|entry| self.is_section(entry.section.as_deref()));
        let sibling = like.or_else(of_section);
        let indent = sibling.map_or("", |entry| indent(&entry.head));
        let Some(value) = value else { return format!("{indent}{}", self.key) };
        if let Some(like) = like.filter(|like| like.value.is_some()) {
            return format!("{}{value}", like.head);
        }
        let shown = sibling.into_iter().chain(&layout.entries).find_map(separator);
        let separator = self.separator.or(shown).unwrap_or(USUAL);
        format!("{indent}{}{separator}{value}", self.key)
    }

    /// Adds lines: after the last one of the key, or after a commented-out one, or at the end of the section.
    fn add(
        self,
        document: &mut Document<'_>,
        layout: &Layout,
        last: Option<&Entry>,
        mut lines: Vec<String>,
        blocks: &[Range<usize>],
    ) {
        if lines.is_empty() {
            return;
        }
        let section = layout.sections.iter().rfind(|section| self.is_section(section.name.as_deref()));
        let at = match (last, section) {
            (Some(last), _) => last.lines.end,
            (None, Some(section)) => {
                let mut lines =
                    document.lines().enumerate().take(section.lines.end).skip(section.lines.start);
                let commented = lines.rfind(|(_, line)| self.is_commented_out(line));
                let at = commented.map_or(section.lines.end, |(at, _)| at + 1);
                // Lines between the markers of a block belong to another resource.
                blocks.iter().find(|block| block.contains(&at)).map_or(at, |block| block.start)
            }
            (None, None) => {
                lines.insert(0, self.header());
                let is_apart = document.lines().next_back().is_none_or(|line| line.trim_ascii().is_empty());
                if !is_apart {
                    lines.insert(0, String::new());
                }
                document.lines().len()
            }
        };
        document.splice(at, at, lines.into_iter().map(|line| Cow::Owned(line.into_bytes())));
    }

    /// The header line of a new section.
    fn header(self) -> String {
        match self.section.unwrap_or_default() {
            block if self.sign() == Sign::Space && begins_block(block) => block.to_owned(),
            name => format!("[{name}]"),
        }
    }

    /// Whether the line is a commented-out example of the key. With white space as separator, only `#Key value` is
    /// an example: `# Key value` is prose.
    fn is_commented_out(self, line: &[u8]) -> bool {
        let line = String::from_utf8_lossy(line);
        let text = line.trim();
        let inner = text.trim_start_matches(['#', ';']);
        let inner = if self.sign() == Sign::Space { inner } else { inner.trim_start() };
        let Some((key, rest)) = inner.split_at_checked(self.key.len()) else { return false };
        let ends_key = match self.sign() {
            Sign::Space => rest.starts_with(char::is_whitespace),
            Sign::Equals | Sign::Colon => rest.trim_start().starts_with(['=', ':']),
        };
        is_comment(text) && self.is_key(key) && (rest.is_empty() || ends_key)
    }

    /// Fails if a line between the markers of a block would change, which another resource manages.
    fn must_be_outside(
        self,
        found: &[&Entry],
        values: &[Option<String>],
        blocks: &[Range<usize>],
    ) -> Result<()> {
        let stays = |at: usize, entry: &Entry| values.get(at) == Some(&entry.value);
        let is_inside = |entry: &Entry| blocks.iter().any(|block| block.contains(&entry.lines.start));
        let mut numbered = found.iter().enumerate();
        match numbered.find(|(at, entry)| is_inside(entry) && !stays(*at, entry)) {
            None => Ok(()),
            Some((_, entry)) => {
                let line = entry.lines.start + 1;
                let what =
                    format!("`{}` in line {line} is in a block that a `line` resource manages", self.key);
                Err(Error::new(ErrorKind::Rejected, what).hint("change the value in that `line` resource"))
            }
        }
    }

    fn check(self, before: &Layout, content: &[u8], values: &[Option<String>]) -> Result<()> {
        let after = Layout::of(&Document::new(content), self.sign());
        let others = |layout: &Layout| -> Vec<(Option<String>, String, Option<String>)> {
            let others = layout.entries.iter().filter(|entry| !self.is_ours(entry));
            others.map(|entry| (entry.section.clone(), entry.key.clone(), entry.value.clone())).collect()
        };
        let found = self.entries(&after).map(|entry| &entry.value);
        if others(before) == others(&after) && found.eq(values) {
            Ok(())
        } else {
            let what = format!("cannot edit `{}` safely: another entry would change, too", self.key);
            Err(Error::new(ErrorKind::Unsupported, what).hint("edit this part by hand"))
        }
    }
}

/// The lines of each block, from a marker such as `# BEGIN uphold NAME` to `# END uphold NAME`.
fn marked_blocks(document: &Document<'_>) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut begin = None;
    for (at, line) in document.lines().enumerate() {
        let line = String::from_utf8_lossy(line);
        match begin {
            None if line.contains(" BEGIN uphold ") => begin = Some(at),
            Some(start) if line.contains(" END uphold ") => {
                blocks.push(start..at + 1);
                begin = None;
            }
            _ => {}
        }
    }
    blocks
}

fn indent(head: &str) -> &str {
    &head[..head.len() - head.trim_start().len()]
}

/// The separator between the key and value of an entry.
fn separator(entry: &Entry) -> Option<&str> {
    entry.value.as_ref()?;
    let behind = entry.head.trim_start().strip_prefix(&*entry.key)?;
    // Aligned columns have more white space than a new line should get.
    let sign = behind.trim();
    let usual = format!(
        "{}{sign}{}",
        if behind.starts_with(sign) { "" } else { " " },
        if behind.ends_with(sign) { "" } else { " " }
    );
    [USUAL, "=", "= ", " =", ": ", " : ", ":", " "].into_iter().find(|known| **known == *usual)
}
