//! The kind `apt_repository`.

mod document;

use std::fmt;
use std::path::{Path, PathBuf};

use document::Document;
use uphold_kit::{parent, regular_file};
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Context, Found, Interest, Look, NewFile, Previous,
    Problem, Property, Reading, Resource, Result, Role, Seen, Step, Type, Value, Want, Watching,
};

use super::{apt, sources};

pub use document::Fields;

/// The directory of repository files.
const DIRECTORY: &str = "/etc/apt/sources.list.d";

/// An apt repository.
///
/// Manages the file `/etc/apt/sources.list.d/NAME.sources`, in apt's deb822 format. Fields that are not declared
/// are kept.
///
/// An enabled repository is tested first: its package lists are fetched, and only if that succeeds the file is put
/// in place. So a wrong address or a missing key breaks nothing. All `package` resources come after it; it comes
/// after the `apt_key` in `signed_by`.
///
/// Removing it removes the file. Packages installed from it are kept.
///
/// ```hcl
/// apt_key "example" {
///   source = "/srv/keys/example.asc"
/// }
///
/// apt_repository "example" {
///   uris       = ["https://packages.example.org/debian"]
///   suites     = ["stable"]
///   components = ["main"]
///   signed_by  = apt_key.example.path
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "apt_repository", also("apt_source", "deb822_repository", "apt_repo"), claims, interests)]
pub struct AptRepository {
    /// File name without `.sources`; defaults to the block's label.
    #[name]
    #[also("repo_name", "filename")]
    #[pattern("^[A-Za-z0-9_.-]+$")]
    pub name: String,
    /// Types: `"deb"` for packages, `"deb-src"` for source packages.
    #[also("deb_src")]
    #[on_create(vec!["deb".to_owned()])]
    #[check(are_types, "must contain \"deb\", \"deb-src\" or both")]
    pub types: Want<Vec<String>>,
    /// Addresses of the repository: one, or several with the same content.
    #[required]
    #[also("uri", "url", "location", "repo")]
    #[check(are_words, "must be a list of at least one address without spaces")]
    pub uris: Want<Vec<String>>,
    /// Suites, such as `"bookworm"`. A suite that ends in `/` is a path, and has no components.
    #[required]
    #[also("distribution", "release", "suite", "dist")]
    #[check(are_words, "must be a list of at least one word without spaces")]
    pub suites: Want<Vec<String>>,
    /// Components of the suites, such as `"main"`.
    #[also("repos", "component")]
    #[check(are_plain, "must be a list of words without spaces")]
    pub components: Want<Vec<String>>,
    /// File with the keys that may sign the repository: the `path` of an `apt_key`. Defaults to all keys that apt
    /// trusts.
    #[also("key", "keyring", "signed-by")]
    pub signed_by: Want<Option<SignedBy>>,
    /// Architectures to use. Defaults to those of the system.
    #[also("arch", "architecture")]
    #[check(are_plain, "must be a list of words without spaces")]
    pub architectures: Want<Vec<String>>,
    /// Whether the repository is enabled.
    #[on_create(true)]
    pub enabled: Want<bool>,
    /// Accept its packages without a valid signature (true), or never accept them (false). If it is not set, apt
    /// decides by the signature.
    pub trusted: Want<Option<bool>>,
    /// Further fields by name: `{ Languages = "none", "Check-Valid-Until" = "no" }`. An empty string removes a
    /// field.
    pub fields: Want<Fields>,
    /// Test the repository and fetch its package lists when it changes.
    #[also("cache_rebuild", "update_cache")]
    #[default(true)]
    pub update: bool,
    /// Path of the repository's file.
    pub path: Seen<String>,
}

impl Resource for AptRepository {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(document) = self.read(look)? else { return Ok(Found::Absent) };
        let words = |name: &str| document.words(name).unwrap_or_default();
        Ok(Found::This(AptRepositoryState {
            types: words("Types"),
            uris: words("URIs"),
            suites: words("Suites"),
            components: words("Components"),
            signed_by: document.value("Signed-By").map(SignedBy::from),
            architectures: words("Architectures"),
            enabled: document.value("Enabled").and_then(truth).unwrap_or(true),
            trusted: document.value("Trusted").and_then(truth),
            fields: Fields::of(&document),
            path: self.path().to_string_lossy().into_owned(),
        }))
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path(), look)
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.put(Document::default(), goal, host),
            Step::Update { goal, .. } => self.put(self.read(host)?.unwrap_or_default(), goal, host),
            Step::Remove { .. } => host.edits().remove_file(&self.path()),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { change, .. }
                if change.fields.as_ref().is_some_and(|fields| !fields.from.has_names_of(&fields.to)) =>
            {
                Previous::none("a declaration cannot remove the fields that it added")
            }
            _ => Previous::VALUES,
        }
    }
}

impl Claiming for AptRepository {
    /// Only one resource may manage the file. Repositories are tested one at a time, because apt fetches for one at
    /// a time.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Path(self.path()));
        claims.declare_whole_content();
        claims.need(Claim::Path(DIRECTORY.into()));
        claims.lead(sources());
        claims.edit(sources());
    }
}

impl Watching for AptRepository {
    /// The key is used only when the repository is tested, so it is not watched.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Path(self.path()));
    }
}

impl AptRepository {
    fn path(&self) -> PathBuf {
        Path::new(DIRECTORY).join(format!("{}.sources", self.name))
    }

    fn read(&self, host: &Reading<'_>) -> Result<Option<Document>> {
        let path = self.path();
        let Some((_, content)) = regular_file::read(&path, host)? else { return Ok(None) };
        let parsed = Document::parse(&content);
        parsed.map(Some).map_err(|error| error.while_(format!("cannot manage {}", path.display())))
    }

    /// Tests the repository in a file that apt does not use, and then puts it in place.
    fn put(&self, mut document: Document, goal: &AptRepositoryGoal, host: &Act<'_>) -> Result<()> {
        fill(&mut document, goal);
        let content = document.content();
        if self.update && goal.enabled {
            let candidate = PathBuf::from(format!("/var/lib/apt/uphold-{}.sources", self.name));
            write(&candidate, &content, host)?;
            let tried = apt::try_source(&candidate, &self.name, host);
            host.edits().remove_file(&candidate)?;
            tried?;
        }
        write(&self.path(), &content, host)
    }
}

fn write(path: &Path, content: &[u8], host: &Act<'_>) -> Result<()> {
    let mode = host.files().look(path)?.is_none().then_some(0o644);
    let access = Access { mode, ..Access::default() };
    host.edits().write(path, &NewFile::new(content, access))
}

/// Sets fields that differ; the others keep their text.
fn fill(document: &mut Document, goal: &AptRepositoryGoal) {
    let mut set = |name: &str, words: &[String]| {
        if document.words(name).unwrap_or_default() != words {
            document.set(name, &words.join(" "));
        }
    };
    set("Types", &goal.types);
    set("URIs", &goal.uris);
    set("Suites", &goal.suites);
    set("Components", goal.components.as_deref().unwrap_or_default());
    set("Architectures", goal.architectures.as_deref().unwrap_or_default());
    let signed_by = goal.signed_by.as_ref().map(ToString::to_string);
    if document.value("Signed-By") != signed_by.as_deref() {
        document.set("Signed-By", &signed_by.unwrap_or_default());
    }
    if document.value("Enabled").and_then(truth).unwrap_or(true) != goal.enabled {
        document.set("Enabled", if goal.enabled { "" } else { "no" });
    }
    if document.value("Trusted").and_then(truth) != goal.trusted {
        document.set("Trusted", goal.trusted.map_or("", |trusted| if trusted { "yes" } else { "no" }));
    }
    if let Some(fields) = &goal.fields {
        fields.fill(document);
    }
}

/// Parses a boolean as apt does; other values count as unset.
fn truth(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "yes" | "true" | "with" | "on" | "enable" | "1" => Some(true),
        "no" | "false" | "without" | "off" | "disable" | "0" => Some(false),
        _ => None,
    }
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    let Value::List(list) = value else { return None };
    list.iter().map(text).collect()
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn are_types(value: &Value) -> bool {
    texts(value)
        .is_some_and(|words| !words.is_empty() && words.iter().all(|word| ["deb", "deb-src"].contains(word)))
}

/// A space would split a word, and a line break would start another field.
fn are_plain(value: &Value) -> bool {
    let is_plain = |word: &&str| !word.is_empty() && !word.contains(char::is_whitespace);
    texts(value).is_some_and(|words| words.iter().all(is_plain))
}

fn are_words(value: &Value) -> bool {
    are_plain(value) && matches!(value, Value::List(list) if !list.is_empty())
}

// The property `signed_by`.

/// The path of a key file. An existing file may also contain the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedBy(String);

impl Property for SignedBy {
    const TYPE: &'static Type = AbsolutePath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AbsolutePath::from_value(value, context).map(|path| Self(path.to_string()))
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }

    /// It depends on its key file.
    fn claim(&self, role: Role, claims: &mut Claims) {
        if let Ok(path) = AbsolutePath::new(&self.0) {
            path.claim(role, claims);
        }
    }
}

impl From<&str> for SignedBy {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl fmt::Display for SignedBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
