//! Trust in files and directories, judged by their owner and mode.

const GROUP_WRITES: u32 = 0o020;
const OTHERS_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// The users who are trusted to write something.
///
/// This is the only rule for content that acts with Uphold's permissions: a file or directory is trusted if it belongs to
/// one of these users, and neither its group nor others can write it. A group without other members is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Writers(Option<[u32; 3]>);

/// The reason why a file or directory is not trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untrusted {
    /// It belongs to this user.
    Owner(u32),
    /// Users other than its owner can write it.
    Writable,
}

impl Writers {
    /// All users: for programs that run with no other permissions than their caller's.
    pub const ANY: Self = Self(None);

    /// Root and this user.
    pub fn root_and(uid: u32) -> Self {
        Self(Some([0, uid, uid]))
    }

    /// Adds another user.
    #[must_use]
    pub fn and(self, uid: u32) -> Self {
        Self(self.0.map(|[root, user, _]| [root, user, uid]))
    }

    /// The reason not to trust a file of this owner and mode; `None` if it is trusted. `is_private_group` is called only if
    /// it matters.
    pub fn doubt(&self, uid: u32, mode: u32, is_private_group: impl FnOnce() -> bool) -> Option<Untrusted> {
        if !self.0?.contains(&uid) {
            return Some(Untrusted::Owner(uid));
        }
        let is_open = mode & OTHERS_WRITE != 0 || (mode & GROUP_WRITES != 0 && !is_private_group());
        is_open.then_some(Untrusted::Writable)
    }
}

impl Untrusted {
    /// Whether a directory of this mode protects its entries all the same: in a sticky one, such as `/tmp`, only the owner of
    /// an entry can replace it. That does not protect against a link, which its owner can have moved there.
    pub fn spares_entries(self, mode: u32) -> bool {
        self == Untrusted::Writable && mode & STICKY != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distrusts_other_writers() {
        let check = |uid: u32, mode: u32, private: bool, expected: Option<Untrusted>| {
            let doubt = Writers::root_and(1000).and(1001).doubt(uid, mode, || private);
            assert_eq!(doubt, expected, "{uid} {mode:o} {private}");
        };
        check(0, 0o755, false, None);
        check(1000, 0o700, false, None);
        check(1001, 0o755, false, None);
        check(1002, 0o700, true, Some(Untrusted::Owner(1002)));
        check(1000, 0o775, true, None);
        check(1000, 0o775, false, Some(Untrusted::Writable));
        check(0, 0o777, true, Some(Untrusted::Writable));
        check(0, 0o1777, true, Some(Untrusted::Writable));
    }

    #[test]
    fn sticky_directories_protect_their_entries() {
        assert!(Untrusted::Writable.spares_entries(0o1777));
        assert!(!Untrusted::Writable.spares_entries(0o777));
        assert!(!Untrusted::Owner(7).spares_entries(0o1755));
    }
}
