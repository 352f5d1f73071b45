//! The state directory: where it is, and whether it can be trusted.

use std::fmt;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, fstat, fsync, mkdirat, openat};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::geteuid;
use uphold_resource::{Untrusted, Writers};

/// The state directory of root, and of the system below another root.
const SYSTEM: &str = "var/lib/uphold";

const PATH: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const READ: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

/// The caller's surroundings that decide where the state directory is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'a> {
    /// The directory that the user asked for.
    pub directory: Option<&'a Path>,
    /// The root of the managed system, if it is not the machine's own.
    pub root: Option<&'a Path>,
    /// Whether the caller is root.
    pub is_root: bool,
    /// `XDG_STATE_HOME`.
    pub state_home: Option<&'a Path>,
    /// The user's home directory.
    pub home: Option<&'a Path>,
}

/// The place of a state directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    /// A path of this machine.
    Path(PathBuf),
    /// `var/lib/uphold` below the root of another system. No link on this path is followed: the other system may be
    /// hostile.
    Below(PathBuf),
}

/// The reason why a state directory is not used.
#[derive(Debug)]
pub enum Problem {
    /// Another user owns it, or can write it.
    Untrusted(PathBuf, Untrusted),
    /// The system refuses.
    Io(PathBuf, io::Error),
}

impl Location {
    /// The state directory for these surroundings. None if the user has no home directory.
    pub fn find(surroundings: &Surroundings<'_>) -> Option<Self> {
        let Surroundings { directory, root, is_root, state_home, home } = *surroundings;
        let user = || {
            // The XDG specification: a relative path is invalid, and ignored.
            let base = state_home.filter(|path| path.is_absolute()).map(Path::to_owned);
            base.or_else(|| Some(home.filter(|path| path.is_absolute())?.join(".local/state")))
        };
        match (directory, root) {
            (Some(directory), _) => Some(Self::Path(directory.to_owned())),
            (None, Some(root)) => Some(Self::Below(root.to_owned())),
            (None, None) if is_root => Some(Self::Path(Path::new("/").join(SYSTEM))),
            (None, None) => Some(Self::Path(user()?.join("uphold"))),
        }
    }

    /// The path, for messages.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Path(path) => path.clone(),
            Self::Below(root) => root.join(SYSTEM),
        }
    }

    /// Opens the directory. None if it does not exist.
    pub(super) fn open(&self) -> Result<Option<OwnedFd>, Problem> {
        match self.walk(false) {
            Ok(directory) => self.trusted(directory).map(Some),
            Err(Errno::NOENT) => Ok(None),
            Err(errno) => Err(Problem::Io(self.path(), errno.into())),
        }
    }

    /// Opens the directory, and creates it with mode 0700 if it is missing.
    pub(super) fn open_or_create(&self) -> Result<OwnedFd, Problem> {
        self.walk(true)
            .map_err(|errno| Problem::Io(self.path(), errno.into()))
            .and_then(|directory| self.trusted(directory))
    }

    /// The nearest existing directory: the identity of a state directory that cannot be created.
    pub(super) fn nearest(&self) -> io::Result<OwnedFd> {
        let path = self.path();
        let mut last = Errno::NOENT;
        for path in path.ancestors() {
            let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
            match retry_on_intr(|| openat(CWD, path, PATH, Mode::empty())) {
                Ok(directory) => return Ok(directory),
                Err(errno) => last = errno,
            }
        }
        Err(last.into())
    }

    fn walk(&self, create: bool) -> rustix::io::Result<OwnedFd> {
        match self {
            Self::Path(path) if !create => retry_on_intr(|| openat(CWD, path, READ, Mode::empty())),
            Self::Path(path) => {
                let start = if path.is_absolute() { "/" } else { "." };
                let start = retry_on_intr(|| openat(CWD, start, PATH, Mode::empty()))?;
                descend(start, path, OFlags::empty(), create)
            }
            Self::Below(root) => {
                let start = retry_on_intr(|| openat(CWD, root, PATH, Mode::empty()))?;
                descend(start, Path::new(SYSTEM), OFlags::NOFOLLOW, create)
            }
        }
    }

    fn trusted(&self, directory: OwnedFd) -> Result<OwnedFd, Problem> {
        let stat = fstat(&directory).map_err(|errno| Problem::Io(self.path(), errno.into()))?;
        match Writers::root_and(geteuid().as_raw()).doubt(stat.st_uid, stat.st_mode, || false) {
            Some(doubt) => Err(Problem::Untrusted(self.path(), doubt)),
            None => Ok(directory),
        }
    }
}

/// Opens `path` from `start`, component by component, and creates those that are missing.
fn descend(start: OwnedFd, path: &Path, more: OFlags, create: bool) -> rustix::io::Result<OwnedFd> {
    let mut names: Vec<&Path> = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(_) | Component::ParentDir => names.push(Path::new(component.as_os_str())),
            Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
        }
    }
    let mut here = start;
    for (index, name) in names.iter().enumerate() {
        let is_last = index + 1 == names.len();
        let flags = if is_last { READ } else { PATH } | more;
        let mode = if is_last { Mode::RWXU } else { parent_mode() };
        here = step(&here, name, flags, create.then_some(mode))?;
    }
    Ok(here)
}

/// Directories above the state directory: those of a system are for all users, those of a user for that user alone.
fn parent_mode() -> Mode {
    if geteuid().is_root() { Mode::from_raw_mode(0o755) } else { Mode::RWXU }
}

fn step(here: &OwnedFd, name: &Path, flags: OFlags, create: Option<Mode>) -> rustix::io::Result<OwnedFd> {
    let open = || retry_on_intr(|| openat(here, name, flags, Mode::empty()));
    match (open(), create) {
        (Err(Errno::NOENT), Some(mode)) => {
            match mkdirat(here, name, mode) {
                Ok(()) => sync_directory(here),
                // Another process was faster.
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(errno),
            }
            open()
        }
        (result, _) => result,
    }
}

/// Makes new names in a directory durable. A directory that cannot be read cannot be synced; its names survive later.
pub(super) fn sync_directory(directory: impl AsFd) {
    if let Ok(directory) = retry_on_intr(|| openat(directory.as_fd(), ".", READ, Mode::empty())) {
        let _ = retry_on_intr(|| fsync(&directory));
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Untrusted(path, Untrusted::Owner(uid)) => {
                write!(f, "{} is not trusted: it belongs to uid {uid}", path.display())
            }
            Self::Untrusted(path, Untrusted::Writable) => {
                write!(f, "{} is not trusted: other users can write it", path.display())
            }
            Self::Io(path, _) => write!(f, "cannot use the state directory {}", path.display()),
        }
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Untrusted(..) => None,
            Self::Io(_, error) => Some(error),
        }
    }
}

impl From<Problem> for io::Error {
    fn from(problem: Problem) -> Self {
        match problem {
            Problem::Io(_, error) => error,
            untrusted => Self::new(io::ErrorKind::PermissionDenied, untrusted),
        }
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "the test prepares real directories")]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn check_place(surroundings: &Surroundings<'_>, expected: Option<&str>) {
        assert_eq!(Location::find(surroundings).map(|location| location.path()), expected.map(PathBuf::from));
    }

    #[test]
    fn is_where_the_specification_puts_it() {
        let [directory, root, state, home] = ["/d", "/r", "/x", "/h"].map(|path| Some(Path::new(path)));
        let all = Surroundings { directory, root, is_root: true, state_home: state, home };
        check_place(&all, Some("/d"));
        check_place(&Surroundings { directory: None, ..all }, Some("/r/var/lib/uphold"));
        let machine = Surroundings { directory: None, root: None, ..all };
        check_place(&machine, Some("/var/lib/uphold"));
        let user = Surroundings { is_root: false, ..machine };
        check_place(&user, Some("/x/uphold"));
        check_place(&Surroundings { state_home: None, ..user }, Some("/h/.local/state/uphold"));
        let relative = Some(Path::new("x"));
        check_place(&Surroundings { state_home: relative, ..user }, Some("/h/.local/state/uphold"));
        check_place(&Surroundings { state_home: None, home: None, ..user }, None);
    }

    #[test]
    fn is_created_privately_with_its_parents() {
        let ground = tempfile::TempDir::new().unwrap();
        let location = Location::Path(ground.path().join("a/b"));
        assert!(location.open().unwrap().is_none());
        location.open_or_create().unwrap();
        assert_eq!(fs::metadata(location.path()).unwrap().mode() & 0o777, 0o700);
        assert!(location.open().unwrap().is_some());
    }

    #[test]
    fn follows_no_link_below_another_root() {
        let ground = tempfile::TempDir::new().unwrap();
        let [root, outside] = ["root", "outside"].map(|name| ground.path().join(name));
        fs::create_dir_all(root.join("var")).unwrap();
        fs::create_dir_all(&outside).unwrap();
        symlink(&outside, root.join("var/lib")).unwrap();
        let location = Location::Below(root.clone());
        assert!(location.open_or_create().is_err());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        fs::remove_file(root.join("var/lib")).unwrap();
        location.open_or_create().unwrap();
        assert!(root.join("var/lib/uphold").is_dir());
    }

    #[test]
    fn is_refused_if_other_users_can_write_it() {
        let ground = tempfile::TempDir::new().unwrap();
        let path = ground.path().join("state");
        fs::create_dir(&path).unwrap();
        for mode in [0o770, 0o702, 0o1777] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let problem = Location::Path(path.clone()).open().unwrap_err();
            assert!(matches!(problem, Problem::Untrusted(_, Untrusted::Writable)), "{mode:o}: {problem}");
        }
    }

    #[test]
    fn is_refused_if_another_user_owns_it() {
        if !geteuid().is_root() {
            return;
        }
        let ground = tempfile::TempDir::new().unwrap();
        std::os::unix::fs::chown(ground.path(), Some(12_345), None).unwrap();
        let problem = Location::Path(ground.path().to_owned()).open().unwrap_err();
        assert!(problem.to_string().ends_with("is not trusted: it belongs to uid 12345"), "{problem}");
    }
}
