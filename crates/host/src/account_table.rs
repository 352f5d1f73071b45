//! The content of an account file: `passwd` or `group`.

use std::path::PathBuf;

use rustc_hash::FxHashMap;
use uphold_resource::{Group, User};

/// A line of an account file.
pub(crate) trait Record: Clone + Send + Sync {
    /// The name of the file and of the `getent` database, such as `passwd`.
    const DATABASE: &'static str;
    /// Parses a line; `None` for a comment, a NIS `+` or an invalid line.
    fn parse(line: &str) -> Option<Self>;
    /// Its name.
    fn name(&self) -> &str;
    /// Its id.
    fn id(&self) -> u32;
}

impl Record for User {
    const DATABASE: &'static str = "passwd";

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        let home = PathBuf::from(fields.nth(1)?);
        let shell = PathBuf::from(fields.next().unwrap_or_default());
        Some(User { name, uid, gid, home, shell })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> u32 {
        self.uid
    }
}

impl Record for Group {
    const DATABASE: &'static str = "group";

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let gid = fields.nth(1)?.parse().ok()?;
        let members = fields.next().unwrap_or_default().split(',').filter(|name| !name.is_empty());
        Some(Group { name, gid, members: members.map(str::to_owned).collect() })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> u32 {
        self.gid
    }
}

fn proper_name(name: &str) -> Option<String> {
    let usable = !name.is_empty() && !name.starts_with(['+', '-', '#']);
    usable.then(|| name.to_owned())
}

/// All records of a file. Of two with the same name or id the first counts, as in the C library.
pub(crate) struct AccountTable<T> {
    records: Vec<T>,
    by_name: FxHashMap<String, usize>,
    by_id: FxHashMap<u32, usize>,
}

impl<T> Default for AccountTable<T> {
    fn default() -> Self {
        Self { records: Vec::new(), by_name: FxHashMap::default(), by_id: FxHashMap::default() }
    }
}

impl<T: Record> AccountTable<T> {
    /// Parses a whole file. Invalid bytes do not hide the other lines.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let mut table = Self::default();
        for record in String::from_utf8_lossy(text).lines().filter_map(T::parse) {
            let index = table.records.len();
            table.by_name.entry(record.name().to_owned()).or_insert(index);
            table.by_id.entry(record.id()).or_insert(index);
            table.records.push(record);
        }
        table
    }

    /// The records that can be found by name.
    pub(crate) fn distinct(&self) -> impl Iterator<Item = &T> {
        self.by_name.values().filter_map(|index| self.records.get(*index))
    }

    /// The record with this key.
    pub(crate) fn find(&self, key: Key<'_>) -> Option<&T> {
        let index = match key {
            Key::Name(name) => self.by_name.get(name)?,
            Key::Id(id) => self.by_id.get(&id)?,
        };
        self.records.get(*index)
    }
}

/// The key of a record.
#[derive(Clone, Copy)]
pub(crate) enum Key<'a> {
    /// Its name.
    Name(&'a str),
    /// Its id.
    Id(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_users() {
        let check = |line: &str, expected: Option<(&str, u32, u32, &str, &str)>| {
            let found = User::parse(line);
            let found = found.as_ref().map(|user| {
                let (home, shell) = (user.home.to_str().unwrap(), user.shell.to_str().unwrap());
                (user.name.as_str(), user.uid, user.gid, home, shell)
            });
            assert_eq!(found, expected, "{line}");
        };
        check("root:x:0:0:root:/root:/bin/bash", Some(("root", 0, 0, "/root", "/bin/bash")));
        check("a:x:1:2::/h:", Some(("a", 1, 2, "/h", "")));
        check("a:x:1:2::/h", Some(("a", 1, 2, "/h", "")));
        check("a:x:one:2::/h:/s", None);
        check("a:x:-1:2::/h:/s", None);
        check("a:x:4294967296:2::/h:/s", None);
        check("+::::::", None);
        check("# a comment", None);
        check(":x:1:2::/h:/s", None);
        check("", None);
    }

    #[test]
    fn parses_groups() {
        let check = |line: &str, expected: Option<(&str, u32, &[&str])>| {
            let found = Group::parse(line);
            let found = found.map(|group| (group.name, group.gid, group.members));
            let expected = expected.map(|(name, gid, members)| {
                (name.to_owned(), gid, members.iter().map(|&member| member.to_owned()).collect())
            });
            assert_eq!(found, expected, "{line}");
        };
        check("wheel:x:10:ann,bob", Some(("wheel", 10, &["ann", "bob"])));
        check("empty:x:11:", Some(("empty", 11, &[])));
        check("short:x:11", Some(("short", 11, &[])));
        check("none:x", None);
    }

    #[test]
    fn the_first_of_two_counts_and_invalid_bytes_hide_nothing() {
        let table = AccountTable::<Group>::parse(b"a:x:1:\n\xff\xfe:x:9:\nb:x:1:\na:x:2:\n");
        assert_eq!(table.find(Key::Name("a")).map(|group| group.gid), Some(1));
        assert_eq!(table.find(Key::Id(1)).map(|group| group.name.as_str()), Some("a"));
        assert_eq!(table.find(Key::Name("b")).map(|group| group.gid), Some(1));
        assert!(table.find(Key::Name("c")).is_none());
    }
}
