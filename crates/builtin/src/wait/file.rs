//! The kind `wait_file`.

use std::time::Duration;

use uphold_kit::pattern::Pattern;
use uphold_kit::read_only;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, EntryKind, Error, ErrorKind, Found, Look, Property, Reading,
    Resource, Result, Step, wrong_type,
};

use super::takes_time;

/// Waits until a path exists, until it does not exist, or until a file has a matching line.
///
/// It changes nothing. Its dependents wait, too; all other resources continue. Set the meta argument `timeout` to
/// limit the total time. A symbolic link at the path is not followed: it counts as existing even if it is dangling.
///
/// ```hcl
/// wait_file "/run/app.pid" {
///   every = "200ms"
/// }
///
/// wait_file "/var/log/app.log" {
///   content = "^ready"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "wait_file", also("wait_for_file", "wait_path"), claims, permanent)]
pub struct WaitFile {
    /// Path; defaults to the block's label.
    #[name]
    pub path: AbsolutePath,
    /// State to wait for: `"present"` or `"absent"`.
    #[default(Presence::Present)]
    pub state: Presence,
    /// Regular expression. Only a file with a matching line counts as present; the whole file is read at each
    /// check.
    #[also("search_regex", "regex", "match", "matches")]
    pub content: Option<Pattern>,
    /// Interval between checks.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
}

/// Whether a path exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Presence {
    /// It exists.
    Present,
    /// It does not exist.
    Absent,
}

impl Resource for WaitFile {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let found = self.find(look)?;
        let ready = found.is_present() == (self.state == Presence::Present);
        if ready { Ok(Found::This(WaitFileState {})) } else { Err(self.not_yet(&found)) }
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("wait_file")
    }
}

impl Claiming for WaitFile {
    /// Unlike other kinds, it does not provide its path: it depends on the resource that does, and on none if it
    /// waits for a removal.
    fn add_claims(&self, claims: &mut Claims) {
        *claims = Claims::default();
        if self.state == Presence::Present {
            claims.need(Claim::Path(self.path.to_path_buf()));
        }
    }
}

/// The result of a check.
enum Match {
    Nothing,
    /// A file without a matching line.
    OtherContent,
    All,
}

impl Match {
    fn is_present(&self) -> bool {
        matches!(self, Match::All)
    }
}

impl WaitFile {
    fn find(&self, host: &Reading<'_>) -> Result<Match> {
        match (host.files().look(&self.path)?, &self.content) {
            (None, _) => Ok(Match::Nothing),
            (Some(_), None) => Ok(Match::All),
            (Some(entry), Some(pattern)) if entry.kind == EntryKind::File => {
                self.search(pattern, entry.size, host)
            }
            (Some(entry), Some(_)) => {
                let error = wrong_type(&*self.path, entry.kind.words(), "a regular file");
                Err(error.hint("remove `content`, or use the path of the file itself"))
            }
        }
    }

    fn search(&self, pattern: &Pattern, size: u64, host: &Reading<'_>) -> Result<Match> {
        match host.files().read(&self.path, size) {
            Ok(content) if pattern.matches_any(&content) => Ok(Match::All),
            Ok(_) => Ok(Match::OtherContent),
            // It was removed in the meantime.
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => {
                Ok(Match::Nothing)
            }
            Err(error) => Err(error),
        }
    }

    /// The pattern may contain a secret, so no message repeats it.
    fn not_yet(&self, found: &Match) -> Error {
        let path = &self.path;
        let what = match (found, &self.content) {
            (Match::Nothing, _) => format!("{path} does not exist yet"),
            (Match::OtherContent, _) => format!("no line of {path} matches `content` yet"),
            (Match::All, None) => format!("{path} still exists"),
            (Match::All, Some(_)) => format!("a line of {path} still matches `content`"),
        };
        Error::not_yet(what, self.every)
    }
}
