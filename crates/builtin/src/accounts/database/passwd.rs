//! A line of `/etc/passwd`.

use super::table::{Record, proper_name};

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

#[cfg(test)]
mod tests {
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
