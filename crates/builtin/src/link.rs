//! The kind `link`.

use std::fmt;
use std::path::{Path, PathBuf};

use uphold_kit::ownership::Ownership;
use uphold_kit::parent;
use uphold_resource::{
    AbsolutePath, Access, Act, AnyPath, Claim, Claiming, Claims, Context, Entry, EntryKind, Error, Found,
    Interest, Look, Other, Previous, Problem, Property, Reading, Resource, Result, Step, Type, Value, Want,
    Watching, replaced, wrong_type,
};

/// A symbolic or hard link.
///
/// A regular file or another link at the path is replaced atomically; anything else at the path is an error.
/// Removing it removes the link and not its target; if something other than the link is at the path, that is an
/// error.
///
/// ```hcl
/// link "/etc/localtime" {
///   to = "/usr/share/zoneinfo/UTC"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "link", also("symlink"), claims, interests)]
pub struct Link {
    /// Path of the link; defaults to the block's label.
    #[name]
    pub path: AbsolutePath,
    /// Target of the link. A symbolic link stores this exactly as written, and may be dangling. A hard link needs
    /// an existing file; a relative path starts at the directory of the link.
    #[also("target", "src")]
    #[required]
    pub to: Want<Target>,
    /// `symbolic` or `hard`.
    #[default(LinkType::Symbolic)]
    pub r#type: LinkType,
    /// Owner and group of the link.
    #[flatten(
        state,
        doc(
            owner = "Owner of the link itself; for a hard link, the owner of the file.",
            group = "Group of the link itself; for a hard link, the group of the file."
        )
    )]
    pub ownership: Ownership,
}

/// The type of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum LinkType {
    /// A file that contains a path.
    Symbolic,
    /// Another name of a file.
    Hard,
}

impl Resource for Link {
    fn prepare(&self, look: &Look<'_>) -> Result<LinkWishes> {
        self.ownership.must_exist(look)?;
        Ok(LinkWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let target = match self.r#type {
            LinkType::Symbolic => self.symbolic_target(&entry)?,
            LinkType::Hard => self.hard_target(&entry, look)?,
        };
        let Some(to) = target else { return Ok(Found::Other(self.other(&entry))) };
        Ok(Found::This(LinkState { to, ownership: self.ownership.load(&entry, look)? }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, host),
            Step::Update { goal, change, .. } if change.to.is_some() => self.make(goal, host),
            Step::Update { .. } => {
                let access = self.ownership.access(None, host)?;
                let expected = match self.r#type {
                    LinkType::Symbolic => "a symbolic link",
                    LinkType::Hard => "a regular file",
                };
                uphold_resource::set_access(&self.path, expected, &access, host)
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }

    fn replaces_other(&self) -> bool {
        true
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { current, .. } | Step::Remove { current } => match self.r#type {
                LinkType::Hard if !self.to.is_set() => {
                    Previous::none("a hard link does not store its target")
                }
                _ if !current.to.is_text() => Previous::none("its previous target is not UTF-8"),
                _ => Previous::VALUES,
            },
            Step::Create { .. } => Previous::VALUES,
        }
    }
}

/// A hard link depends on its file; a symbolic link may be dangling.
impl Claiming for Link {
    fn add_claims(&self, claims: &mut Claims) {
        claims.needs.extend(self.file().map(Claim::Path));
    }
}

/// A hard link is broken when its file is replaced.
impl Watching for Link {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.extend(self.file().map(Interest::Path));
    }
}

impl Link {
    /// The file that a hard link refers to.
    fn file(&self) -> Option<PathBuf> {
        match self.r#type {
            LinkType::Symbolic => None,
            LinkType::Hard => self.to.get().map(|to| self.target_from_link(to.path())),
        }
    }

    /// A path relative to the directory of the link.
    fn target_from_link(&self, to: &Path) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("/")).join(to)
    }

    /// None if it is a regular file.
    fn symbolic_target(&self, entry: &Entry) -> Result<Option<Target>> {
        match &entry.kind {
            EntryKind::Link(target) => Ok(Some(Target::from(target.as_path()))),
            EntryKind::File => Ok(None),
            kind => Err(self.in_the_way(kind, "a symbolic link")),
        }
    }

    /// A hard link does not store its target: it is right if it is the same file. None if it is another one.
    fn hard_target(&self, entry: &Entry, host: &Reading<'_>) -> Result<Option<Target>> {
        if let (Some(declared), Some(file)) = (self.to.get(), self.file())
            && host.files().look(&file)?.is_some_and(|file| file.identity == entry.identity)
        {
            return Ok(Some(declared.clone()));
        }
        match &entry.kind {
            EntryKind::File if !self.to.is_set() => Ok(Some(Target::from(&*self.path))),
            EntryKind::File | EntryKind::Link(_) => Ok(None),
            kind => Err(self.in_the_way(kind, "a hard link")),
        }
    }

    /// A file that the link replaces.
    fn other(&self, entry: &Entry) -> Other {
        let (words, expected) = match (self.r#type, &entry.kind) {
            (LinkType::Symbolic, kind) => (kind.words(), "a symbolic link"),
            (LinkType::Hard, EntryKind::File) => ("another file", "a hard link to the file in `to`"),
            (LinkType::Hard, kind) => (kind.words(), "a hard link to the file in `to`"),
        };
        Other::new(&*self.path, words, expected)
            .hint("if it is to be removed, declare it as a `file` with `action = \"remove\"`")
    }

    fn in_the_way(&self, found: &EntryKind, wanted: &str) -> Error {
        wrong_type(&*self.path, found.words(), wanted).hint("move it elsewhere, or choose another path")
    }

    /// Creates the link, with the owner of the goal: a new link would belong to the current user.
    fn make(&self, goal: &LinkGoal, host: &Act<'_>) -> Result<()> {
        let to = goal.to.path();
        match self.r#type {
            LinkType::Symbolic => host.edits().make_link(&self.path, to)?,
            LinkType::Hard => host.edits().make_hard_link(&self.path, &self.target_from_link(to))?,
        }
        let Some(entry) = host.files().look(&self.path)? else { return Ok(()) };
        let access = self.owner_to_set(goal, &entry, host)?;
        if access == Access::default() {
            return Ok(());
        }
        if !self.is_made(&entry, to, host)? {
            return Err(replaced(&self.path));
        }
        host.edits().set_access(&self.path, &entry, &access)
    }

    /// Whether this is the link that was just created.
    fn is_made(&self, entry: &Entry, to: &Path, host: &Reading<'_>) -> Result<bool> {
        match self.r#type {
            LinkType::Symbolic => Ok(entry.kind == EntryKind::Link(to.to_owned())),
            LinkType::Hard => {
                let file = host.files().look(&self.target_from_link(to))?;
                Ok(file.is_some_and(|file| file.identity == entry.identity))
            }
        }
    }

    fn owner_to_set(&self, goal: &LinkGoal, entry: &Entry, host: &Reading<'_>) -> Result<Access> {
        // A symbolic link without a declared owner keeps its own; a hard link has the owner of its file.
        let keeps = self.r#type == LinkType::Symbolic;
        let owner = goal.ownership.owner.as_ref().filter(|_| keeps || self.ownership.owner.is_set());
        let group = goal.ownership.group.as_ref().filter(|_| keeps || self.ownership.group.is_set());
        let uid = owner.map(|owner| owner.id(host)).transpose()?.filter(|uid| *uid != entry.uid);
        let gid = group.map(|group| group.id(host)).transpose()?.filter(|gid| *gid != entry.gid);
        Ok(Access { mode: None, uid, gid })
    }
}

// The target of a link.

/// The target of a link, exactly as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Target(Form);

#[derive(Clone, PartialEq, Eq)]
enum Form {
    Path(AnyPath),
    /// A path that is not UTF-8. It can be found but not declared, so it equals no declared target.
    Bytes(PathBuf),
}

impl Target {
    /// The path.
    pub fn path(&self) -> &Path {
        match &self.0 {
            Form::Path(path) => path.as_ref(),
            Form::Bytes(path) => path,
        }
    }

    /// Whether it is a path that can be declared.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.0, Form::Path(_))
    }
}

impl Property for Target {
    const TYPE: &'static Type = AnyPath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AnyPath::from_value(value, context).map(|path| Target(Form::Path(path)))
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::Path(path) => path.to_value(),
            Form::Bytes(path) => Value::text(path.to_string_lossy()),
        }
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<&str> for Target {
    fn from(path: &str) -> Self {
        Target(Form::Path(AnyPath::new(path)))
    }
}

impl From<&Path> for Target {
    fn from(path: &Path) -> Self {
        path.to_str().map_or_else(|| Target(Form::Bytes(path.to_owned())), Target::from)
    }
}
