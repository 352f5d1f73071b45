//! Resolved paths that no other user can redirect.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::{Entry, EntryKind, Reading, Untrusted, Writers};
use crate::error::Result;

/// The number of links that the kernel follows.
const MOST_LINKS: usize = 40;

impl Writers {
    /// The reason why an entry is not trusted; `None` if it is.
    pub fn untrusted_reason(&self, entry: &Entry, host: &Reading<'_>) -> Option<Untrusted> {
        let accounts = host.accounts();
        let is_private_group = || accounts.is_private_group(entry.uid, entry.gid).unwrap_or(false);
        self.doubt(entry.uid, entry.mode, is_private_group)
    }
}

/// The path without symbolic links, if only these writers can redirect it; otherwise the reason, such as `others can write
/// /srv`. For paths that are passed to programs: the result stays valid while they run.
///
/// The directories are checked from the top, because other users cannot replace an entry of a trusted directory. The last
/// component need not exist. In a sticky directory another user may then be the one who creates it.
///
/// # Errors
/// If the machine cannot be read.
pub fn trusted_path(
    path: &Path,
    writers: &Writers,
    host: &Reading<'_>,
) -> Result<std::result::Result<PathBuf, String>> {
    let (mut here, mut ahead, mut links) = (PathBuf::from("/"), components(path), 0);
    while let Some(name) = ahead.pop() {
        let above = host.files().look(&here)?;
        let doubt =
            above.as_ref().and_then(|above| Some((writers.untrusted_reason(above, host)?, above.mode)));
        if let Some((doubt, _)) = doubt.filter(|(doubt, mode)| !doubt.spares_entries(*mode)) {
            return Ok(Err(untrusted_words(doubt, &here, host)?));
        }
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(name);
        match host.files().look(&next)?.map(|entry| entry.kind) {
            Some(EntryKind::Link(_)) if doubt.is_some() => {
                return Ok(Err(format!("others could have created the link {}", next.display())));
            }
            Some(EntryKind::Link(_)) if links == MOST_LINKS => {
                return Ok(Err("the path has too many links".to_owned()));
            }
            Some(EntryKind::Link(target)) => {
                links += 1;
                if target.is_absolute() {
                    here = PathBuf::from("/");
                }
                ahead.extend(components(&target));
            }
            _ => here = next,
        }
    }
    Ok(Ok(here))
}

/// The reason why `path` is not trusted, for messages.
///
/// # Errors
/// If the owner cannot be looked up.
pub fn untrusted_words(doubt: Untrusted, path: &Path, host: &Reading<'_>) -> Result<String> {
    Ok(match doubt {
        Untrusted::Writable => format!("others can write {}", path.display()),
        Untrusted::Owner(uid) => {
            let user = host.accounts().user_by_id(uid)?;
            let name = user.map_or_else(|| format!("user {uid}"), |user| user.name);
            format!("{} belongs to {name}", path.display())
        }
    })
}

/// The components of a path in reverse order.
fn components(path: &Path) -> Vec<OsString> {
    let name = |component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().rev().filter_map(name).collect()
}
