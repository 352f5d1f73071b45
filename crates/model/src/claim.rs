//! What a resource provides and what it stands on: the raw material of automatic edges.

use std::borrow::Cow;
use std::fmt;
use std::path::PathBuf;

use crate::id::{Name, ResourceId};
use crate::value::SENSITIVE;

/// Something on the machine that one resource can provide and another can need.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Claim {
    /// A path. A need is met by the path itself or by its nearest managed parent.
    Path(PathBuf),
    /// A user account.
    User(Name),
    /// A group.
    Group(Name),
    /// A package.
    Package(Name),
    /// A service unit.
    Unit(Name),
    /// One resource, named by a property of type `Ref`.
    Resource(ResourceId),
    /// The paths of resources that are only known during the run: a purge comes after these resources.
    ManagedPaths,
    /// Anything that two kinds agree upon: a space of names and a name.
    Other(&'static str, Name),
}

impl Claim {
    /// Its name, if it has one that a kind chose.
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

    /// The same sort of claim without its name, for messages.
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
    /// What is there once this resource is converged. Others may bring it along, too.
    pub provides: Vec<Claim>,
    /// What it provides, and nobody else may: two that hold one thing would undo each other's work.
    pub holds: Vec<Claim>,
    /// What should be there before.
    pub needs: Vec<Claim>,
    /// What it changes a part of. Those that change parts of one thing do so one after the
    /// other, in written order, so that the result is always the same.
    pub edits: Vec<Claim>,
    /// What it prepares for those who follow it.
    pub leads: Vec<Claim>,
    /// What it makes use of if there is somebody who leads to it: that comes before, as far as nothing else asks for another
    /// order. It does not stand on it.
    pub follows: Vec<Claim>,
    /// Paths that belong to it besides those that it provides or edits. They make no edges; a purge leaves them alone.
    pub owns: Vec<PathBuf>,
    /// Files and directories whose content, with everything inside, goes into what this resource makes. It comes after
    /// those that change something inside, as far as nothing else asks for another order.
    pub reads: Vec<PathBuf>,
    /// Directories among the provided paths whose contents belong to others: a purge of a parent goes on inside.
    pub open: Vec<PathBuf>,
    /// Whether it declares all content of the paths that it holds, so that no other resource may edit a part of them.
    pub whole_content: bool,
    /// Whether something of it is in each thing that it edits once it is converged.
    pub puts_parts: bool,
    /// Whether it may bring along anything that it does not name, as a package does: files, accounts, services. What is
    /// missing may come with it.
    pub brings_more: bool,
    /// Whether it creates the file that it edits if nothing else brings it. While that file is missing, it is visited after
    /// those that bring more.
    pub creates_edited: bool,
}

impl Claims {
    /// All claims, of whatever sort.
    pub fn all(&self) -> impl Iterator<Item = &Claim> {
        let edges = self.needs.iter().chain(&self.edits).chain(&self.leads).chain(&self.follows);
        self.provided().chain(edges)
    }

    /// Adds something that this resource provides.
    pub fn provide(&mut self, claim: Claim) {
        self.provides.push(claim);
    }

    /// Adds something that this resource provides, and that it holds alone.
    pub fn hold(&mut self, claim: Claim) {
        // Mostly there is one; these lists of all resources are there at once.
        if self.holds.is_empty() {
            self.holds.reserve_exact(1);
        }
        self.holds.push(claim);
    }

    /// Says that all content of the paths that this resource holds is declared: an edit of a part would be undone.
    pub fn declare_whole_content(&mut self) {
        self.whole_content = true;
    }

    /// All that is there once this resource is converged.
    pub fn provided(&self) -> impl Iterator<Item = &Claim> {
        self.holds.iter().chain(&self.provides)
    }

    /// Adds something of which this resource changes a part.
    pub fn edit(&mut self, claim: Claim) {
        self.edits.push(claim);
    }

    /// Adds something of which this resource declares a part: converged, the part is there.
    pub fn put_part(&mut self, claim: Claim) {
        self.edits.push(claim);
        self.puts_parts = true;
    }

    /// Adds something that this resource prepares for those who follow it.
    pub fn lead(&mut self, claim: Claim) {
        self.leads.push(claim);
    }

    /// Adds something that this resource makes use of, and could do without.
    pub fn follow(&mut self, claim: Claim) {
        self.follows.push(claim);
    }

    /// Adds a path that belongs to this resource and that no other resource has to wait for.
    pub fn own(&mut self, path: impl Into<PathBuf>) {
        self.owns.push(path.into());
    }

    /// Adds a file, or a directory with everything inside, whose content goes into what this resource makes. If another
    /// resource puts a secret there, this one is treated as sensitive.
    pub fn read(&mut self, path: impl Into<PathBuf>) {
        self.reads.push(path.into());
    }

    /// Says that the contents of a provided directory belong to others.
    pub fn leave_open(&mut self, directory: impl Into<PathBuf>) {
        self.open.push(directory.into());
    }

    /// Adds something that this resource stands on.
    pub fn need(&mut self, claim: Claim) {
        self.needs.push(claim);
    }
}
