//! The user that git runs as, and whether that user can trust the checkout.
//!
//! Git runs programs that the configuration of a repository names, such as filters. Any user who can write to the
//! checkout, or replace it by another directory, decides what git runs. So only root and the user that git runs as
//! may have that access.

use std::path::{Path, PathBuf};

use uphold_resource::{Entry, Error, ErrorKind, Reading, Result, Writers, trusted_path, untrusted_words};

use super::resource::Git;

/// The user that git runs as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    uid: u32,
    gid: u32,
    /// The user that Uphold runs as.
    own: u32,
    /// The path of the checkout, with links resolved.
    place: PathBuf,
}

impl Identity {
    /// `user`, else the owner of the checkout, else the user that Uphold runs as.
    ///
    /// # Errors
    /// If that user has no account, or if another user could decide what git runs in the checkout.
    pub(crate) fn of(git: &Git, host: &Reading<'_>) -> Result<Self> {
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
                let what = format!("git cannot run as user {uid} in {}: that user has no account", git.path);
                return Err(Error::new(ErrorKind::Missing, what).hint("set `user` to an existing user"));
            }
        };
        let mut identity = Self { uid, gid, own, place: PathBuf::new() };
        identity.place = identity.find_place(&git.path, host)?;
        identity.check(&git.path, host)?;
        Ok(identity)
    }

    /// The path of the checkout, with links resolved.
    pub(crate) fn place(&self) -> &Path {
        &self.place
    }

    /// User and group to switch to; none if Uphold already runs as that user.
    pub(crate) fn run_as(&self) -> Option<(u32, u32)> {
        (self.uid != self.own).then_some((self.uid, self.gid))
    }

    /// The user that git runs as.
    pub(crate) fn uid(&self) -> u32 {
        self.uid
    }

    /// The users who may be able to write to the checkout. Any, unless Uphold runs as root: only root can act as
    /// other users.
    fn writers(&self) -> Writers {
        if self.own == 0 { Writers::root_and(self.uid) } else { Writers::ANY }
    }

    /// Fails if another user could change the checkout.
    fn check(&self, path: &Path, host: &Reading<'_>) -> Result<()> {
        let place = &self.place;
        for place in [place.clone(), place.join(".git"), place.join(".git/config")] {
            let Some(entry) = host.files().look(&place)? else { return Ok(()) };
            if entry.uid != self.uid {
                return Err(self.belongs_to_another(&place, &entry, host));
            }
            if let Some(doubt) = self.writers().untrusted_reason(&entry, host) {
                return Err(self.refusal(path, &untrusted_words(doubt, &place, host)?, host));
            }
        }
        Ok(())
    }

    /// The path with links resolved. Fails if another user could replace one of its parent directories.
    fn find_place(&self, path: &Path, host: &Reading<'_>) -> Result<PathBuf> {
        trusted_path(path, &self.writers(), host)?.map_err(|why| self.refusal(path, &why, host))
    }

    fn refusal(&self, path: &Path, why: &str, host: &Reading<'_>) -> Error {
        let user = name(self.uid, host).unwrap_or_else(|_| self.uid.to_string());
        let what = format!("git cannot run as {user} in {}: {why}", path.display());
        let writers = if self.uid == 0 { "root".to_owned() } else { format!("root and {user}") };
        Error::new(ErrorKind::Rejected, what).hint(format!(
            "use a path that only {writers} can write, or set `user` to the owner of the directory"
        ))
    }

    fn belongs_to_another(&self, path: &Path, entry: &Entry, host: &Reading<'_>) -> Error {
        let word = |uid| name(uid, host).unwrap_or_else(|_| format!("user {uid}"));
        let (user, owner) = (word(self.uid), word(entry.uid));
        let what = format!("git cannot run as {user} in {}: it belongs to {owner}", path.display());
        Error::new(ErrorKind::Rejected, what).hint("set `user` to its owner, or use another path")
    }
}

fn name(uid: u32, host: &Reading<'_>) -> Result<String> {
    let user = host.accounts().user_by_id(uid)?;
    Ok(user.map_or_else(|| format!("user {uid}"), |user| user.name))
}
