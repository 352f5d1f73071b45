//! Claims of resources, from which the engine derives automatic dependencies.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use super::id::{Name, ResourceId};
use crate::value::SENSITIVE;

/// Something on the machine that one resource can provide and another can need.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// A path. A need is satisfied by a resource of this path or of its nearest managed parent.
    Path(PathBuf),
    /// A user account.
    User(Name),
    /// A group.
    Group(Name),
    /// A package.
    Package(Name),
    /// A service unit.
    Unit(Name),
    /// A resource, named by a property of type `Ref`.
    Resource(ResourceId),
    /// Paths of resources that become known only during the run; a purge comes after these resources.
    ManagedPaths,
    /// A namespace that several kinds agree on, and a name in it.
    Other(&'static str, Name),
}

impl Claim {
    /// Its name, unless it is a resource or has none.
    pub fn name(&self) -> Option<Cow<'_, str>> {
        match self {
            Claim::Path(path) => Some(path.to_string_lossy()),
            Claim::User(name)
            | Claim::Group(name)
            | Claim::Package(name)
            | Claim::Unit(name)
            | Claim::Other(_, name) => Some(Cow::Borrowed(name)),
            Claim::Resource(_) | Claim::ManagedPaths => None,
        }
    }

    /// The same claim with its name replaced, for messages about secrets.
    #[must_use]
    pub fn hidden(&self) -> Self {
        match self {
            Claim::Path(_) => Claim::Path(SENSITIVE.into()),
            Claim::User(_) => Claim::User(SENSITIVE.into()),
            Claim::Group(_) => Claim::Group(SENSITIVE.into()),
            Claim::Package(_) => Claim::Package(SENSITIVE.into()),
            Claim::Unit(_) => Claim::Unit(SENSITIVE.into()),
            Claim::Other(space, _) => Claim::Other(space, SENSITIVE.into()),
            Claim::Resource(_) | Claim::ManagedPaths => self.clone(),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Path(path) => write!(f, "path {}", path.display()),
            Claim::User(name) => write!(f, "user {name}"),
            Claim::Group(name) => write!(f, "group {name}"),
            Claim::Package(name) => write!(f, "package {name}"),
            Claim::Unit(name) => write!(f, "unit {name}"),
            Claim::Resource(id) => write!(f, "{id}"),
            Claim::ManagedPaths => f.write_str("paths that are known during the run"),
            Claim::Other(space, name) => write!(f, "{space} {name}"),
        }
    }
}

/// The claims of one resource.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Claims {
    /// Things that exist once this resource is converged. Several resources may provide the same thing.
    pub provides: Vec<Claim>,
    /// Provided things that no other resource may provide: two owners would undo each other's changes.
    pub holds: Vec<Claim>,
    /// Things that must exist first.
    pub needs: Vec<Claim>,
    /// Things that it changes in part. Resources that edit the same thing run one after the other, in written order, so
    /// that the result is deterministic.
    pub edits: Vec<Claim>,
    /// Things that it prepares for resources with a matching `follows`.
    pub leads: Vec<Claim>,
    /// Things that it uses if another resource prepares them (`leads`). It runs after that resource unless another
    /// dependency contradicts; a failure there does not skip it.
    pub follows: Vec<Claim>,
    /// Paths that belong to it, besides those that it provides or edits. They create no dependency; a purge keeps them.
    pub owns: Vec<PathBuf>,
    /// Files and directories (with everything in them) that are input of this resource. It runs after resources that
    /// change them unless another dependency contradicts.
    pub reads: Vec<PathBuf>,
    /// Provided directories whose contents belong to other resources: a purge of a parent continues inside them.
    pub open: Vec<PathBuf>,
    /// Whether it declares the whole content of the paths that it holds, so that no other resource may edit a part of
    /// them.
    pub whole_content: bool,
    /// Whether each thing that it edits contains a part of it once it is converged.
    pub puts_parts: bool,
    /// Whether it may provide things that it does not name, as a package does: files, accounts, services.
    pub brings_more: bool,
    /// Whether it creates the file that it edits if no other resource provides it. While the file is missing, it runs
    /// after resources that set `brings_more`.
    pub creates_edited: bool,
    /// Whether its name is only a label: nothing on the machine has it.
    pub only_labelled: bool,
    /// A hint for the author of the kind, if two of its resources hold one path.
    pub held_twice_hint: Option<&'static str>,
}

impl Claims {
    /// All claims.
    pub fn all(&self) -> impl Iterator<Item = &Claim> {
        let edges = self.needs.iter().chain(&self.edits).chain(&self.leads).chain(&self.follows);
        self.provided().chain(edges)
    }

    /// Adds a thing that this resource provides.
    pub fn provide(&mut self, claim: Claim) {
        self.provides.push(claim);
    }

    /// Adds a thing that only this resource may provide.
    pub fn hold(&mut self, claim: Claim) {
        // Mostly there is one claim, and these lists of all resources are in memory at once: no spare capacity.
        if self.holds.is_empty() {
            self.holds.reserve_exact(1);
        }
        self.holds.push(claim);
    }

    /// Declares the whole content of the held paths: an edit of a part would be undone.
    pub fn declare_whole_content(&mut self) {
        self.whole_content = true;
    }

    /// Everything that exists once this resource is converged.
    pub fn provided(&self) -> impl Iterator<Item = &Claim> {
        self.holds.iter().chain(&self.provides)
    }

    /// Adds a thing that this resource changes in part.
    pub fn edit(&mut self, claim: Claim) {
        self.edits.push(claim);
    }

    /// Adds a thing that this resource edits, and that contains its part once it is converged.
    pub fn put_part(&mut self, claim: Claim) {
        self.edits.push(claim);
        self.puts_parts = true;
    }

    /// Adds a thing that this resource prepares for resources with a matching `follows`.
    pub fn lead(&mut self, claim: Claim) {
        self.leads.push(claim);
    }

    /// Adds a thing that this resource uses if another one prepares it.
    pub fn follow(&mut self, claim: Claim) {
        self.follows.push(claim);
    }

    /// Adds a path that belongs to this resource, and that no other resource waits for.
    pub fn own(&mut self, path: impl Into<PathBuf>) {
        self.owns.push(path.into());
    }

    /// Adds an input file, or a directory with everything in it. If another resource writes a secret there, this one is
    /// treated as sensitive.
    pub fn read(&mut self, path: impl Into<PathBuf>) {
        self.reads.push(path.into());
    }

    /// Leaves the contents of a provided directory to other resources.
    pub fn leave_open(&mut self, directory: impl Into<PathBuf>) {
        self.open.push(directory.into());
    }

    /// Adds a thing that must exist first.
    pub fn need(&mut self, claim: Claim) {
        self.needs.push(claim);
    }
}
