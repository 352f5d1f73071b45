//! A file from a server.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Access, Act, Entry, ErrorKind, GroupName, Interest, Mode, Place, Reading, Resource, Result,
    Seen, Size, Step, Url, UserName, Want, Watching,
};

use super::Connection;
use super::checksum::{Checksum, Hasher, Sort};
use super::connection::is_web;
use super::copy::{self, Copy};
use super::origin::{self, Origin};
use super::transfer::Transfer;
use crate::file::backup;
use crate::{digesting, ownership, parent, regular_file};

/// What a new file gets when no mode was asked for.
const NEW: Mode = Mode::new(0o644);

/// A file from a server.
///
/// With a `checksum`, the server is asked only if the file does not have it. Without one, the server is asked at every
/// visit, in a plan, too, whether it has another version: it answers with a few bytes if not. What is known of the
/// version is kept beside the file, as `.NAME.uphold-origin`. In `uphold watch`, nobody tells that a server has something
/// new: the meta argument `poll` says how often it is asked.
///
/// The file appears all at once, when all of it has come and its checksum is right. What came before a broken
/// connection, Ctrl-C or a power cut is kept as `.NAME.uphold-partial`; the next run gets the rest.
///
/// The first of `all_proxy`, `https_proxy` and `http_proxy` that is set in the environment is asked to connect, for http,
/// too, unless `no_proxy` names the host. A server can lead elsewhere, but never from https
/// to http. A user and password in the URL are sent, and shown nowhere.
///
/// ```hcl
/// download "/opt/app.tar.gz" {
///   url      = "https://example.org/app-1.2.tar.gz"
///   checksum = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
/// }
/// ```
///
/// ```hcl
/// download "/usr/local/share/list.txt" {
///   url     = "https://example.org/list.txt"
///   mirrors = ["https://mirror.example.org/list.txt"]
///   headers = { Authorization = "Bearer ${env("TOKEN", "")}" }
///   mode    = "0640"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "download", also("remote_file", "get_url", "wget", "curl", "fetch"), interests)]
pub struct Download {
    /// Where it is; the block's label unless set.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// Where it comes from.
    #[also("source", "src", "uri")]
    #[required(converge)]
    #[check(is_web, "must begin with http:// or https://")]
    pub url: Option<Url>,
    /// Where else it can come from, in this order, if it does not come from `url`.
    #[default(Vec::new())]
    #[check(is_web, "must begin with http:// or https://")]
    pub mirrors: Vec<Url>,
    /// The digest that it must have. Set this if you can: nothing else tells that it is the right file.
    #[also("sha256", "sha256sum", "hash")]
    pub checksum: Want<Checksum>,
    /// What it is, compared with what the server has. Looked at if `checksum` is not set and `refresh` is; then it
    /// has to be `"current"`.
    #[one_of("current")]
    pub copy: Want<Copy>,
    /// Whether the server is asked for another version, if there is no `checksum`. If not, a file that is there is
    /// left as it is.
    #[also("use_etag", "use_last_modified", "use_conditional_get")]
    #[default(true)]
    pub refresh: bool,
    /// Permission bits. An existing file keeps its own unless this is set.
    #[also("permissions", "perms")]
    #[on_create(NEW)]
    pub mode: Want<Mode>,
    /// Its owner. An existing file keeps its own unless this is set.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Its group. An existing file keeps its own unless this is set.
    pub group: Want<GroupName>,
    /// How servers are spoken to.
    #[flatten(settings)]
    pub connection: Connection,
    /// The most that it may have. More is refused as soon as that is known.
    pub max_size: Option<Size>,
    /// How many old versions are kept beside it, as `.NAME.uphold-backup-N`; 1 is the newest.
    #[also("backup")]
    #[default(0)]
    #[range(0..=1000)]
    pub backups: u32,
    /// Digest of what is there, with its sort.
    pub digest: Seen<Option<Checksum>>,
    /// Size in bytes of what is there.
    pub size: Seen<u64>,
}

impl Resource for Download {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        ownership::must_exist(&self.owner, &self.group, host)?;
        if self.refresh && !self.checksum.is_set() {
            self.copy = Want::Set(Copy::Current);
        }
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<DownloadState>> {
        let found = regular_file::look(&self.path, host).map_err(|error| match error.kind() {
            ErrorKind::WrongType => error.hint("remove it, or choose another path"),
            _ => error,
        })?;
        found.map(|entry| self.state(&entry, host)).transpose()
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.get(goal, host),
            Step::Update { goal, change, .. } if change.checksum.is_some() || change.copy.is_some() => {
                self.get(goal, host)
            }
            Step::Update { goal, change, .. } => {
                let given_away = change.owner.is_some() || change.group.is_some();
                let access = ownership::access(Some(goal.mode.bits()), &self.owner, &self.group, host)?;
                give(&self.path, &access, given_away, host)
            }
            Step::Remove { .. } => {
                backup::keep(&self.path, self.backups, host)?;
                host.edits().remove_file(&self.path)?;
                origin::forget(&self.path, host)
            }
        }
    }
}

/// What is known of its version is a part of it.
impl Watching for Download {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(origin::place(&self.path)));
    }
}

impl Download {
    fn state(&self, entry: &Entry, host: &Reading<'_>) -> Result<DownloadState> {
        let sort = self.checksum.get().map_or(Sort::Sha256, Checksum::sort);
        let asked = self.checksum.is_set() || self.copy.is_set();
        let digest = match asked || host.needs("digest") || host.needs("checksum") {
            true => Some(digesting::file(&self.path, Hasher::new(sort), host)?),
            false => None,
        };
        Ok(DownloadState {
            copy: self.judge(digest.as_ref(), host)?,
            checksum: digest.clone().unwrap_or_else(|| Hasher::new(sort).finish()),
            mode: Mode::new(entry.mode),
            owner: ownership::owner(entry.uid, &self.owner, host)?,
            group: ownership::group(entry.gid, &self.group, host)?,
            digest,
            size: entry.size,
        })
    }

    /// What a file with this digest is, if somebody asked.
    fn judge(&self, digest: Option<&Checksum>, host: &Reading<'_>) -> Result<Copy> {
        let (Some(digest), true) = (digest, self.copy.is_set()) else { return Ok(Copy::Current) };
        let Some(origin) = Origin::read(&self.path, host)?.filter(|origin| origin.is_of(digest)) else {
            return Ok(Copy::Altered);
        };
        match self.urls().find(|url| origin.is_from(url)) {
            Some(url) => copy::ask(url, &origin, digest, &self.connection, host),
            None => Ok(Copy::Altered),
        }
    }

    fn urls(&self) -> impl Iterator<Item = &Url> {
        self.url.iter().chain(&self.mirrors)
    }

    fn get(&self, goal: &DownloadGoal, host: &Act<'_>) -> Result<()> {
        let inspect = |_: &Path| backup::keep(&self.path, self.backups, host);
        let verify: Option<&uphold_resource::Verify<'_>> =
            if self.backups > 0 { Some(&inspect) } else { None };
        let access = ownership::access(Some(goal.mode.bits()), &self.owner, &self.group, host)?;
        let place = Place { access, verify, replace_other: false };
        let (checksum, max_size) = (self.checksum.get(), self.max_size);
        let transfer = Transfer { path: &self.path, connection: &self.connection, checksum, max_size, place };
        transfer.get_from_any(self.urls(), host)
    }
}

/// Sets owner and permissions. Whoever had the file open could still write to it after it was given
/// away: so the new owner gets a copy.
pub(crate) fn give(path: &Path, access: &Access, given_away: bool, host: &Act<'_>) -> Result<()> {
    uphold_resource::set_access(path, "a regular file", access, host)?;
    if given_away { host.edits().copy(path, path) } else { Ok(()) }
}
