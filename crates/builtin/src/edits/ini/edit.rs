//! Editing the entries of one key.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use uphold_kit::document::Document;
use uphold_resource::{Error, ErrorKind, Result};

use super::layout::{Entry, Layout, Sign, Table, is_comment};
use super::ssh_block::{begins_block, section_spelling};

/// The separator if the file has no example.
const USUAL: &str = " = ";

/// One key of one section.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) section: Option<&'a str>,
    pub(super) key: &'a str,
    /// The separator for a new key.
    pub(super) separator: Option<&'a str>,
    /// Whether keys that differ only in case are the same key.
    pub(super) ignore_case: bool,
}

impl Place<'_> {
    fn sign(self) -> Sign {
        Sign::of(self.separator.unwrap_or(USUAL))
    }

    /// The value of each line of the key; empty if it does not exist.
    pub(super) fn look(self, table: &Table) -> Vec<Option<String>> {
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
    pub(super) fn put(self, content: &[u8], values: &[Option<String>]) -> Result<Vec<u8>> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use uphold_resource::Parsed;

    fn table(text: &str) -> Table {
        Table::parse(text.as_bytes()).expect("every text parses")
    }

    fn text(content: Result<Vec<u8>>) -> String {
        content.map_or_else(|error| error.chain(), |text| String::from_utf8_lossy(&text).into_owned())
    }

    /// Sets these values, finds them again, and checks that setting them twice changes nothing.
    #[track_caller]
    fn check_with(place: Place<'_>, before: &str, values: &[&str], after: &str) {
        let values: Vec<_> = values.iter().map(|value| Some((*value).to_owned())).collect();
        let edited = text(place.put(before.as_bytes(), &values));
        assert_eq!(edited, after, "{before:?}");
        assert_eq!(place.look(&table(&edited)), values);
        assert_eq!(text(place.put(edited.as_bytes(), &values)), after);
    }

    fn place<'a>(section: &'a str, key: &'a str) -> Place<'a> {
        Place {
            section: Some(section).filter(|section| !section.is_empty()),
            key,
            separator: None,
            ignore_case: false,
        }
    }

    #[track_caller]
    fn check(before: &str, section: &str, key: &str, values: &[&str], after: &str) {
        check_with(place(section, key), before, values, after);
    }

    #[test]
    fn replaces_values_in_place() {
        check("[a]\nk=1\nl = 2\n", "a", "k", &["9"], "[a]\nk=9\nl = 2\n");
        check("[a]\r\n  k\t=  1\r\n", "a", "k", &["9"], "[a]\r\n  k\t=  9\r\n");
        check("k = 1\n[a]\nk = 2\n[b]\nk = 3\n", "a", "k", &["9"], "k = 1\n[a]\nk = 9\n[b]\nk = 3\n");
        check("k = 1\n[a]\nk = 2\n", "", "k", &["9"], "k = 9\n[a]\nk = 2\n");
        check("[a]\nk = a=b # c\n", "a", "k", &["x"], "[a]\nk = x\n");
        check("[a]\nk = \"é\"", "a", "k", &["x"], "[a]\nk = x");
        check("[a]\nk =\n", "a", "k", &["x"], "[a]\nk =x\n");
        check("[a]\nk = 1 \\\n  2 \\\n  3\nl = 4\n", "a", "k", &["9"], "[a]\nk = 9\nl = 4\n");
        check("[a]\nk = 1 \\\n  2\n", "a", "k", &["1 2"], "[a]\nk = 1 \\\n  2\n");
        check(
            "[remote \"origin\"]\n\turl = x\n",
            "remote \"origin\"",
            "url",
            &["y"],
            "[remote \"origin\"]\n\turl = y\n",
        );
        check("[a] # the first\nk = 1\n", "a", "k", &["2"], "[a] # the first\nk = 2\n");
        check("[a]\nK = 1\n", "a", "k", &["2"], "[a]\nK = 1\nk = 2\n");
    }

    #[test]
    fn new_keys_look_like_their_siblings() {
        check("", "", "k", &["1"], "k = 1\n");
        check("", "a", "k", &["1"], "[a]\nk = 1\n");
        check("[a]\nx=1\n", "a", "k", &["1"], "[a]\nx=1\nk=1\n");
        check("[a]\n\tx = 1\n\n[b]\ny = 1\n", "a", "k", &["1"], "[a]\n\tx = 1\n\tk = 1\n\n[b]\ny = 1\n");
        check("x=1\n", "b", "k", &["1"], "x=1\n\n[b]\nk=1\n");
        check("x = 1\n\n", "b", "k", &["1"], "x = 1\n\n[b]\nk = 1\n");
        check("# top\n[a]\nx = 1\n", "", "k", &["1"], "# top\nk = 1\n[a]\nx = 1\n");
        check("[a]\n#k = 1\nx = 1\n", "a", "k", &["1"], "[a]\n#k = 1\nk = 1\nx = 1\n");
        check("[a]\n; kk = 1\nx = 1\n", "a", "k", &["1"], "[a]\n; kk = 1\nx = 1\nk = 1\n");
        check("[a]\nx = 1\n[b]\n[a]\ny = 1\n", "a", "k", &["1"], "[a]\nx = 1\n[b]\n[a]\ny = 1\nk = 1\n");
        check("[a]\nlong      = 1", "a", "k", &["1"], "[a]\nlong      = 1\nk = 1");
    }

    #[test]
    fn a_key_can_have_several_lines() {
        check("[a]\nk = 1\nx = 1\nk = 2\n", "a", "k", &["1", "3"], "[a]\nk = 1\nx = 1\nk = 3\n");
        check("[a]\nk = 1\nx = 1\n", "a", "k", &["1", "2", "3"], "[a]\nk = 1\nk = 2\nk = 3\nx = 1\n");
        check("[a]\nk = 1\nx = 1\nk = 2\nk = 3\n", "a", "k", &["9"], "[a]\nk = 9\nx = 1\n");
        check("[a]\nk = 1\nk = 2\n", "a", "k", &[], "[a]\n");
        check("[a]\nk = 1", "a", "k", &[], "[a]");
    }

    #[test]
    fn a_key_can_have_no_value() {
        let bare = |before: &str, after: &str| {
            let mysqld = place("mysqld", "skip-networking");
            assert_eq!(text(mysqld.put(before.as_bytes(), &[None])), after);
            assert_eq!(mysqld.look(&table(after)), [None]);
        };
        bare("[mysqld]\nport = 1\n", "[mysqld]\nport = 1\nskip-networking\n");
        bare("[mysqld]\nskip-networking = 1\n", "[mysqld]\nskip-networking\n");
        bare("[mysqld]\nskip-networking\n", "[mysqld]\nskip-networking\n");
        check("[a]\nk\nx=1\n", "a", "k", &["1"], "[a]\nk=1\nx=1\n");
    }

    #[test]
    fn supports_declared_separators() {
        let with = |separator, before: &str, after: &str| {
            let place = Place { separator: Some(separator), ..place("", "key") };
            check_with(place, before, &["v=w"], after);
        };
        with(": ", "key: old\n", "key: v=w\n");
        with(": ", "", "key: v=w\n");
        with(" ", "# x\nkey   old\n", "# x\nkey   v=w\n");
        with(" ", "Key old\n", "Key old\nkey v=w\n");
        with("=", "other = 1\n", "other = 1\nkey=v=w\n");
    }

    #[test]
    fn keys_of_ssh_go_before_the_first_block() {
        let ssh = |section, before: &str, after: &str| {
            let place = Place { separator: Some(" "), ..place(section, "X11Forwarding") };
            check_with(place, before, &["no"], after);
        };
        ssh(
            "",
            "Port 22\n\nMatch User ann\n  X11Forwarding yes\n",
            "Port 22\nX11Forwarding no\n\nMatch User ann\n  X11Forwarding yes\n",
        );
        ssh("", "Match all\n\tPort 1\n", "X11Forwarding no\nMatch all\n\tPort 1\n");
        ssh("", "host *\n", "X11Forwarding no\nhost *\n");
        let example =
            "#X11Forwarding yes\nPort 22\n# X11Forwarding is prose\n#Match User x\n#\tX11Forwarding no\n";
        ssh("", example, &example.replacen("yes\n", "yes\nX11Forwarding no\n", 1));
        ssh(
            "Match User ann",
            "Match User ann\n  X11Forwarding yes\n",
            "Match User ann\n  X11Forwarding no\n",
        );
        ssh("Match User ann", "Port 22\n", "Port 22\n\nMatch User ann\nX11Forwarding no\n");
        // With another separator these are ordinary keys.
        check("Match = a\nk = 1\n", "", "k", &["2"], "Match = a\nk = 2\n");
    }

    /// The first line of a key is in force, however it is spelled.
    #[test]
    fn case_can_be_ignored() {
        let ssh = |before: &str, after: &str| {
            let place = Place { separator: Some(" "), ignore_case: true, ..place("", "UsePAM") };
            check_with(place, before, &["no"], after);
        };
        ssh("usepam yes\nPort 22\n", "usepam no\nPort 22\n");
        ssh("USEPAM no\n", "USEPAM no\n");
        ssh("usepam yes\nPort 22\nUsePAM no\n", "usepam no\nPort 22\n");
        ssh("#usepam yes\nPort 22\n", "#usepam yes\nUsePAM no\nPort 22\n");
        ssh("UsePAMs yes\nÜsePAM x\n", "UsePAMs yes\nÜsePAM x\nUsePAM no\n");
    }

    #[test]
    fn blocks_of_ssh_are_found_in_any_case() {
        let ssh = |section: &'static str, before: &str, after: &str| {
            let place = Place { separator: Some(" "), ignore_case: true, ..place(section, "UsePAM") };
            check_with(place, before, &["no"], after);
        };
        ssh("Match User ann", "match  user ann\n  usepam yes\n", "match  user ann\n  usepam no\n");
        ssh("Host *", "host *\n  UsePAM yes\n", "host *\n  UsePAM no\n");
        ssh("match ALL User ann", "Match all USER ann\nX 1\n", "Match all USER ann\nX 1\nUsePAM no\n");
        ssh("Match User Ann", "Match User ann\n", "Match User ann\n\nMatch User Ann\nUsePAM no\n"); // a user name
    }

    #[test]
    fn keeps_blocks_of_line_resources() {
        let space = Place { separator: Some(" "), ..place("", "Banner") };
        let marked = "Port 22\n# BEGIN uphold x\nMatch User ann\n  Banner none\n# END uphold x\n";
        check_with(space, marked, &["no"], &marked.replacen("22\n", "22\nBanner no\n", 1));
        let inside = "# BEGIN uphold x\nBanner none\n# END uphold x\n";
        let refused = text(space.put(inside.as_bytes(), &[Some("no".to_owned())]));
        assert_eq!(refused, "`Banner` in line 2 is in a block that a `line` resource manages");
        assert_eq!(text(space.put(inside.as_bytes(), &[Some("none".to_owned())])), inside);
    }
}
