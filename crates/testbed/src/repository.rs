//! An apt repository.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sha2::{Digest as _, Sha256};

use crate::bed::Bed;
use crate::host::Host;
use crate::package::Package;

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
