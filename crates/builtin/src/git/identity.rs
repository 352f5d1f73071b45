//! The user that git runs as, and whether that user can trust the checkout.
//!
//! Git runs programs that the configuration of a repository names, filters for example. Whoever can write the checkout, or exchange
//! it for another directory, decides what git runs. So nobody but root and the user that git runs as may be able to do that.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use uphold_resource::{Entry, EntryKind, Error, ErrorKind, Observe, Result};

use super::resource::Git;

/// As many links as the kernel follows.
const MOST_LINKS: usize = 40;

const GROUP_WRITE: u32 = 0o020;
const OTHER_WRITE: u32 = 0o002;
const STICKY: u32 = 0o1000;

/// The user that git runs as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    uid: u32,
    gid: u32,
    /// The user that Uphold runs as.
    own: u32,
    /// The path of the checkout, without links.
    place: PathBuf,
}

impl Identity {
    /// `user`, else the owner of the checkout, else the user that Uphold runs as.
    ///
    /// # Errors
    /// If that user has no account, or if another user could decide what git runs in the checkout.
    pub(crate) fn of(git: &Git, host: &dyn Observe) -> Result<Self> {
        let own = host.accounts().current_uid();
        let uid = match &git.user {
            Some(user) => user.id(host)?,
            None if own == 0 => host.files().look(&git.path)?.map_or(own, |entry| entry.uid),
            None => own,
        };
        let gid = match host.accounts().user_by_id(uid)? {
            Some(user) => user.gid,
            None if uid == own => 0,
            None => {
                let what = format!("git cannot run as user {uid} in {}: there is no such account", git.path);
                return Err(Error::new(ErrorKind::Missing, what).hint("set `user`"));
            }
        };
        let mut identity = Self { uid, gid, own, place: PathBuf::new() };
        identity.place = identity.walk(&git.path, host)?;
        identity.check(&git.path, host)?;
        Ok(identity)
    }

    /// The path of the checkout, without links.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// User and group to switch to; none if Uphold runs as that user already.
    pub(crate) fn run_as(&self) -> Option<(u32, u32)> {
        (self.uid != self.own).then_some((self.uid, self.gid))
    }

    /// The user that git runs as.
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// Fails if another user could change the checkout.
    fn check(&self, path: &Path, host: &dyn Observe) -> Result<()> {
        let place = &self.place;
        for place in [place.clone(), place.join(".git"), place.join(".git/config")] {
            let Some(entry) = host.files().look(&place)? else { return Ok(()) };
            if entry.uid != self.uid {
                return Err(self.belongs_to_another(&place, &entry, host));
            }
            if self.is_writable_by_others(&entry) {
                return Err(self.refusal(path, &format!("others can write {}", place.display()), host));
            }
        }
        Ok(())
    }

    /// The path without links. Fails if another user could exchange a directory on the way to it.
    ///
    /// The directories are checked from the top: nobody can exchange an entry of a directory that was found safe, so the
    /// answer holds until git has ended.
    fn walk(&self, path: &Path, host: &dyn Observe) -> Result<PathBuf> {
        let refuse = |why: String| Err(self.refusal(path, &why, host));
        let (mut here, mut ahead, mut links) = (PathBuf::from("/"), components(path), 0);
        while let Some(name) = ahead.pop() {
            let above = host.files().look(&here)?;
            if let Some(above) = &above
                && let Some(why) = self.exchangeable(&here, above, host)?
            {
                return refuse(why);
            }
            if name == ".." {
                here.pop();
                continue;
            }
            let next = here.join(name);
            match host.files().look(&next)?.map(|entry| entry.kind) {
                Some(EntryKind::Link(_)) if above.is_some_and(|above| self.is_writable_by_others(&above)) => {
                    return refuse(format!("others could have made the link {}", next.display()));
                }
                Some(EntryKind::Link(_)) if links == MOST_LINKS => {
                    return refuse("the path has too many links".to_owned());
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
        Ok(here)
    }

    /// Why others could exchange what is in this directory, if they can.
    ///
    /// In a sticky directory only the owner of an entry can rename it. That owner is checked next.
    fn exchangeable(&self, path: &Path, entry: &Entry, host: &dyn Observe) -> Result<Option<String>> {
        if self.own == 0 && ![0, self.uid].contains(&entry.uid) {
            let owner = name(entry.uid, host)?;
            return Ok(Some(format!("{} belongs to {owner}", path.display())));
        }
        let open = self.is_writable_by_others(entry) && entry.mode & STICKY == 0;
        Ok(open.then(|| format!("others can write {}", path.display())))
    }

    /// Whether somebody else than the owner may write. A user's own group counts as that user, except for root.
    ///
    /// Only root can act as other users, so only root asks.
    fn is_writable_by_others(&self, entry: &Entry) -> bool {
        if self.own != 0 {
            return false;
        }
        let own_group = self.uid != 0 && entry.gid == self.gid;
        entry.mode & OTHER_WRITE != 0 || (entry.mode & GROUP_WRITE != 0 && !own_group)
    }

    fn refusal(&self, path: &Path, why: &str, host: &dyn Observe) -> Error {
        let user = name(self.uid, host).unwrap_or_else(|_| self.uid.to_string());
        let what = format!("git cannot run as {user} in {}: {why}", path.display());
        let writers = if self.uid == 0 { "root".to_owned() } else { format!("root and {user}") };
        Error::new(ErrorKind::Rejected, what).hint(format!(
            "let only {writers} write the checkout and the directories above it, or set `user` to their owner"
        ))
    }

    fn belongs_to_another(&self, path: &Path, entry: &Entry, host: &dyn Observe) -> Error {
        let word = |uid| name(uid, host).unwrap_or_else(|_| format!("user {uid}"));
        let (user, owner) = (word(self.uid), word(entry.uid));
        let what = format!("git cannot run as {user} in {}: it belongs to {owner}", path.display());
        Error::new(ErrorKind::Rejected, what)
            .hint(format!("give the whole checkout to {user}, or let git run as its owner"))
    }
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

fn name(uid: u32, host: &dyn Observe) -> Result<String> {
    let user = host.accounts().user_by_id(uid)?;
    Ok(user.map_or_else(|| format!("user {uid}"), |user| user.name))
}
