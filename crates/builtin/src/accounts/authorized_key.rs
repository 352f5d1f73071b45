//! The kind `authorized_key`.

mod entry;

use std::path::{Path, PathBuf};

use entry::Entry;
use uphold_kit::checks::is_trimmed_line;
use uphold_kit::{ownership, parent, regular_file};
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Found, Interest, Look, NewFile, OwnedPaths, Problem,
    Property, Reading, Resource, Result, Step, User, UserName, Value, Want, Watching, Wish,
};

pub use entry::{KeyOptions, LoginKey};

/// The directory mode that `sshd` requires.
const DIRECTORY: u32 = 0o700;
/// The file mode that `sshd` requires.
const FILE: u32 = 0o600;

/// An SSH public key that a user may log in with.
///
/// Manages one line of the user's `~/.ssh/authorized_keys`, identified by the key itself; all other lines are kept.
/// The directory and the file are created if they are missing, and belong to the user. A symbolic link that the
/// user could have created is not followed. To allow no other keys, declare the whole file as a `file`.
///
/// ```hcl
/// authorized_key "ann@laptop" {
///   user    = "root"
///   key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a"
///   options = ["no-agent-forwarding", "from=\"10.0.0.0/8\""]
/// }
/// ```
///
/// Removing it removes every line that holds this key.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "authorized_key", also("ssh_authorized_key", "ssh_authorize_key"), claims, interests)]
pub struct AuthorizedKey {
    /// Name of this key; defaults to the block's label.
    #[name]
    pub name: String,
    /// The user who may log in with the key, by name or number.
    #[identity]
    pub user: UserName,
    /// The public key: the content of the `.pub` file, or only the base64 text of the key.
    #[identity]
    pub key: LoginKey,
    /// Key type, such as `ssh-ed25519`. Read from the key if it is not set.
    pub r#type: Want<String>,
    /// Options that restrict the key, as in `authorized_keys(5)`: `"no-pty"`, `"from=\"10.0.0.0/8\""`.
    #[also("key_options")]
    pub options: Want<KeyOptions>,
    /// Comment after the key. Defaults to the comment in `key`; a new line without either gets the name.
    #[check(is_trimmed_line, "must be a single line without spaces at its ends")]
    pub comment: Want<String>,
    /// The file to use instead of `~/.ssh/authorized_keys`. Its directory must exist.
    #[also("path", "target")]
    pub file: Option<AbsolutePath>,
}

impl Resource for AuthorizedKey {
    fn validate(&self) -> Result<(), Problem> {
        match self.r#type.get().filter(|declared| *declared != self.key.kind()) {
            Some(declared) => {
                let rule = format!("is {declared}, but the key itself is {}", self.key.kind());
                Err(Problem::new(None, rule, "leave `type` out: it follows from the key").inside("type"))
            }
            None => Ok(()),
        }
    }

    fn prepare(&self, look: &Look<'_>) -> Result<AuthorizedKeyWishes> {
        self.user.id(look)?;
        let comment = self.key.comment().filter(|_| !self.comment.is_set());
        Ok(AuthorizedKeyWishes {
            r#type: Wish::Set(self.key.kind().into()),
            comment: comment.map_or(Wish::Declared, |comment| Wish::Set(comment.into())),
            ..AuthorizedKeyWishes::default()
        })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(path) = self.path(look)? else { return Ok(Found::Absent) };
        let Some((_, content)) = regular_file::read(&path, look)? else { return Ok(Found::Absent) };
        let mut entries = entries(&content, self.key.body());
        // sshd accepts any matching line, so one wrong line among several is a difference.
        let wrong = entries.iter().position(|entry| !self.is_met(entry)).unwrap_or(0);
        Ok((!entries.is_empty())
            .then(|| entries.swap_remove(wrong))
            .map(|entry| AuthorizedKeyState {
                r#type: entry.kind,
                options: entry.options,
                comment: entry.comment,
            })
            .into())
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        match (&self.file, self.account(look)?) {
            (Some(file), _) => parent::check(file, look),
            // `.ssh` is created if missing; the home directory is not.
            (None, Some(user)) => parent::check(&user.home.join(".ssh"), look),
            (None, None) => Ok(()),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let entry = match step {
            Step::Create { goal } => Some(self.entry(
                goal,
                goal.comment.clone().unwrap_or_else(|| self.name.trim().replace(['\n', '\r'], " ")),
            )),
            Step::Update { goal, .. } => Some(self.entry(goal, goal.comment.clone().unwrap_or_default())),
            Step::Remove { .. } => None,
        };
        let Some(path) = self.path(host)? else { return Ok(()) };
        let old = regular_file::read_to_edit(&path, host)?;
        let content = replaced(old.as_deref().unwrap_or_default(), self.key.body(), entry.as_ref());
        self.write(&path, &content, old.is_none(), host)
    }
}

impl Claiming for AuthorizedKey {
    /// Several keys may be in one file, but only one resource may manage each key of a file.
    fn add_claims(&self, claims: &mut Claims) {
        let keys = match &self.file {
            Some(file) => Claim::Path(file.to_path_buf()),
            None => Claim::Other("keys of", ownership::written(&self.user).into()),
        };
        claims.hold(Claim::Other("the", format!("key {} in {keys}", self.key.fingerprint()).into()));
        claims.put_part(keys);
    }

    fn owned_paths(&self) -> Option<OwnedPaths> {
        let key = self.clone();
        Some(Box::new(move |host| key.path(host).map(|path| path.into_iter().collect())))
    }
}

impl Watching for AuthorizedKey {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        if self.file.is_none() {
            interests.extend(self.path(host).ok().flatten().map(Interest::Path));
        }
    }
}

impl AuthorizedKey {
    fn account(&self, host: &Reading<'_>) -> Result<Option<User>> {
        match self.user.to_value() {
            Value::Text(name) => host.accounts().user(&name),
            _ => host.accounts().user_by_id(self.user.id(host)?),
        }
    }

    /// The path of the key file; none if the user does not exist yet.
    fn path(&self, host: &Reading<'_>) -> Result<Option<PathBuf>> {
        if let Some(file) = &self.file {
            return Ok(Some(file.to_path_buf()));
        }
        Ok(self.account(host)?.map(|user| user.home.join(".ssh/authorized_keys")))
    }

    fn is_met(&self, entry: &Entry) -> bool {
        entry.kind == self.key.kind()
            && self.options.get().is_none_or(|options| *options == entry.options)
            && self.comment.get().is_none_or(|comment| *comment == entry.comment)
    }

    fn entry(&self, goal: &AuthorizedKeyGoal, comment: String) -> Entry {
        let options = goal.options.clone().unwrap_or_default();
        Entry { options, kind: self.key.kind().to_owned(), comment }
    }

    /// Writes the file. A new file belongs to the user, as does the directory if it is created.
    fn write(&self, path: &Path, content: &[u8], is_new: bool, host: &Act<'_>) -> Result<()> {
        let mut access = Access::default();
        if is_new && let Some(user) = self.account(host)? {
            let own = |mode| Access { mode: Some(mode), uid: Some(user.uid), gid: Some(user.gid) };
            access = own(FILE);
            let directory = user.home.join(".ssh");
            if self.file.is_none() && host.files().look(&directory)?.is_none() {
                host.edits().make_directory(&directory, &own(DIRECTORY))?;
            }
        }
        host.edits().write(path, &NewFile::new(content, access))
    }
}

// An `authorized_keys` file in which one key changes and all other lines stay byte for byte.

/// All lines of the file that hold the key `body`.
fn entries(content: &[u8], body: &str) -> Vec<Entry> {
    lines(content).filter_map(|line| entry(line, body)).collect()
}

/// Returns the file with one line for the key, in place of the first or at the end; without the key if `entry_` is
/// none.
fn replaced(content: &[u8], body: &str, entry_: Option<&Entry>) -> Vec<u8> {
    let mut new = entry_.map(|entry| entry.line(body));
    let mut result = Vec::with_capacity(content.len());
    let mut add = |line: &[u8]| {
        result.extend_from_slice(line);
        result.push(b'\n');
    };
    for line in lines(content) {
        match entry(line, body) {
            None => add(line),
            Some(_) => {
                if let Some(new) = new.take() {
                    add(new.as_bytes());
                }
            }
        }
    }
    if let Some(new) = new {
        add(new.as_bytes());
    }
    result
}

fn entry(line: &[u8], body: &str) -> Option<Entry> {
    Entry::of(&String::from_utf8_lossy(line), body)
}

fn lines(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let whole = content.strip_suffix(b"\n").unwrap_or(content);
    let count = if content.is_empty() { 0 } else { usize::MAX };
    whole.split(|byte| *byte == b'\n').take(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_lines_are_kept() {
        let check = |content: &[u8], put: &str, removed: &[u8]| {
            let entry = Entry::of("no-pty ssh-rsa AAAA new", "AAAA");
            let found = replaced(content, "AAAA", entry.as_ref());
            assert_eq!(String::from_utf8_lossy(&found), put);
            assert_eq!(replaced(content, "AAAA", None), removed);
        };
        let new = "no-pty ssh-rsa AAAA new\n";
        check(b"", new, b"");
        check(b"# a\n\nssh-rsa BBBB", &format!("# a\n\nssh-rsa BBBB\n{new}"), b"# a\n\nssh-rsa BBBB\n");
        check(b"ssh-rsa AAAA\nx\nssh-rsa AAAA b\n", &format!("{new}x\n"), b"x\n");
        let found = replaced(b"\xff\n", "AAAA", None);
        assert_eq!(found, b"\xff\n");
    }
}
