//! The lines of `/etc/hosts`.

use std::borrow::Cow;
use std::collections::HashMap;
use std::net::IpAddr;

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

/// A line of a host.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) ip: IpAddr,
    pub(super) name: String,
    pub(super) aliases: Vec<String>,
    /// The text of the comment; empty if there is none.
    pub(super) comment: String,
    /// The white space between address and name.
    gap: String,
    /// The white space before the comment.
    comment_gap: String,
}

impl Row {
    /// A new line, formatted as on Debian.
    pub(super) fn new(ip: IpAddr, name: &str) -> Self {
        let (name, aliases) = (name.to_owned(), Vec::new());
        Self { ip, name, aliases, comment: String::new(), gap: "\t".to_owned(), comment_gap: " ".to_owned() }
    }

    /// Parses a line; none if it has no host.
    fn of(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let (fields, comment) = line.split_once('#').unwrap_or((&line, ""));
        let start = fields.trim_start();
        let (ip, rest) = start.split_once([' ', '\t'])?;
        let names = rest.trim_start();
        let gap = format!("{}{}", &start[ip.len()..ip.len() + 1], &rest[..rest.len() - names.len()]);
        let comment_gap = names[names.trim_end().len()..].to_owned();
        let mut names = names.split_ascii_whitespace().map(str::to_owned);
        let (ip, name) = (ip.parse().ok()?, names.next()?);
        let comment = comment.trim().to_owned();
        Some(Self { ip, name, aliases: names.collect(), comment, gap, comment_gap })
    }

    fn is(&self, name: &str, family: Option<IpAddr>) -> bool {
        self.name == name && family.is_none_or(|ip| ip.is_ipv4() == self.ip.is_ipv4())
    }

    fn text(&self) -> String {
        let aliases: String = self.aliases.iter().map(|alias| format!(" {alias}")).collect();
        let comment = match &*self.comment {
            "" => String::new(),
            comment if self.comment_gap.is_empty() => format!(" # {comment}"),
            comment => format!("{}# {comment}", self.comment_gap),
        };
        format!("{}{}{}{aliases}{comment}", self.ip, self.gap, self.name)
    }
}

/// The lines by host name, parsed once for all resources.
pub(super) struct HostsTable(HashMap<String, Vec<Row>>);

impl Parsed for HostsTable {
    fn parse(content: &[u8]) -> Result<Self> {
        let mut rows: HashMap<String, Vec<Row>> = HashMap::new();
        for row in Document::new(content).lines().filter_map(Row::of) {
            rows.entry(row.name.clone()).or_default().push(row);
        }
        Ok(Self(rows))
    }
}

impl HostsTable {
    /// The first line with this name; with an address, the first of the same family.
    pub(super) fn find(&self, name: &str, family: Option<IpAddr>) -> Option<&Row> {
        self.0.get(name)?.iter().find(|row| row.is(name, family))
    }
}

/// The first line with this name, and its number; with an address, the first of the same family.
pub(super) fn find(document: &Document<'_>, name: &str, family: Option<IpAddr>) -> Option<(usize, Row)> {
    let rows = document.lines().enumerate().filter_map(|(at, line)| Some((at, Row::of(line)?)));
    rows.into_iter().find(|(_, row)| row.is(name, family))
}

/// The file with `row` in place of line `at`, or at the end.
pub(super) fn put(content: &[u8], at: Option<usize>, row: &Row) -> Vec<u8> {
    let mut document = Document::new(content);
    let (start, end) = match at {
        Some(at) => (at, at + 1),
        None => (document.lines().len(), document.lines().len()),
    };
    document.splice(start, end, [Cow::Owned(row.text().into_bytes())].into_iter());
    document.content()
}

/// The file without the lines of this name; with an address, only those of the same family are removed.
pub(super) fn remove(content: &[u8], name: &str, family: Option<IpAddr>) -> Vec<u8> {
    let mut document = Document::new(content);
    document.retain(|line| !Row::of(line).is_some_and(|row| row.is(name, family)));
    document.content()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lines() {
        let check = |line: &str, expected: Option<&str>| {
            let row = Row::of(line.as_bytes());
            let shown = row.map(|row| format!("{} {} {:?} {:?}", row.ip, row.name, row.aliases, row.comment));
            assert_eq!(shown.as_deref(), expected, "{line:?}");
        };
        check("127.0.0.1\tlocalhost", Some("127.0.0.1 localhost [] \"\""));
        check("  ::1  a b\tc #  why", Some("::1 a [\"b\", \"c\"] \"why\""));
        check("# 127.0.0.1 localhost", None);
        check("127.0.0.1 # localhost", None);
        check("127.0.0.1", None);
        check("fe80::1%eth0 a", None);
        check("", None);
    }

    #[test]
    fn lines_keep_their_white_space() {
        let check = |line: &str, change: fn(&mut Row), expected: &str| {
            let mut row = Row::of(line.as_bytes()).expect("a line that names a host");
            change(&mut row);
            assert_eq!(row.text(), expected, "{line:?}");
        };
        check("127.0.0.1 \t a  b   # why", |_| {}, "127.0.0.1 \t a b   # why");
        check("127.0.0.1 a#why", |row| row.comment = "so".to_owned(), "127.0.0.1 a # so");
        check("127.0.0.1 a # why", |row| row.comment.clear(), "127.0.0.1 a");
        check("127.0.0.1\ta", |row| row.aliases = vec!["b".to_owned()], "127.0.0.1\ta b");
    }

    #[test]
    fn address_families_are_separate() {
        let file = "127.0.0.1 localhost\n::1 localhost ip6-localhost\n10.0.0.1 localhost\n";
        let document = Document::new(file.as_bytes());
        let at = |ip: Option<&str>| {
            find(&document, "localhost", ip.map(|ip| ip.parse().unwrap())).map(|(at, _)| at)
        };
        assert_eq!((at(None), at(Some("::2")), at(Some("1.1.1.1"))), (Some(0), Some(1), Some(0)));
        let left = remove(file.as_bytes(), "localhost", Some("::9".parse().unwrap()));
        assert_eq!(String::from_utf8_lossy(&left), "127.0.0.1 localhost\n10.0.0.1 localhost\n");
        assert_eq!(remove(file.as_bytes(), "localhost", None), b"");
        assert_eq!(remove(file.as_bytes(), "ip6-localhost", None), file.as_bytes());
    }
}
