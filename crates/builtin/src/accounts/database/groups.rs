//! `/etc/group`, indexed by group and by member.

use std::collections::{BTreeSet, HashMap};

use uphold_resource::{Parsed, Result};

use super::table::{Record, Table, proper_name};

/// A line of `/etc/group`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GroupRecord {
    pub(crate) name: String,
    pub(crate) gid: u32,
    pub(crate) members: BTreeSet<String>,
}

impl Record for GroupRecord {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let gid = fields.nth(1)?.parse().ok()?;
        let members = fields.next().unwrap_or_default().split(',').filter(|name| !name.is_empty());
        Some(Self { name, gid, members: members.map(str::to_owned).collect() })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> Option<u32> {
        Some(self.gid)
    }
}

/// All groups, and the groups of each user.
#[derive(Default)]
pub(crate) struct Groups {
    table: Table<GroupRecord>,
    of_user: HashMap<String, BTreeSet<String>>,
}

impl Groups {
    /// The group of this name.
    pub(crate) fn named(&self, name: &str) -> Option<&GroupRecord> {
        self.table.named(name)
    }

    /// The group with this gid.
    pub(crate) fn numbered(&self, gid: u32) -> Option<&GroupRecord> {
        self.table.numbered(gid)
    }

    /// The groups that list this user as a member. The primary group need not be one of them.
    pub(crate) fn of_user(&self, name: &str) -> BTreeSet<String> {
        self.of_user.get(name).cloned().unwrap_or_default()
    }
}

impl Parsed for Groups {
    fn parse(content: &[u8]) -> Result<Self> {
        let table = Table::<GroupRecord>::parse(content)?;
        let mut of_user: HashMap<String, BTreeSet<String>> = HashMap::new();
        for group in table.all() {
            for member in &group.members {
                of_user.entry(member.clone()).or_default().insert(group.name.clone());
            }
        }
        Ok(Self { table, of_user })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_lines() {
        let check = |line: &str, expected: Option<(&str, u32, &[&str])>| {
            let found = GroupRecord::parse(line);
            let found = found.as_ref().map(|group| {
                (group.name.as_str(), group.gid, group.members.iter().map(String::as_str).collect::<Vec<_>>())
            });
            assert_eq!(found, expected.map(|(name, gid, members)| (name, gid, members.to_vec())), "{line}");
        };
        check("wheel:x:10:bob,ann", Some(("wheel", 10, &["ann", "bob"])));
        check("empty:x:11:", Some(("empty", 11, &[])));
        check("short:x:11", Some(("short", 11, &[])));
        check("none:x", None);
    }

    #[test]
    fn groups_of_a_user() {
        let groups = Groups::parse(b"a:x:1:ann,bob\nb:x:2:\nc:x:3:ann\n").expect("the table parses");
        let check = |user: &str, expected: &[&str]| {
            assert_eq!(groups.of_user(user).iter().collect::<Vec<_>>(), expected, "{user}");
        };
        check("ann", &["a", "c"]);
        check("bob", &["a"]);
        check("cid", &[]);
    }
}
