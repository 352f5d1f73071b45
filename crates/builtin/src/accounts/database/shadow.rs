//! A line of `/etc/shadow`.

use super::table::{Record, proper_name};

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

#[cfg(test)]
mod tests {
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
