//! Paths that no other user can lead elsewhere.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use super::{Doubt, Entry, EntryKind, Reading, Writers};
use crate::error::Result;

/// As many links as the kernel follows.
const MOST_LINKS: usize = 40;

impl Writers {
    /// Why what was found is not trusted.
    pub fn doubt_of(&self, entry: &Entry, host: &Reading<'_>) -> Option<Doubt> {
        let accounts = host.accounts();
        let is_private_group = || accounts.is_private_group(entry.uid, entry.gid).unwrap_or(false);
        self.doubt(entry.uid, entry.mode, is_private_group)
    }
}

/// The path without links, if only these writers can exchange a directory on the way to it; else the reason in words,
/// such as `others can write /srv`. For programs that are given a path: the answer holds until they have ended.
///
/// The directories are checked from the top: others cannot exchange an entry of a directory that was found safe. The last
/// part need not exist. In a sticky directory it may, but another user can be the one who makes it.
///
/// # Errors
/// If the machine cannot be looked at.
pub fn settled_path(
    path: &Path,
    writers: &Writers,
    host: &Reading<'_>,
) -> Result<std::result::Result<PathBuf, String>> {
    let (mut here, mut ahead, mut links) = (PathBuf::from("/"), components(path), 0);
    while let Some(name) = ahead.pop() {
        let above = host.files().look(&here)?;
        let doubt = above.as_ref().and_then(|above| Some((writers.doubt_of(above, host)?, above.mode)));
        if let Some((doubt, _)) = doubt.filter(|(doubt, mode)| !doubt.spares_entries(*mode)) {
            return Ok(Err(doubt_words(doubt, &here, host)?));
        }
        if name == ".." {
            here.pop();
            continue;
        }
        let next = here.join(name);
        match host.files().look(&next)?.map(|entry| entry.kind) {
            Some(EntryKind::Link(_)) if doubt.is_some() => {
                return Ok(Err(format!("others could have made the link {}", next.display())));
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

/// A doubt about `path` in words.
///
/// # Errors
/// If the owner cannot be looked up.
pub fn doubt_words(doubt: Doubt, path: &Path, host: &Reading<'_>) -> Result<String> {
    Ok(match doubt {
        Doubt::Writable => format!("others can write {}", path.display()),
        Doubt::Owner(uid) => {
            let user = host.accounts().user_by_id(uid)?;
            let name = user.map_or_else(|| format!("user {uid}"), |user| user.name);
            format!("{} belongs to {name}", path.display())
        }
    })
}

/// The components of a path, the first one last.
fn components(path: &Path) -> Vec<OsString> {
    let name = |component| match component {
        Component::Normal(name) => Some(name.to_owned()),
        Component::ParentDir => Some("..".into()),
        _ => None,
    };
    path.components().rev().filter_map(name).collect()
}
