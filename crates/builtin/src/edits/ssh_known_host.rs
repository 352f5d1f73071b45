//! The kind `ssh_known_host`.

mod row;

use std::borrow::Cow;
use std::collections::HashMap;

use row::{Row, Search, hash, host, token};
use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::verification::Verification;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Found, Look, Parsed, Port, Problem, Property, Resource,
    Result, Step, Want,
};

use crate::public_key::PublicKey;

use super::Aliases;
use super::hosts_entry::are_names;

/// A host's public key in a `known_hosts` file.
///
/// The entry is identified by host, port and key type, also where host names are hashed. All other lines are kept.
/// A host can have keys of several types; each is a resource of its own. Patterns such as `*.example.org` are not
/// supported.
///
/// Removing it removes the host, and `aliases` if they are set, from its lines; a line without names is removed.
/// `key` is not needed for removal: then keys of all types are removed, or only of `type`.
///
/// ```hcl
/// ssh_known_host "git.example.org" {
///   key     = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIISuksGi8IZJKdQjbVjxRyhk0/sR+ttQ3RJ96GMbYr7u"
///   aliases = ["git", "192.0.2.8"]
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "ssh_known_host", also("sshkey", "known_hosts", "ssh_known_hosts_entry"), claims)]
pub struct SshKnownHost {
    /// Host name or address; defaults to the block's label.
    #[also("hostname")]
    #[check(are_names, "must not contain white space, `#` or a comma")]
    #[name]
    pub host: String,
    /// Port of the SSH server.
    #[default(Port(22))]
    pub port: Port,
    /// Public key: `TYPE KEY`, as in a `.pub` file, or only the base64 text of the key.
    #[required]
    pub key: Want<PublicKey>,
    /// Key type, such as `ssh-ed25519`. Read from the key if it is not set; only needed to remove one of several
    /// keys.
    #[also("key_type")]
    pub r#type: Option<String>,
    /// Other names of the same host and port, in any order. If it is not set, an existing line keeps its own. Not
    /// possible with hashed names: declare each name as a resource of its own.
    #[also("host_aliases")]
    #[check(are_names, "must not contain white space, `#` or a comma")]
    pub aliases: Want<Aliases>,
    /// Whether the host name is hashed, so that the file does not reveal it.
    #[also("hash_entries", "hash_host")]
    #[on_create(false)]
    pub hashed: Want<bool>,
    /// Special meaning of the key: it signs host keys (`cert_authority`), or is never accepted (`revoked`).
    pub marker: Option<KeyMarker>,
    /// File to edit. Defaults to the file of all users; for one user, use `~ada/.ssh/known_hosts`.
    #[also("path", "target", "file_location")]
    #[default("/etc/ssh/ssh_known_hosts")]
    pub file: AbsolutePath,
    /// Create the file, with mode 0644, if it does not exist.
    #[default(true)]
    pub create: bool,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

/// The special meaning of a key in a `known_hosts` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum KeyMarker {
    /// It signs host keys.
    CertAuthority,
    /// It is never accepted.
    Revoked,
}

impl KeyMarker {
    fn word(self) -> &'static str {
        match self {
            KeyMarker::CertAuthority => "cert-authority",
            KeyMarker::Revoked => "revoked",
        }
    }
}

impl SshKnownHost {
    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create).verified(&self.verification)
    }

    fn port(&self) -> u16 {
        self.port.0
    }

    fn kind(&self) -> Option<&str> {
        self.key.get().map(PublicKey::kind).or(self.r#type.as_deref())
    }

    fn search<'s>(&'s self, name: &'s str) -> Search<'s> {
        Search { marker: self.marker.map(KeyMarker::word), name, kind: self.kind() }
    }

    fn tokens(&self, aliases: &Aliases) -> Vec<String> {
        aliases.0.iter().map(|alias| token(alias, self.port())).collect()
    }

    fn state(&self, row: &Row, name: &str) -> SshKnownHostState {
        let others = row.others(name).iter().map(|other| host(other, self.port())).collect();
        SshKnownHostState { key: row.key.clone(), aliases: Aliases(others), hashed: row.is_hashed() }
    }

    /// The lines for a goal: one, or one for each name if names are hashed.
    fn rows(&self, goal: &SshKnownHostGoal, old: Option<&Row>, machine: &Act<'_>) -> Result<Vec<Row>> {
        let name = token(&self.host, self.port());
        let mut row = old.cloned().unwrap_or_else(|| Row::new(self.search(&name), goal.key.clone()));
        row.key = goal.key.clone();
        let others = goal.aliases.as_ref().map_or_else(|| row.others(&name), |aliases| self.tokens(aliases));
        let is_kept = old.is_some_and(|old| old.is_hashed() == goal.hashed && goal.hashed);
        if is_kept {
            return Ok(vec![row]);
        }
        let names = [name].into_iter().chain(others);
        if !goal.hashed {
            return Ok(vec![row.named(names.collect())]);
        }
        names.map(|name| Ok(row.named(vec![hashed(&name, machine)?]))).collect()
    }

    fn put(&self, goal: &SshKnownHostGoal, content: &[u8], machine: &Act<'_>) -> Result<Vec<u8>> {
        let mut document = Document::new(content);
        let name = token(&self.host, self.port());
        let found = document.lines().enumerate().find_map(|(at, line)| {
            Row::of(line).filter(|row| row.is(self.search(&name))).map(|row| (at, row))
        });
        let rows = self.rows(goal, found.as_ref().map(|(_, row)| row), machine)?;
        let (start, end) = match found {
            Some((at, _)) => (at, at + 1),
            None => (document.lines().len(), document.lines().len()),
        };
        document.splice(start, end, rows.iter().map(|row| Cow::Owned(row.text().into_bytes())));
        Ok(document.content())
    }

    fn remove(&self, content: &[u8]) -> Vec<u8> {
        let name = token(&self.host, self.port());
        let aliases = self.aliases.get().map(|aliases| self.tokens(aliases)).unwrap_or_default();
        let mut document = Document::new(content);
        let rows: Vec<_> = document.lines().map(Row::of).collect();
        let mut removed = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(row) = row.as_ref().filter(|row| row.is(self.search(&name))) else { continue };
            let left: Vec<_> =
                row.others(&name).into_iter().filter(|other| !aliases.contains(other)).collect();
            if left.is_empty() {
                removed.push(at);
            } else {
                let line = Cow::Owned(row.named(left).text().into_bytes());
                document.splice(at, at + 1, [line].into_iter());
            }
        }
        document.retain_numbered(|number, _| removed.binary_search(&number).is_err());
        document.content()
    }
}

fn hashed(name: &str, machine: &Act<'_>) -> Result<String> {
    let mut salt = [0; 20];
    machine.fill_random(&mut salt)?;
    Ok(hash(name, &salt))
}

impl Claiming for SshKnownHost {
    /// Other keys may be in the same file, but only one resource may manage a key type of a host.
    fn add_claims(&self, claims: &mut Claims) {
        claims.put_part(Claim::Path(self.file.to_path_buf()));
        let marker = self.marker.map_or(String::new(), |marker| format!("@{} ", marker.word()));
        let name = token(&self.host, self.port());
        let what = format!("{marker}{} key of {name} in {}", self.kind().unwrap_or("any"), self.file);
        claims.hold(Claim::Other("the", what.into()));
    }
}

impl Resource for SshKnownHost {
    fn validate(&self) -> Result<(), Problem> {
        let key = self.key.get().zip(self.r#type.as_ref()).filter(|(key, kind)| key.kind() != *kind);
        let wrong_type = key.map(|(key, kind)| {
            let rule = format!("is {kind}, but the key itself is of type {}", key.kind());
            Problem::new(None, rule, "remove `type`: it is read from the key").inside("type")
        });
        let has_aliases = self.aliases.get().is_some_and(|aliases| !aliases.0.is_empty());
        let is_hashed = has_aliases && self.hashed.get() == Some(&true);
        let hashed = is_hashed.then(|| {
            let rule = "excludes `aliases`, because hashed names cannot be read back";
            Problem::new(None, rule, "declare one resource for each name").inside("hashed")
        });
        Problem::of_members(wrong_type.into_iter().chain(hashed)).map_or(Ok(()), Err)
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(known) = self.target().parsed::<KnownHosts>(look)? else { return Ok(Found::Absent) };
        let name = token(&self.host, self.port());
        Ok(known.find(self.search(&name)).map(|row| self.state(row, &name)).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| match step {
            Step::Create { goal } | Step::Update { goal, .. } => self.put(goal, old, host),
            Step::Remove { .. } => Ok(self.remove(old)),
        })
    }
}

// A parsed `known_hosts` file.

/// The lines of the file, parsed once for all resources.
struct KnownHosts {
    rows: Vec<Row>,
    /// The lines of each plain name.
    by_name: HashMap<String, Vec<usize>>,
    /// The lines with a hashed name, which must be tried one by one.
    hashed: Vec<usize>,
}

impl Parsed for KnownHosts {
    fn parse(content: &[u8]) -> Result<Self> {
        let rows: Vec<Row> = Document::new(content).lines().filter_map(Row::of).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_hashed()) {
            for name in &row.names {
                by_name.entry(name.to_lowercase()).or_default().push(number);
            }
        }
        let hashed = (0..rows.len()).filter(|number| rows[*number].is_hashed()).collect();
        Ok(Self { rows, by_name, hashed })
    }
}

impl KnownHosts {
    /// The first matching line.
    fn find(&self, search: Search<'_>) -> Option<&Row> {
        let matches = |number: &&usize| self.rows[**number].is(search);
        let readable = self.by_name.get(search.name).and_then(|numbers| numbers.iter().find(matches));
        let hashed = self
            .hashed
            .iter()
            .take_while(|number| readable.is_none_or(|before| *number < before))
            .find(matches);
        hashed.or(readable).map(|number| &self.rows[*number])
    }
}
