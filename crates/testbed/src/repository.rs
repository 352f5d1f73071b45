//! An apt repository.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest as _, Sha256};

use crate::host::Host;
use crate::package::Package;

use super::process::{HostProcess, StartOptions, Unavailable};
use super::root::Root;

static COUNT: AtomicU32 = AtomicU32::new(0);

/// An apt repository: a directory that hosts bind at [`Repository::PATH`].
///
/// It is usable both as a flat repository (`deb [trusted=yes] file:/srv/repo ./`) and by suite and component
/// (`deb file:/srv/repo test main`). It is removed with this value.
#[derive(Debug)]
pub struct Repository {
    directory: PathBuf,
    architecture: String,
    index: String,
}

impl Repository {
    /// The path where hosts bind it.
    pub const PATH: &str = "/srv/repo";
    /// The line of `sources.list` for hosts that trust it without a signature.
    pub const SOURCE: &str = "deb [trusted=yes] file:/srv/repo ./";
    /// The path of its public key in a host.
    pub const KEY: &str = "/srv/repo/key.asc";
    const PARTS: &str = "dists/test/main";

    /// An empty repository.
    #[track_caller]
    pub fn new(bed: &Bed) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        // No host has a name that begins with a dot.
        let name = format!(".repository-{number}-{}", std::process::id());
        let directory = bed.root.scratch().hosts().join(name);
        let output = Command::new("dpkg").arg("--print-architecture").output().expect("`dpkg` runs");
        let architecture = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let repository = Self { directory, architecture, index: String::new() };
        fs::create_dir_all(repository.directory.join("pool")).expect("a directory can be made");
        fs::create_dir_all(repository.binaries()).expect("a directory can be made");
        repository.publish();
        repository
    }

    /// Its directory on the machine.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Builds these packages and rewrites the index, which removes the signature.
    #[track_caller]
    pub fn add(&mut self, packages: &[Package]) {
        for package in packages {
            package.build(&self.directory.join("pool"));
            let path = format!("pool/{}", package.file_name());
            let (size, sum) = measure(&self.directory.join(&path));
            self.index.push_str(&package.control());
            self.index.push_str(&format!("Filename: {path}\nSize: {size}\nSHA256: {sum}\n\n"));
        }
        self.publish();
    }

    /// Signs it with a temporary key made in this host, which must bind it. The public key is [`Self::KEY`].
    #[track_caller]
    pub fn sign(&self, host: &Host) {
        host.ok("export GNUPGHOME=/run/uphold-testbed/gnupg; mkdir -pm 700 $GNUPGHOME; cd /srv/repo
             gpg --batch -q --list-secret-keys test@example.invalid >/dev/null 2>&1 ||
                 gpg --batch -q --passphrase '' --quick-generate-key test@example.invalid ed25519 sign never
             gpg --batch --yes -q --armor --output key.asc --export test@example.invalid
             for release in Release dists/test/Release; do
                 gpg --batch --yes -q --clearsign --output ${release%Release}InRelease $release
             done");
    }

    fn binaries(&self) -> PathBuf {
        self.directory.join(Self::PARTS).join(format!("binary-{}", self.architecture))
    }

    /// Writes both indexes with their release files.
    #[track_caller]
    fn publish(&self) {
        let parts = self.directory.join("dists/test");
        self.release(&self.directory, "Packages");
        self.release(&parts, &format!("main/binary-{}/Packages", self.architecture));
    }

    #[track_caller]
    fn release(&self, directory: &Path, index: &str) {
        fs::write(directory.join(index), &self.index).expect("an index can be written");
        let (size, sum) = measure(&directory.join(index));
        let output = Command::new("date").arg("-Ru").output().expect("`date` runs");
        let date = String::from_utf8_lossy(&output.stdout).replace("+0000", "UTC");
        let text = format!(
            "Origin: Test\nLabel: Test\nSuite: test\nCodename: test\nDate: {}\nArchitectures: {}\n\
             Components: main\nSHA256:\n {sum} {size} {index}\n",
            date.trim(),
            self.architecture
        );
        fs::write(directory.join("Release"), text).expect("a release can be written");
        // The old signature does not match the new index.
        let _ = fs::remove_file(directory.join("InRelease"));
    }
}

impl Drop for Repository {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.directory);
    }
}

/// The size and SHA-256 of a file.
#[track_caller]
fn measure(path: &Path) -> (usize, String) {
    let bytes = fs::read(path).expect("what was just written can be read");
    (bytes.len(), Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect())
}

// The entry point: creates disposable hosts, with options.

/// Creates hosts; in each of them `uphold` is the binary under test.
#[derive(Debug, Clone)]
pub struct Bed {
    pub(crate) root: Root,
    pub(crate) binary: PathBuf,
}

impl Bed {
    /// A bed, or the reason why hosts cannot be created. Tests of the command pass `env!("CARGO_BIN_EXE_uphold")`.
    pub fn try_new(binary: impl AsRef<Path>) -> Result<Self, Unavailable> {
        if mode().is_some_and(|mode| mode == "skip") {
            return Err(Unavailable::new("UPHOLD_BED is `skip`"));
        }
        let root = Root::debian()?;
        Ok(Self { root, binary: binary.as_ref().to_owned() })
    }

    /// A bed; `None` if hosts cannot be created, after printing the reason.
    ///
    /// # Panics
    /// If hosts cannot be created although `UPHOLD_BED` is `require`, or `UPHOLD_BED` is unset and `CI` is set: a skipped
    /// test proves nothing.
    #[expect(clippy::print_stderr, reason = "a skipped test must be visible")]
    #[track_caller]
    pub fn open(binary: impl AsRef<Path>) -> Option<Self> {
        match Self::try_new(binary) {
            Ok(bed) => Some(bed),
            Err(why) if is_required() => panic!("cannot create hosts here: {why}"),
            Err(why) => {
                eprintln!("skipped: cannot create hosts here: {why}");
                None
            }
        }
    }

    /// Starts a host without an init system; takes 0.2 seconds.
    #[track_caller]
    pub fn plain(&self, name: &str) -> Host {
        self.host(name).plain()
    }

    /// Starts a host with systemd as its first process and waits until it is up; takes about a second.
    #[track_caller]
    pub fn systemd(&self, name: &str) -> Host {
        self.host(name).systemd()
    }

    /// The options of a host that needs more than a name.
    pub fn host(&self, name: &str) -> Setup {
        Setup::new(self.clone(), name)
    }
}

/// The value of `UPHOLD_BED`: `require` or `skip`.
fn mode() -> Option<OsString> {
    std::env::var_os("UPHOLD_BED")
}

fn is_required() -> bool {
    let on_build_machine = std::env::var_os("CI").is_some_and(|value| !value.is_empty());
    mode().map_or(on_build_machine, |mode| mode == "require")
}

/// bash reaps orphaned processes, as a first process must.
const PLAIN: &[&str] = &["/bin/bash", "-c", "while :; do sleep 1000; done"];
const SYSTEMD: &[&str] = &[StartOptions::SYSTEMD, "--log-target=null"];

/// The options of a host before its start.
#[derive(Debug, Clone)]
pub struct Setup {
    bed: Bed,
    name: String,
    binds: Vec<(PathBuf, String)>,
}

impl Setup {
    pub(crate) fn new(bed: Bed, name: &str) -> Self {
        let binary = (bed.binary.clone(), Host::BINARY.to_owned());
        Self { bed, name: name.to_owned(), binds: vec![binary] }
    }

    /// Mounts a file or directory of the machine at a path in the host, writable.
    #[must_use]
    pub fn bind(mut self, outside: impl AsRef<Path>, inside: &str) -> Self {
        self.binds.push((outside.as_ref().to_owned(), inside.to_owned()));
        self
    }

    /// Starts it without an init system.
    #[track_caller]
    pub fn plain(self) -> Host {
        self.with_init(PLAIN)
    }

    /// Starts it with systemd, and waits until it is up.
    #[track_caller]
    pub fn systemd(self) -> Host {
        self.with_init(SYSTEMD)
    }

    /// Starts it with another program of the root as its first process.
    #[track_caller]
    pub fn with_init(self, init: &[&str]) -> Host {
        let Self { bed, name, binds } = self;
        let init = init.iter().map(|&word| word.to_owned()).collect();
        let process = HostProcess::start(StartOptions { root: bed.root, name, binds, init });
        Host::new(process.unwrap_or_else(|why| panic!("a host did not start: {why}")))
    }
}
