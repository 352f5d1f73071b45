//! The view of a run that a visit has.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use uphold_model::{Action, Attribute, Declaration, Moment, ResourceId};

use crate::error::Result;
use crate::registry::Registry;
use crate::stop::Stop;

use super::Command;

/// The importance of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Details for troubleshooting.
    Debug,
    /// Useful information.
    Info,
    /// A possible problem.
    Warning,
}

/// The queries that a visit can make of its run. The default methods are for use outside a run.
pub trait RunView: Sync {
    /// Reports something to the user.
    fn report(&self, level: Level, text: &str) {
        let _ = (level, text);
    }

    /// Whether another resource refers to a property, or it is read directly.
    fn needs(&self, property: &str) -> bool {
        let _ = property;
        true
    }

    /// Whether a property was computed from a secret.
    fn holds_secret(&self, property: &str) -> bool {
        let _ = property;
        false
    }

    /// Whether the resource is declared as sensitive, or any of its properties was computed from a secret.
    fn is_sensitive(&self) -> bool {
        false
    }

    /// The run, for kinds that declare nested resources.
    fn around(&self) -> Option<&dyn Around> {
        None
    }

    /// Whether a resource of this run creates `path`.
    fn provides(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run writes a secret to `path`, or may do so because it fills a directory above it.
    fn is_secret_path(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether `path` or something below it belongs to a resource of this run.
    fn manages(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Whether a resource of this run manages `path` with its whole content, as for a checkout or a home directory.
    fn manages_contents(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Checks a command before it is run.
    ///
    /// # Errors
    /// If it would expose a secret.
    fn check_command(&self, command: &Command) -> Result<()> {
        let _ = command;
        Ok(())
    }
}

/// The view outside a run.
pub struct NoRun;

impl RunView for NoRun {}

// The parent run of a nested run.

/// The run that a visit belongs to, for kinds that declare nested resources.
pub trait Around: Sync {
    /// The known kinds.
    fn kinds(&self) -> &Registry;

    /// The request to end the run early.
    fn stop(&self) -> &Stop;

    /// The nesting depth of the visit; 1 at the top.
    fn depth(&self) -> usize;

    /// The declaration of this id, in this run or in a parent run.
    fn find(&self, id: &ResourceId) -> Option<Declaration>;

    /// The address of the declared resource with the most similar id, as a suggestion.
    fn nearest(&self, id: &ResourceId) -> Option<String> {
        let _ = id;
        None
    }

    /// Overrides properties of a declared resource; false if the id is not declared.
    ///
    /// # Errors
    /// If the resource cannot be changed any more.
    fn edit(&self, id: &ResourceId, attributes: Vec<Attribute>) -> Result<bool>;

    /// Notifies a declared resource; false if the id is not declared. A notification that is delivered before or immediately
    /// returns when the action has ended.
    ///
    /// # Errors
    /// If the resource has no such action; if the action runs before or immediately, and fails or cannot run.
    fn notify(&self, notification: &NestedNotification<'_>) -> Result<bool>;
}

/// A notification from a nested resource.
#[derive(Clone, Copy, Debug)]
pub struct NestedNotification<'a> {
    /// The notified resource.
    pub id: &'a ResourceId,
    /// Its action.
    pub action: &'a Action,
    /// When it runs.
    pub moment: Moment,
    /// Whether the sender only predicts its effects.
    pub tries: bool,
    /// Whether it is delivered. A plan runs a nested resource twice, as a prediction and on an overlay, and only one of the
    /// two counts; the other only checks that the resource is declared.
    pub counts: bool,
}

// Names of files that Uphold stores beside another file.

/// The longest file name on Linux.
const LONGEST_NAME: usize = 255;

/// The name of a file that Uphold stores beside `name`: `.NAME.uphold-SUFFIX`.
///
/// If that is too long, the end of the name is replaced by `~` and a digest of the whole name, so that different names
/// have different siblings.
pub fn sibling_name(name: &OsStr, suffix: &str) -> OsString {
    let ending = format!(".uphold-{suffix}");
    let name = name.as_bytes();
    let room = LONGEST_NAME - 1 - ending.len();
    let shown = if name.len() <= room {
        name.to_vec()
    } else {
        let digest = format!("~{:016x}", digest(name));
        [&name[..room - digest.len()], digest.as_bytes()].concat()
    };
    OsString::from_vec([b".", shown.as_slice(), ending.as_bytes()].concat())
}

/// FNV-1a. It must stay the same in every version, so that files of earlier runs are found.
fn digest(name: &[u8]) -> u64 {
    name.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_names_are_kept_whole() {
        assert_eq!(sibling_name(OsStr::new("motd"), "backup-2"), ".motd.uphold-backup-2");
        let longest = "x".repeat(255 - 1 - ".uphold-partial".len());
        let expected = format!(".{longest}.uphold-partial");
        assert_eq!(sibling_name(OsStr::new(&longest), "partial"), &*expected);
    }

    #[test]
    fn long_names_that_differ_at_the_end_have_different_siblings() {
        let name = |end: &str| sibling_name(OsStr::new(&("x".repeat(251) + end)), "partial");
        assert_eq!(name("AAAA").len(), 255);
        assert_eq!(name("AAAA"), name("AAAA"));
        assert_ne!(name("AAAA"), name("AAAB"));
        assert!(name("AAAA").as_bytes().ends_with(b".uphold-partial"));
    }
}
