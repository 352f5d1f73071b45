//! `wait_file`: until a path is there, is gone, or says something.

use std::time::Duration;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, EntryKind, Error, ErrorKind, Property, Reading, Resource,
    Result, Step, wrong_type,
};

use super::pace::takes_time;
use crate::line::Pattern;
use crate::script::only_looks;

/// Waits until something is at a path, until it is gone, or until a file says something.
///
/// It changes nothing. What depends on it waits with it, and everything else goes on. The meta argument
/// `timeout` says how long it waits in all. A link at the path is not followed: it is there, wherever it
/// leads.
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
    /// The path; the block's label unless set.
    #[name]
    pub path: AbsolutePath,
    /// What is waited for: "present", it is there, or "absent", it is not.
    #[default(Presence::Present)]
    pub state: Presence,
    /// A regular expression. Only a file with a line that matches it counts as present; all of the file is
    /// read at every look.
    #[also("search_regex", "regex", "match", "matches")]
    pub content: Option<Pattern>,
    /// How long to wait before the next look.
    #[also("sleep", "delay", "interval")]
    #[default("1s")]
    #[check(takes_time, "must be longer than 0s")]
    pub every: Duration,
}

/// Whether something is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Presence {
    /// It is there.
    Present,
    /// It is not.
    Absent,
}

impl Resource for WaitFile {
    fn load(&self, host: &Reading<'_>) -> Result<Option<WaitFileState>> {
        let found = self.find(host)?;
        let ready = found.is_present() == (self.state == Presence::Present);
        if ready { Ok(Some(WaitFileState {})) } else { Err(self.not_yet(&found)) }
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("wait_file")
    }
}

impl Claiming for WaitFile {
    /// What is named by a path usually provides it. This one makes nothing: it stands on whoever makes
    /// the path, and on nobody if it waits for its end.
    fn add_claims(&self, claims: &mut Claims) {
        *claims = Claims::default();
        if self.state == Presence::Present {
            claims.need(Claim::Path(self.path.to_path_buf()));
        }
    }
}

/// What a look found.
enum Found {
    Nothing,
    /// A file, none of whose lines matches.
    Silent,
    All,
}

impl Found {
    fn is_present(&self) -> bool {
        matches!(self, Found::All)
    }
}

impl WaitFile {
    fn find(&self, host: &Reading<'_>) -> Result<Found> {
        match (host.files().look(&self.path)?, &self.content) {
            (None, _) => Ok(Found::Nothing),
            (Some(_), None) => Ok(Found::All),
            (Some(entry), Some(pattern)) if entry.kind == EntryKind::File => {
                self.search(pattern, entry.size, host)
            }
            (Some(entry), Some(_)) => {
                let error = wrong_type(&*self.path, entry.kind.words(), "a regular file");
                Err(error.hint("drop `content`, or name the file itself"))
            }
        }
    }

    fn search(&self, pattern: &Pattern, size: u64, host: &Reading<'_>) -> Result<Found> {
        match host.files().read(&self.path, size) {
            Ok(content) if pattern.matches_any(&content) => Ok(Found::All),
            Ok(_) => Ok(Found::Silent),
            // It has gone since it was looked at.
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => {
                Ok(Found::Nothing)
            }
            Err(error) => Err(error),
        }
    }

    /// The pattern may hold a secret, so that no message repeats it.
    fn not_yet(&self, found: &Found) -> Error {
        let path = &self.path;
        let what = match (found, &self.content) {
            (Found::Nothing, _) => format!("{path} is not there"),
            (Found::Silent, _) => format!("no line of {path} matches `content`"),
            (Found::All, None) => format!("{path} is still there"),
            (Found::All, Some(_)) => format!("a line of {path} still matches `content`"),
        };
        Error::not_yet(what, self.every)
    }
}
