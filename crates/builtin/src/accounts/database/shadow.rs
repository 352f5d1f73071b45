//! A line of `/etc/shadow`.

use super::table::{Record, proper_name};

/// What a locked password begins with.
const LOCK: char = '!';

/// The hash of a password that nobody has.
pub(crate) const NOBODYS: &str = "*";

/// The password of an account, and how long it is good for. Days are counted; none is no limit.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ShadowRecord {
    pub(crate) name: String,
    field: String,
    pub(crate) min: Option<u32>,
    pub(crate) max: Option<u32>,
    pub(crate) warn: Option<u32>,
    pub(crate) inactive: Option<u32>,
    /// The first day on which the account cannot be used, counted from 1970-01-01.
    pub(crate) expires: Option<u32>,
}

impl ShadowRecord {
    /// The hash, whether it is locked or not. Empty is the password that everybody has; an account that is locked without
    /// a password has one that nobody has.
    pub(crate) fn hash(&self) -> &str {
        match self.field.trim_start_matches(LOCK) {
            "" if self.is_locked() => NOBODYS,
            hash => hash,
        }
    }

    /// Whether the password field is exactly this.
    pub(crate) fn is_field(&self, field: &str) -> bool {
        self.field == field
    }

    /// Whether a login by password is locked.
    pub(crate) fn is_locked(&self) -> bool {
        self.field.starts_with(LOCK)
    }
}

impl Record for ShadowRecord {
    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(':');
        let name = proper_name(fields.next()?)?;
        let field = fields.next()?.to_owned();
        // When the password was last changed is nobody's wish.
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
