//! The kind `password`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use uphold_kit::documents::{read_json, write_json};
use uphold_kit::ownership::Ownership;
use uphold_kit::{parent, regular_file};
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Desired, EntryKind, Error, ErrorKind, Found,
    Interest, Look, Mode, NewFile, Previous, Properties, Property, READ_LIMIT, Reading, Resource, Result,
    Seen, Sensitive, Step, Value, Verbs, Want, Watching, Writers, trusted_path, untrusted_words,
};

/// The directory of passwords without a declared path.
const STORE: &str = "/var/lib/uphold/passwords";

/// A random password, generated once and kept in a file.
///
/// An existing password is kept as long as its length and `keepers` match. Its value is never shown, and is unknown
/// in a plan until it exists. The file contains only the password, without a newline.
///
/// A file that another user could have written is refused: only root, the user that Uphold runs as and `owner` may
/// be able to write to the file and its parent directories.
///
/// Removing it removes the file.
///
/// ```hcl
/// password "db" {
///   length = 24
/// }
///
/// file "/etc/app.conf" {
///   content = "password=${password.db.value}\n"
///   mode    = "0600"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "password",
    also("random_password", "secret"),
    claims,
    interests,
    exclusive(alphabet, characters),
    verbs(regenerate = "Generate a new password now.")
)]
pub struct Password {
    /// Name of the password; defaults to the block's label.
    #[check(is_file_name, "must not contain slashes or begin with a dot")]
    #[name]
    pub name: String,
    /// File for the password. Defaults to `/var/lib/uphold/passwords/NAME`, in a directory that only root can
    /// access.
    #[also("file", "dest")]
    #[claim(none)]
    pub path: Option<AbsolutePath>,
    /// Number of characters. A password of another length is generated again.
    #[on_create(32_u32)]
    #[range(1..=4096)]
    pub length: Want<u32>,
    /// Characters of a new password: `alphanumeric`, `letters`, `digits`, `hex` or `printable`. An existing
    /// password is kept.
    #[default(Alphabet::Alphanumeric)]
    pub alphabet: Alphabet,
    /// Exact set of characters for a new password, instead of `alphabet`.
    #[also("chars", "override_special")]
    #[check(are_characters, "must have 2 to 256 different characters and no control characters")]
    pub characters: Option<String>,
    /// Arbitrary names and values. If one of them changes, a new password is generated. They are stored next to it.
    pub keepers: Want<Keepers>,
    /// Mode of the file.
    #[enforce("0600")]
    pub mode: Want<Mode>,
    /// Owner and group of the file.
    #[flatten(state, doc(owner = "Owner of the file.", group = "Group of the file."))]
    pub ownership: Ownership,
    /// The password.
    pub value: Seen<Sensitive<String>>,
}

fn is_file_name(value: &Value) -> bool {
    matches!(value, Value::Text(text)
        if !text.is_empty() && !text.starts_with('.') && !text.contains(|c: char| c == '/' || c.is_control()))
}

fn are_characters(value: &Value) -> bool {
    let Value::Text(text) = value else { return false };
    let mut seen = std::collections::BTreeSet::new();
    let distinct = text.chars().all(|character| seen.insert(character) && !character.is_control());
    distinct && (2..=256).contains(&seen.len())
}

impl Password {
    fn place(&self) -> PathBuf {
        self.path.as_ref().map_or_else(|| Path::new(STORE).join(&self.name), |path| path.to_path_buf())
    }

    /// Fails if another user could have chosen the password, or could cause a new one.
    fn check_trust(&self, host: &Reading<'_>) -> Result<()> {
        let owner = self.ownership.owner.get().and_then(|owner| owner.id(host).ok());
        let place = self.place();
        check(&place, owner, host)?;
        check(&beside(&place), owner, host)
    }

    /// The current state, without a check of who could have written the file.
    fn find(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let place = self.place();
        let Some((entry, content)) = regular_file::read(&place, look)? else { return Ok(Found::Absent) };
        let text = String::from_utf8_lossy(&content);
        let password = text.trim_end_matches(['\n', '\r']);
        // An empty file counts as no password.
        if password.is_empty() {
            return Ok(Found::Absent);
        }
        Ok(Found::This(PasswordState {
            length: u32::try_from(password.chars().count()).unwrap_or(u32::MAX),
            keepers: read(&place, look)?,
            mode: Mode::new(entry.mode),
            ownership: self.ownership.load(&entry, look)?,
            value: Sensitive::new(password.to_owned()),
        }))
    }

    /// Generates a new password. Its keepers are written last: if that fails, the next run generates another one.
    fn make(&self, goal: &PasswordGoal, host: &Act<'_>) -> Result<()> {
        let characters = match &self.characters {
            Some(characters) => characters.chars().collect(),
            None => self.alphabet.characters(),
        };
        let password = generate(&characters, goal.length, host)?;
        if self.path.is_none() {
            make_store(host)?;
        }
        let access = self.ownership.access(Some(goal.mode.bits()), host)?;
        self.put(password.as_bytes(), access, host)?;
        write(&self.place(), goal.keepers.as_ref().unwrap_or(&Keepers::new()), host)
    }

    fn put(&self, content: &[u8], access: Access, host: &Act<'_>) -> Result<()> {
        let file = NewFile::new(content, access);
        host.edits().write(&self.place(), &file)
    }

    fn update(&self, goal: &PasswordGoal, change: &PasswordChange, host: &Act<'_>) -> Result<()> {
        if change.length.is_some() || change.keepers.is_some() {
            return self.make(goal, host);
        }
        let access = self.ownership.access(Some(goal.mode.bits()), host)?;
        if !change.ownership.is_any() {
            let access = Access { mode: access.mode, ..Access::default() };
            return uphold_resource::set_access(&self.place(), "a regular file", &access, host);
        }
        // Another process may have the old file open for writing, so it is replaced.
        let content = host.edits().content(&self.place(), READ_LIMIT)?;
        self.put(&content, access, host)
    }
}

/// Creates the directory, which only root can access, and its parents.
fn make_store(host: &Act<'_>) -> Result<()> {
    let store = Path::new(STORE);
    let above: Vec<&Path> = store.ancestors().collect();
    for directory in above.into_iter().rev() {
        if host.files().look(directory)?.is_none() {
            let mode = if directory == store { 0o700 } else { 0o755 };
            host.edits().make_directory(directory, &Access { mode: Some(mode), ..Access::default() })?;
        }
    }
    Ok(())
}

impl Claiming for Password {
    /// It creates its file, declared or not.
    fn add_claims(&self, claims: &mut Claims) {
        let place = self.place();
        claims.needs.extend(place.parent().map(|parent| Claim::Path(parent.to_owned())));
        claims.own(beside(&place));
        claims.hold(Claim::Path(place));
    }
}

impl Watching for Password {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        let place = self.place();
        interests.push(Interest::Path(beside(&place)));
        if self.path.is_none() {
            interests.push(Interest::Path(place));
        }
    }
}

impl Verbs for Password {
    type Verb = PasswordVerb;

    fn run(&self, verb: PasswordVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            PasswordVerb::Regenerate => {
                let current = self.find(&Look::to(Desired::Present, host))?.state()?;
                self.make(&self.goal(current.as_ref()), host)
            }
        }
    }
}

impl Resource for Password {
    fn prepare(&self, look: &Look<'_>) -> Result<PasswordWishes> {
        self.ownership.must_exist(look)?;
        self.check_trust(look)?;
        Ok(PasswordWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        // A password that is removed need not be trusted; a value that is read must be.
        if look.needs("value") {
            self.check_trust(look)?;
        }
        self.find(look)
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        match &self.path {
            Some(path) => parent::check(path, look),
            None => Ok(()),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => self.make(goal, host),
            Step::Update { goal, change, .. } => self.update(goal, change, host),
            Step::Remove { .. } => {
                write(&self.place(), &Keepers::new(), host)?;
                host.edits().remove_file(&self.place())
            }
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Create { .. } => Previous::VALUES,
            Step::Update { change, .. } if change.length.is_none() && change.keepers.is_none() => {
                Previous::VALUES
            }
            _ => Previous::none("the previous password is not kept"),
        }
    }
}

// Whether another user could have chosen a password.

/// Fails if a user other than root, the user that Uphold runs as and the declared `owner` could have written the
/// file at `path`, or can replace it. A file that does not exist yet passes.
///
/// # Errors
/// [`ErrorKind::Rejected`].
fn check(path: &Path, owner: Option<u32>, host: &Reading<'_>) -> Result<()> {
    let own = host.accounts().current_uid();
    let writers = Writers::root_and(own).and(owner.unwrap_or(own));
    let place = trusted_path(path, &writers, host)?.map_err(|why| refusal(path, &why))?;
    let found = host.files().look(&place)?;
    match found.and_then(|entry| writers.untrusted_reason(&entry, host)) {
        Some(doubt) => Err(refusal(path, &untrusted_words(doubt, &place, host)?)),
        None => Ok(()),
    }
}

fn refusal(path: &Path, why: &str) -> Error {
    let what = format!("another user could have chosen the password in {}: {why}", path.display());
    let hint =
        "use a path that only root can write to, or set `owner` to the user who may choose the password";
    Error::new(ErrorKind::Rejected, what).hint(hint)
}

// The `keepers` of a password, stored next to it.

/// Values that cause a new password when they change.
type Keepers = BTreeMap<String, String>;

/// The file next to `path` in which they are stored.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".keepers");
    name.into()
}

/// The stored keepers of the password at `path`; empty if there is no file.
fn read(path: &Path, host: &Reading<'_>) -> Result<Keepers> {
    let path = beside(path);
    let size = match host.files().look(&path)? {
        Some(entry) if entry.kind == EntryKind::File => entry.size,
        _ => return Ok(Keepers::new()),
    };
    let content = host.files().read(&path, size)?;
    let broken = || {
        let what = format!("{} was not written by Uphold", path.display());
        Error::new(ErrorKind::Invalid, what).hint("restore the file; without it, a new password is generated")
    };
    let text = |(name, value): (_, &Value)| match value {
        Value::Text(text) => Ok((ToString::to_string(name), text.to_string())),
        _ => Err(broken()),
    };
    match read_json(&content).map_err(|error| broken().because(error.chain()))? {
        Value::Map(map) => map.iter().map(text).collect(),
        _ => Err(broken()),
    }
}

/// Stores the keepers of the password at `path`, readable for the owner only.
fn write(path: &Path, keepers: &Keepers, host: &Act<'_>) -> Result<()> {
    let path = beside(path);
    let exists = host.files().look(&path)?.is_some();
    if keepers.is_empty() {
        return if exists { host.edits().remove_file(&path) } else { Ok(()) };
    }
    let map = Value::map(keepers.iter().map(|(name, value)| (name.as_str(), Value::text(value.as_str()))));
    let content = write_json(&map);
    let access = Access { mode: Some(0o600), ..Access::default() };
    let file = NewFile::new(content.as_bytes(), access);
    host.edits().write(&path, &file)
}

// The characters of passwords.

/// The characters of a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Alphabet {
    /// Upper-case and lower-case letters, and digits.
    Alphanumeric,
    /// Upper-case and lower-case letters.
    Letters,
    /// Digits.
    Digits,
    /// Digits, and letters from `a` to `f`.
    Hex,
    /// All printable ASCII characters, including those with a special meaning in shells and URLs.
    Printable,
}

impl Alphabet {
    fn characters(self) -> Vec<char> {
        let lower = || 'a'..='z';
        match self {
            Alphabet::Alphanumeric => ('A'..='Z').chain(lower()).chain('0'..='9').collect(),
            Alphabet::Letters => ('A'..='Z').chain(lower()).collect(),
            Alphabet::Digits => ('0'..='9').collect(),
            Alphabet::Hex => ('0'..='9').chain('a'..='f').collect(),
            Alphabet::Printable => ('!'..='~').collect(),
        }
    }
}

/// The number of random bytes requested at a time.
const PORTION: usize = 64;

/// Generates a password with uniformly distributed characters, of which there may be at most 256.
fn generate(characters: &[char], length: u32, host: &Act<'_>) -> Result<String> {
    let mut password = String::new();
    let mut left = length;
    // Larger bytes are discarded, because they would make the first characters more likely.
    let rounds = (256 / characters.len().max(1)) * characters.len();
    let mut bytes = [0; PORTION];
    while left > 0 {
        host.fill_random(&mut bytes)?;
        let usable = bytes.iter().map(|byte| usize::from(*byte)).filter(|byte| *byte < rounds);
        for byte in usable.take(left as usize) {
            password.push(characters[byte % characters.len()]);
            left -= 1;
        }
    }
    Ok(password)
}
