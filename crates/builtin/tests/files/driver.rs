//! Takes a block through decode, load, apply and load again, as the engine does.

use std::fs::Metadata;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_model::{Action, Difference};
use uphold_resource::{
    Act, Context, Desired, Error, Fields, Instance, Look, Machine, Observation, Registry, Value,
};

/// A directory on the real machine, on a memory file system if possible.
pub(crate) struct Bench {
    pub(crate) host: Machine,
    directory: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let directory = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self { host: LocalHost::new().machine(), directory: directory.expect("a temporary directory") }
    }

    /// A path in the directory.
    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// The same as a string, for labels and values.
    pub(crate) fn name(&self, name: &str) -> String {
        self.at(name).to_str().expect("a temporary path is text").to_owned()
    }

    /// Creates a file and returns its path.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.at(name);
        std::fs::write(&path, content).expect("a file can be written");
        path
    }

    pub(crate) fn directory(&self, name: &str) -> PathBuf {
        let path = self.at(name);
        std::fs::create_dir(&path).expect("a directory can be created");
        path
    }

    pub(crate) fn symlink(&self, name: &str, target: impl AsRef<Path>) -> PathBuf {
        let path = self.at(name);
        std::os::unix::fs::symlink(target, &path).expect("a link can be created");
        path
    }

    /// The names in the directory, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        names(self.directory.path())
    }

    /// Applies the block, and returns the changes or the error.
    pub(crate) fn converge(&self, block: &Block) -> Result<Vec<Difference>, Error> {
        converge(block, &self.host.act())
    }

    pub(crate) fn remove(&self, block: &Block) -> Result<Vec<Difference>, Error> {
        visit(&*block.decode(&Action::Remove), Desired::Absent, &self.host.act())
    }
}

/// The names in a directory, sorted.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).expect("a directory can be read");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("an entry").file_name();
    let mut names: Vec<_> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A block as a user would write it.
#[derive(Clone)]
pub(crate) struct Block {
    kind: &'static str,
    label: String,
    values: Vec<(&'static str, Value)>,
}

impl Block {
    pub(crate) fn new(kind: &'static str, label: impl Into<String>) -> Self {
        Self { kind, label: label.into(), values: Vec::new() }
    }

    pub(crate) fn set(mut self, property: &'static str, value: impl Into<Value>) -> Self {
        self.values.push((property, value.into()));
        self
    }

    pub(crate) fn try_decode(&self, action: &Action) -> Result<Box<dyn Instance>, String> {
        let mut registry = Registry::default();
        uphold_builtin::register(&mut registry).expect("the kinds are sound");
        let kind = registry.get(self.kind).expect("a kind of this crate");
        let values = self.values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
        let (instance, findings) = kind.decode(Fields::new(&self.label, values, action, Context::NOTHING));
        let problems: Vec<_> = findings.problems.iter().map(ToString::to_string).collect();
        instance.ok_or_else(|| problems.join("; "))
    }

    pub(crate) fn decode(&self, action: &Action) -> Box<dyn Instance> {
        self.try_decode(action).unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// Loads only.
    pub(crate) fn look(&self, host: &Act<'_>) -> Result<(Box<dyn Instance>, Observation), Error> {
        let declared = self.decode(&Action::Converge);
        let instance = declared.prepare(&Look::to(Desired::Present, host))?.unwrap_or(declared);
        let seen = instance.observe(Desired::Present, host)?;
        Ok((instance, seen))
    }

    /// The current value of a property.
    pub(crate) fn value(&self, property: &str, host: &Act<'_>) -> Option<Value> {
        let (instance, seen) = self.look(host).expect("it can be loaded");
        instance.value(property, Some(&seen))
    }

    /// Runs a verb.
    pub(crate) fn run(&self, verb: &str, host: &Act<'_>) -> Result<(), Error> {
        self.decode(&Action::Verb(verb.into())).run_verb(verb, host)
    }
}

pub(crate) fn converge(block: &Block, host: &Act<'_>) -> Result<Vec<Difference>, Error> {
    visit(&*block.decode(&Action::Converge), Desired::Present, host)
}

/// One visit, which returns the differences that it resolved.
///
/// # Panics
/// If it still differs after apply, or a second visit would change something.
fn visit(declared: &dyn Instance, desired: Desired, host: &Act<'_>) -> Result<Vec<Difference>, Error> {
    // A removal needs no completed declaration.
    let completed = match desired {
        Desired::Present => declared.prepare(&Look::to(desired, host))?,
        Desired::Absent => None,
    };
    let instance = completed.as_deref().unwrap_or(declared);
    let seen = instance.observe(desired, host)?;
    if !seen.converged {
        instance.apply(&seen, host)?;
        let after = instance.observe(desired, host)?;
        assert!(after.converged, "still different: {:?}", after.differences);
        assert!(!seen.differences.is_empty(), "something changed that no plan shows");
    }
    Ok(seen.differences)
}

/// The changed properties, in order, as a string.
pub(crate) fn changed(differences: &[Difference]) -> String {
    differences.iter().map(|difference| &*difference.property).collect::<Vec<_>>().join(" ")
}

/// Permission bits without the file type.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    metadata(path).permissions().mode() & 0o7777
}

pub(crate) fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(path, permissions).expect("a mode can be set");
}

pub(crate) fn metadata(path: &Path) -> Metadata {
    std::fs::symlink_metadata(path).expect("it exists")
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("it is readable")
}

/// Whether these tests may change owners and create devices.
pub(crate) fn is_root(bench: &Bench) -> bool {
    bench.host.accounts.current_uid() == 0
}
