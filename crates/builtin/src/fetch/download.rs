//! The kind `download`.

use std::path::Path;

use uphold_kit::checksum::{Algorithm, Checksum, Hasher};
use uphold_kit::ownership::Ownership;
use uphold_kit::{backup, ownership, parent, regular_file};
use uphold_resource::{
    AbsolutePath, Act, Entry, ErrorKind, Flow, Found, Interest, Look, Mode, Place, Previous, Property,
    Reading, Resource, Result, Seen, Size, Step, Url, Want, Watching, Wish,
};

use super::connection::{is_web, unexpected};
use super::origin::Origin;
use super::transfer::Transfer;
use super::{Connection, origin};

/// The mode of a new file.
const NEW: Mode = Mode::new(0o644);

/// A file downloaded over HTTP or HTTPS.
///
/// With a `checksum`, the server is contacted only if the file does not match. Without one, the server is asked at
/// each check, also in a plan, whether it has a newer version; this takes a small request. Information about the
/// version is stored next to the file, as `.NAME.uphold-origin`. `uphold watch` cannot notice changes on a server:
/// set the meta argument `poll` to check regularly.
///
/// The file is replaced atomically, once it is complete and its checksum is right. If a download is interrupted,
/// the part received so far is kept as `.NAME.uphold-partial`, and the next run resumes it.
///
/// The proxy is the first of `all_proxy`, `https_proxy` and `http_proxy` that is set in the environment, also for
/// http, unless `no_proxy` names the host. Redirects are followed, but never from https to http. A user and
/// password in the URL are sent, but never shown.
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
    /// Path of the file; defaults to the block's label.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// URL of the file.
    #[also("source", "src", "uri")]
    #[required(converge)]
    #[check(is_web, "must begin with http:// or https://")]
    pub url: Option<Url>,
    /// Alternative URLs, tried in this order if `url` fails.
    #[default(Vec::new())]
    #[check(is_web, "must begin with http:// or https://")]
    pub mirrors: Vec<Url>,
    /// Checksum that the file must have, as in `"sha256:…"`. Recommended: nothing else ensures that it is the right
    /// file.
    #[also("sha256", "sha256sum", "hash")]
    pub checksum: Want<Checksum>,
    /// Comparison with the server: `current`, `outdated` or `altered`. Always managed if `checksum` is not set and
    /// `refresh` is true: it must be `"current"`.
    #[one_of("current")]
    pub copy: Want<Copy>,
    /// Check the server for a newer version if `checksum` is not set. If false, an existing file is kept as it is.
    #[also("use_etag", "use_last_modified", "use_conditional_get")]
    #[default(true)]
    pub refresh: bool,
    /// Mode. If it is not set, an existing file keeps its own.
    #[also("permissions", "perms")]
    #[on_create(NEW)]
    pub mode: Want<Mode>,
    /// Owner and group.
    #[flatten(state)]
    pub ownership: Ownership,
    /// Settings of the HTTP request.
    #[flatten(settings)]
    pub connection: Connection,
    /// Maximum size. A larger file is refused.
    pub max_size: Option<Size>,
    /// Number of old versions to keep next to the file, as `.NAME.uphold-backup-N`; 1 is the newest.
    #[also("backup")]
    #[default(0)]
    #[range(0..=1000)]
    pub backups: u32,
    /// Checksum of the file, with its algorithm.
    pub digest: Seen<Option<Checksum>>,
    /// Size of the file in bytes.
    pub size: Seen<u64>,
}

impl Resource for Download {
    fn prepare(&self, look: &Look<'_>) -> Result<DownloadWishes> {
        self.ownership.must_exist(look)?;
        let compares = self.refresh && !self.checksum.is_set();
        let copy = if compares { Wish::Set(Copy::Current) } else { Wish::Declared };
        Ok(DownloadWishes { copy, ..DownloadWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let found = regular_file::look(&self.path, look).map_err(|error| match error.kind() {
            ErrorKind::WrongType => error.hint("move it elsewhere, or choose another path"),
            _ => error,
        })?;
        match found {
            Some(entry) => self.state(&entry, look).map(Found::This),
            None => Ok(Found::Absent),
        }
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.get(goal, host),
            Step::Update { goal, change, .. } if change.checksum.is_some() || change.copy.is_some() => {
                self.get(goal, host)
            }
            Step::Update { goal, change, .. } => {
                let changes_owner = change.ownership.is_any();
                let access = self.ownership.access(Some(goal.mode.bits()), host)?;
                ownership::set(&self.path, &access, changes_owner, host)
            }
            Step::Remove { .. } => {
                backup::keep(&self.path, self.backups, host)?;
                host.edits().remove_file(&self.path)?;
                origin::forget(&self.path, host)
            }
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Create { .. } => Previous::VALUES,
            Step::Update { change, .. } if change.checksum.is_none() && change.copy.is_none() => {
                Previous::without(&["copy"])
            }
            _ => Previous::none("its previous content is not kept"),
        }
    }
}

/// The stored version information is part of the state.
impl Watching for Download {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(origin::place(&self.path)));
    }
}

impl Download {
    fn state(&self, entry: &Entry, look: &Look<'_>) -> Result<DownloadState> {
        let algorithm = self.checksum.get().map_or(Algorithm::Sha256, Checksum::algorithm);
        let is_compared = self.checksum.is_set() || self.copy.is_set();
        let digest = if is_compared || look.needs("digest") || look.needs("checksum") {
            Some(Checksum::of_file(&self.path, algorithm, look)?)
        } else {
            None
        };
        Ok(DownloadState {
            copy: self.compare(digest.as_ref(), look)?,
            checksum: digest.clone().unwrap_or_else(|| Hasher::new(algorithm).finish()),
            mode: Mode::new(entry.mode),
            ownership: self.ownership.load(entry, look)?,
            digest,
            size: entry.size,
        })
    }

    /// Compares a file with this digest with the server, if `copy` is managed.
    fn compare(&self, digest: Option<&Checksum>, host: &Reading<'_>) -> Result<Copy> {
        let (Some(digest), true) = (digest, self.copy.is_set()) else { return Ok(Copy::Current) };
        let Some(origin) = Origin::read(&self.path, host)?.filter(|origin| origin.is_of(digest)) else {
            return Ok(Copy::Altered);
        };
        match self.urls().find(|url| origin.is_from(url)) {
            Some(url) => ask(url, &origin, digest, &self.connection, host),
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
        let access = self.ownership.access(Some(goal.mode.bits()), host)?;
        let place = Place { access, verify, replace_other: false };
        let (checksum, max_size) = (self.checksum.get(), self.max_size);
        let transfer = Transfer { path: &self.path, connection: &self.connection, checksum, max_size, place };
        transfer.get_from_any(self.urls(), host)
    }
}

// Comparison of a file with the version on its server.

/// How a file compares with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Copy {
    /// It is the same.
    Current,
    /// The source has a newer version.
    Outdated,
    /// The file was changed locally, or has another source.
    Altered,
}

impl Copy {
    /// The result of a comparison with a source that has no versions.
    pub(crate) fn compared(is_same: bool) -> Self {
        if is_same { Copy::Current } else { Copy::Outdated }
    }
}

/// Asks the server whether its version is still `origin`, which belongs to a file with this digest.
///
/// Costs one request, answered without content if nothing has changed. A server without versions sends the whole
/// file.
pub(crate) fn ask(
    url: &Url,
    origin: &Origin,
    content: &Checksum,
    connection: &Connection,
    host: &Reading<'_>,
) -> Result<Copy> {
    let mut request = connection.request("GET", url, host)?;
    if let Some((name, value)) = origin.condition() {
        request = request.with(name, value);
    }
    let mut hasher = Hasher::new(Algorithm::Sha256);
    let response = host.fetch(&request, &mut |head, piece| {
        hasher.update(piece);
        let is_known = head.status != 200 || origin.condition().is_some();
        Ok(if is_known { Flow::Enough } else { Flow::More })
    })?;
    match response.status {
        304 => Ok(Copy::Current),
        200 if origin.condition().is_some() => Ok(Copy::compared(origin.is_same_version(&response))),
        200 => Ok(Copy::compared(hasher.finish() == *content)),
        _ => Err(unexpected(url, &response)),
    }
}
