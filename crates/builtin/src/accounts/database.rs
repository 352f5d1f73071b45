//! The account databases, read directly: `passwd`, `group` and `shadow`.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use uphold_resource::{Error, ErrorKind, Parsed, Reading, Result};

/// The user accounts.
pub(crate) const PASSWD: &str = "/etc/passwd";
/// The groups and their members.
pub(crate) const GROUP: &str = "/etc/group";
/// The password hashes and their aging rules.
pub(crate) const SHADOW: &str = "/etc/shadow";

/// All user accounts. The file is parsed once for all resources.
pub(crate) fn passwd(host: &Reading<'_>) -> Result<Arc<Table<PasswdRecord>>> {
    Ok(host.parsed(Path::new(PASSWD))?.unwrap_or_default())
}

/// All groups. The file is parsed once for all resources.
pub(crate) fn groups(host: &Reading<'_>) -> Result<Arc<Groups>> {
    Ok(host.parsed(Path::new(GROUP))?.unwrap_or_default())
}

/// All password entries. The file is parsed once for all resources; only root can read it.
pub(crate) fn shadow(host: &Reading<'_>) -> Result<Arc<Table<ShadowRecord>>> {
    Ok(host.parsed(Path::new(SHADOW))?.unwrap_or_default())
}

// A colon-separated account database.

/// A line of a database.
pub(crate) trait Record: Sized + Send + Sync + 'static {
    /// Parses one line; none for a comment, a NIS `+` line or a malformed line.
    fn parse(line: &str) -> Option<Self>;
    /// The account's name.
    fn name(&self) -> &str;
    /// The account's numeric id, if the database has one.
    fn id(&self) -> Option<u32>;
}

/// All records of a database. Of two records with the same name or id the first one counts, as in the C library.
pub(crate) struct Table<R> {
    records: Vec<R>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<u32, usize>,
}

impl<R> Default for Table<R> {
    fn default() -> Self {
        Self { records: Vec::new(), by_name: HashMap::new(), by_id: HashMap::new() }
    }
}

impl<R: Record> Table<R> {
    /// The record with this name.
    pub(crate) fn named(&self, name: &str) -> Option<&R> {
        self.by_name.get(name).and_then(|at| self.records.get(*at))
    }

    /// The record with this id.
    pub(crate) fn numbered(&self, id: u32) -> Option<&R> {
        self.by_id.get(&id).and_then(|at| self.records.get(*at))
    }

    /// Fails if another account has this id. `words`: the account and its id, as in `["user", "uid"]`.
    pub(crate) fn check_free(&self, name: &str, id: u32, words: [&str; 2]) -> Result<()> {
        let own = self.named(name).is_some_and(|own| own.id() == Some(id));
        let Some(other) = self.numbered(id).filter(|other| !own && other.name() != name) else {
            return Ok(());
        };
        let ([account, property], other) = (words, other.name());
        let what = format!(
            "the {property} {id} of the {account} `{name}` is already used by the {account} `{other}`"
        );
        let hint = format!("choose another `{property}`, or set `non_unique = true`");
        Err(Error::new(ErrorKind::Invalid, what).hint(hint))
    }

    /// All records, in file order.
    pub(crate) fn all(&self) -> &[R] {
        &self.records
    }
}

impl<R: Record> FromIterator<R> for Table<R> {
    fn from_iter<I: IntoIterator<Item = R>>(records: I) -> Self {
        let mut table = Self::default();
        for record in records {
            let at = table.records.len();
            table.by_name.entry(record.name().to_owned()).or_insert(at);
            if let Some(id) = record.id() {
                table.by_id.entry(id).or_insert(at);
            }
            table.records.push(record);
        }
        table
    }
}

impl<R: Record> Parsed for Table<R> {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(records(content).collect())
    }
}

/// The records of a file. Malformed lines are skipped, and invalid UTF-8 in one line does not affect the others.
pub(crate) fn records<R: Record>(content: &[u8]) -> impl Iterator<Item = R> {
    content.split(|byte| *byte == b'\n').filter_map(|line| R::parse(&String::from_utf8_lossy(line)))
}

/// Returns the name unless the line is a comment or a NIS entry.
fn proper_name(name: &str) -> Option<String> {
    let usable = !name.is_empty() && !name.starts_with(['+', '-', '#']);
    usable.then(|| name.to_owned())
}

// A line of `/etc/passwd`.

/// A user account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PasswdRecord {
    pub(crate) name: String,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) comment: String,
    pub(crate) home: String,
    pub(crate) shell: String,
}

impl Record for PasswdRecord {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let uid = fields.nth(1)?.parse().ok()?;
        let gid = fields.next()?.parse().ok()?;
        let comment = fields.next()?.to_owned();
        let home = fields.next()?.to_owned();
        let shell = fields.next().unwrap_or_default().to_owned();
        Some(Self { name, uid, gid, comment, home, shell })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> Option<u32> {
        Some(self.uid)
    }
}

// A line of `/etc/shadow`.

/// The prefix of a locked password hash.
const LOCK: char = '!';

/// The hash that no password matches.
pub(crate) const UNUSABLE_PASSWORD: &str = "*";

/// The password and aging fields of an account. Limits are in days; none means no limit.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ShadowRecord {
    pub(crate) name: String,
    field: String,
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
    pub(crate) warn: Option<u32>,
    pub(crate) inactive: Option<u32>,
    /// The day on which the account expires, in days since 1970-01-01.
    pub(crate) expires: Option<u32>,
}

impl ShadowRecord {
    /// The hash without its lock prefix. An empty hash lets anybody in without a password, so an account that is
    /// locked and has no password is reported as having an unusable one.
    pub(crate) fn hash(&self) -> &str {
        match self.field.trim_start_matches(LOCK) {
            "" if self.is_locked() => UNUSABLE_PASSWORD,
            hash => hash,
        }
    }

    /// Whether the password field equals `field`.
    pub(crate) fn is_field(&self, field: &str) -> bool {
        self.field == field
    }

    /// Whether password login is locked.
    pub(crate) fn is_locked(&self) -> bool {
        self.field.starts_with(LOCK)
    }
}

impl Record for ShadowRecord {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let field = fields.next()?.to_owned();
        // The field skipped here is the day of the last password change, which is not managed.
        let mut days = fields.skip(1).map(|days| days.parse().ok());
        let mut next = || days.next().flatten();
        Some(Self { name, field, min: next(), max: next(), warn: next(), inactive: next(), expires: next() })
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> Option<u32> {
        None
    }
}

// `/etc/group`, indexed by group and by member.

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
    pub(crate) table: Table<GroupRecord>,
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
mod table_tests {
    use super::GroupRecord;
    use super::*;

    #[test]
    fn first_of_two_counts_and_invalid_utf8_is_skipped() {
        let table =
            Table::<GroupRecord>::parse(b"a:x:1:\n\xff\xfe:x:9:\nb:x:1:\na:x:2:").expect("the table parses");
        assert_eq!(table.named("a").map(|group| group.gid), Some(1));
        assert_eq!(table.numbered(1).map(|group| group.name.as_str()), Some("a"));
        assert_eq!(table.named("b").map(|group| group.gid), Some(1));
        assert!(table.named("c").is_none());
        assert_eq!(table.all().len(), 4);
    }
}

#[cfg(test)]
mod passwd_tests {
    use super::*;

    #[test]
    fn parses_lines() {
        let check = |line: &str, expected: Option<(&str, u32, u32, &str, &str, &str)>| {
            let found = PasswdRecord::parse(line);
            let found = found.as_ref().map(|r| {
                (r.name.as_str(), r.uid, r.gid, r.comment.as_str(), r.home.as_str(), r.shell.as_str())
            });
            assert_eq!(found, expected, "{line}");
        };
        check("root:x:0:7:Root,,,:/root:/bin/bash", Some(("root", 0, 7, "Root,,,", "/root", "/bin/bash")));
        check("a:x:1:2::/h", Some(("a", 1, 2, "", "/h", "")));
        check("a:x:1:2:", None);
        check("a:x:one:2::/h:/s", None);
        check("+::::::", None);
        check("# a comment", None);
        check("", None);
    }
}

#[cfg(test)]
mod shadow_tests {
    use super::*;

    #[test]
    fn days() {
        let check = |line: &str, expected: [Option<u32>; 5]| {
            let found = ShadowRecord::parse(line).map(|r| [r.min, r.max, r.warn, r.inactive, r.expires]);
            assert_eq!(found, Some(expected), "{line}");
        };
        check("a:!:20773:0:99999:7:3:21916:", [Some(0), Some(99999), Some(7), Some(3), Some(21916)]);
        check("a:!:20773::::::", [None; 5]);
        check("a:*:20773:0:99999:7:::", [Some(0), Some(99999), Some(7), None, None]);
        check("a:*", [None; 5]);
        assert!(ShadowRecord::parse("a").is_none());
    }

    #[test]
    fn passwords() {
        let check = |field: &str, hash: &str, locked: bool| {
            let found = ShadowRecord::parse(&format!("a:{field}:1:0:9:7:::")).expect("it is a line");
            assert_eq!((found.hash(), found.is_locked()), (hash, locked), "{field}");
        };
        check("$6$a$b", "$6$a$b", false);
        check("!$6$a$b", "$6$a$b", true);
        check("!!", "*", true);
        check("!", "*", true);
        check("!*", "*", true);
        check("*", "*", false);
        check("", "", false);
    }
}

#[cfg(test)]
mod groups_tests {
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
