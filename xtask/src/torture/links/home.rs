//! The attacker's directory, and the files that an attack must not reach.

use std::fs;
use std::fs::{File, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use crate::disk;
use crate::failure::{Failure, Result};
use crate::torture::arena::Arena;
use crate::torture::snapshot::Snapshot;

/// The user ID of the attacker, an account without rights.
const ATTACKER: u32 = 65_534;

/// Owned by the attacker.
pub(super) const FILE: &str = "file";
pub(super) const DIRECTORY: &str = "directory";
/// The attacker's links to entries outside.
pub(super) const TO_FILE: &str = "to-file";
pub(super) const TO_TREE: &str = "to-tree";
/// Owned by root, and managed.
pub(super) const OPEN_DIRECTORY: &str = "open-directory";
pub(super) const LINK: &str = "link";
/// Owned by root, not declared: no other user may get access. The attacker can still move or remove them.
pub(super) const SECRET: &str = "secret";
pub(super) const PRIVATE: &str = "private";

/// The name that is exchanged.
const TARGET: &str = "x";

pub(super) struct Home {
    path: PathBuf,
    outside: PathBuf,
}

/// The protected state before an attack.
pub(super) struct Planted {
    outside: Snapshot,
    secret: Guard,
    private: Guard,
}

impl Home {
    pub(super) fn at(arena: &Arena) -> Self {
        Self { path: arena.path("home"), outside: arena.path("outside") }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn target(&self) -> PathBuf {
        self.path.join(TARGET)
    }

    /// Creates everything anew. The first of `entries` gets the exchanged name.
    pub(super) fn plant(&self, entries: &[&str]) -> Result<Planted> {
        for tree in [&self.outside, &self.path] {
            disk::remove_tree(tree)?;
        }
        for name in ["tree/file", "file"] {
            disk::write(&self.outside.join(name), "root's own\n")?;
        }
        disk::write(&self.path.join(FILE), "the attacker's\n")?;
        disk::write(&self.path.join(DIRECTORY).join("file"), "the attacker's\n")?;
        disk::write(&self.path.join(SECRET), "root's secret\n")?;
        let failed = |error| Failure::new(format!("cannot plant in `{}`: {error}", self.path.display()));
        self.plant_access().map_err(failed)?;
        let planted = Planted {
            outside: Snapshot::take(&self.outside)?,
            secret: self.guard(SECRET).map_err(failed)?,
            private: self.guard(PRIVATE).map_err(failed)?,
        };
        let first = entries.first().map_or(Ok(()), |first| fs::rename(self.path.join(first), self.target()));
        first.map_err(failed)?;
        Ok(planted)
    }

    fn plant_access(&self) -> std::io::Result<()> {
        let at = |name: &str| self.path.join(name);
        symlink(self.outside.join("file"), at(TO_FILE))?;
        symlink(self.outside.join("tree"), at(TO_TREE))?;
        symlink("/dev/null", at(LINK))?;
        for name in [OPEN_DIRECTORY, PRIVATE] {
            fs::create_dir(at(name))?;
            fs::set_permissions(at(name), Permissions::from_mode(0o700))?;
        }
        for name in [SECRET, FILE] {
            fs::set_permissions(at(name), Permissions::from_mode(0o600))?;
        }
        for name in ["", FILE, DIRECTORY, "directory/file"] {
            chown(at(name), Some(ATTACKER), Some(ATTACKER))?;
        }
        Ok(())
    }

    fn guard(&self, name: &'static str) -> std::io::Result<Guard> {
        let file = File::open(self.path.join(name))?;
        let access = access(&file)?;
        Ok(Guard { name, file, access })
    }
}

impl Planted {
    /// A description of protected state that has changed.
    pub(super) fn broken(mut self, home: &Home) -> Result<Option<String>> {
        let changed = Snapshot::take(&home.outside)?.differs(&self.outside);
        let failed = |error| Failure::new(format!("cannot read what was planted: {error}"));
        let given = self.secret.broken().and_then(|broken| Ok(broken.or(self.private.broken()?)));
        Ok(changed.map(|what| format!("outside, {what}")).or(given.map_err(failed)?))
    }
}

/// A file or directory of root, kept open because its name is exchanged.
struct Guard {
    name: &'static str,
    file: File,
    access: (u32, u32, u32),
}

impl Guard {
    fn broken(&mut self) -> std::io::Result<Option<String>> {
        let (mode, uid, gid) = access(&self.file)?;
        if (mode, uid, gid) != self.access {
            return Ok(Some(format!("root's {} got mode {mode:o} and owner {uid}:{gid}", self.name)));
        }
        let mut content = String::new();
        if self.name == SECRET {
            self.file.read_to_string(&mut content)?;
        }
        let is_changed = self.name == SECRET && content != "root's secret\n";
        Ok(is_changed.then(|| format!("root's {} contains {content:?}", self.name)))
    }
}

fn access(file: &File) -> std::io::Result<(u32, u32, u32)> {
    file.metadata().map(|metadata| (metadata.mode(), metadata.uid(), metadata.gid()))
}

// The resources that root manages in the attacker's directory, and the entries that the attacker exchanges.

/// One declaration under attack.
pub(super) struct Case {
    pub(super) name: &'static str,
    /// A block in which `PATH` stands for the exchanged name, and `ARCHIVE` for an archive.
    pub(super) block: &'static str,
    /// The entries that get the name in turn; the first one has it at the beginning.
    pub(super) entries: &'static [&'static str],
}

const fn case(name: &'static str, block: &'static str, entries: &'static [&'static str]) -> Case {
    Case { name, block, entries }
}

const FILES: &[&str] = &[FILE, TO_FILE, TO_TREE, DIRECTORY];
const DIRECTORIES: &[&str] = &[DIRECTORY, TO_TREE, TO_FILE];
/// For resources one level deeper: only a directory or a link to one has entries.
const PARENTS: &[&str] = &[DIRECTORY, TO_TREE];

pub(super) const CASES: [Case; 18] = [
    case(
        "file at a link",
        "file \"PATH\" {\n content = \"declared\\n\"\n mode = \"0600\"\n owner = \"root\"\n}\n",
        FILES,
    ),
    case(
        "forced file",
        "file \"PATH\" {\n content = \"declared\\n\"\n force = true\n backups = 1\n}\n",
        FILES,
    ),
    case(
        "line at a link",
        "line \"x\" {\n file = \"PATH\"\n line = \"declared\"\n create = true\n}\n",
        FILES,
    ),
    case("link at a link", "link \"PATH\" {\n to = \"/dev/null\"\n}\n", FILES),
    case(
        "directory at a link",
        "directory \"PATH\" {\n mode = \"0711\"\n owner = \"nobody\"\n}\n",
        DIRECTORIES,
    ),
    case("purge at a link", "directory \"PATH\" {\n purge = true\n}\n", DIRECTORIES),
    case(
        "removal at a link",
        "directory \"PATH\" {\n action = \"remove\"\n recursive = true\n}\n",
        DIRECTORIES,
    ),
    case(
        "archive at a link",
        "archive \"PATH\" {\n source = \"ARCHIVE\"\n directory_mode = \"0700\"\n}\n",
        DIRECTORIES,
    ),
    case("file below a link", "file \"PATH/file\" {\n content = \"declared\\n\"\n}\n", PARENTS),
    case("mode below a link", "file \"PATH/file\" {\n mode = \"0666\"\n}\n", PARENTS),
    case("line below a link", "line \"x\" {\n file = \"PATH/file\"\n line = \"declared\"\n}\n", PARENTS),
    case("directory below a link", "directory \"PATH/new\" {\n owner = \"nobody\"\n}\n", PARENTS),
    case("link below a link", "link \"PATH/new\" {\n to = \"/dev/null\"\n}\n", PARENTS),
    case("removal below a link", "file \"PATH/file\" {\n action = \"remove\"\n}\n", PARENTS),
    case(
        "directory beside a secret",
        "directory \"PATH\" {\n owner = \"nobody\"\n mode = \"0755\"\n}\n",
        &[OPEN_DIRECTORY, SECRET],
    ),
    case(
        "new link beside a secret",
        "link \"PATH\" {\n to = \"/dev/zero\"\n owner = \"nobody\"\n}\n",
        &[LINK, SECRET],
    ),
    case(
        "owner of a link beside a secret",
        "link \"PATH\" {\n to = \"/dev/null\"\n owner = \"nobody\"\n}\n",
        &[LINK, SECRET],
    ),
    // A file under the name of another file matches the declaration: only another type can be recognized.
    case(
        "mode of a file beside a private directory",
        "file \"PATH\" {\n mode = \"0644\"\n}\n",
        &[FILE, PRIVATE],
    ),
];
