//! The key of a host that SSH knows.

use std::borrow::Cow;

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Port, Property, Reading, Resource, Result,
    Step, Want,
};

use super::hashed_name::hide;
use super::row::{Row, Search, host, token};
use super::table::KnownHosts;
use crate::edited_file::EditedFile;
use crate::edits::Aliases;
use crate::edits::hosts_entry::are_names;
use crate::line::document::Document;
use crate::public_key::PublicKey;

/// The public key of a host, in a file of hosts that SSH knows.
///
/// It is found by host, port and type of key, also where names are hashed. All other lines stay as they are. A host may
/// have keys of several types, each of which is a resource of its own. Patterns such as `*.example.org` are no names.
///
/// Removing it takes the host, and `aliases` if set, out of the lines; a line without names goes. It can be removed
/// without its key: then all types of keys are meant, or the one that `type` says.
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
    /// The name or address of the host.
    #[also("hostname")]
    #[check(are_names, "must be a name: no white space, `#` or comma")]
    #[name]
    pub host: String,
    /// The port that it listens at.
    #[default(Port(22))]
    pub port: Port,
    /// Its public key: `TYPE KEY`, as in a .pub file, or the key alone.
    #[required]
    pub key: Want<PublicKey>,
    /// The type of the key, such as `ssh-ed25519`; as the key says unless set. Only needed to remove one of several.
    #[also("key_type")]
    pub r#type: Option<String>,
    /// Other names of the same host and port, in any order. A line that is there keeps its own unless this is set. Not for
    /// names that are hashed: declare one for each.
    #[also("host_aliases")]
    #[check(are_names, "must be names: no white space, `#` or comma")]
    pub aliases: Want<Aliases>,
    /// Whether the name is hashed, so that the file does not tell where you connect to.
    #[also("hash_entries", "hash_host")]
    #[on_create(false)]
    pub hashed: Want<bool>,
    /// What the key is for, if not for the host itself: for signing the keys of hosts, or for being refused.
    pub marker: Option<KeyMarker>,
    /// The file: that of all users unless set. Of one user: `~ada/.ssh/known_hosts`.
    #[also("path", "target", "file_location")]
    #[default("/etc/ssh/ssh_known_hosts")]
    pub file: AbsolutePath,
    /// Whether the file is created, with mode 0644, if it does not exist.
    #[default(true)]
    pub create: bool,
}

/// What a key in a file of known hosts is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum KeyMarker {
    /// It signs the keys of hosts.
    CertAuthority,
    /// It must never be accepted.
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
        EditedFile::named(&self.file, self.create)
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

    /// The lines that stand for a goal: one, or one for each name if they are hashed.
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
        let mut gone = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let Some(row) = row.as_ref().filter(|row| row.is(self.search(&name))) else { continue };
            let left: Vec<_> =
                row.others(&name).into_iter().filter(|other| !aliases.contains(other)).collect();
            match left.is_empty() {
                true => gone.push(at),
                false => {
                    let line = Cow::Owned(row.named(left).text().into_bytes());
                    document.splice(at, at + 1, [line].into_iter());
                }
            }
        }
        document.retain_numbered(|number, _| gone.binary_search(&number).is_err());
        document.content()
    }
}

fn hashed(name: &str, machine: &Act<'_>) -> Result<String> {
    let mut salt = [0; 20];
    machine.fill_random(&mut salt)?;
    Ok(hide(name, &salt))
}

impl Claiming for SshKnownHost {
    /// It changes a part of its file, as others may do, and holds one key of one host in it alone.
    fn add_claims(&self, claims: &mut Claims) {
        claims.put_part(Claim::Path(self.file.to_path_buf()));
        let marker = self.marker.map_or(String::new(), |marker| format!("@{} ", marker.word()));
        let name = token(&self.host, self.port());
        let what = format!("{marker}{} key of {name} in {}", self.kind().unwrap_or("any"), self.file);
        claims.hold(Claim::Other("the", what.into()));
    }
}

impl Resource for SshKnownHost {
    fn prepare(&mut self, _: &Reading<'_>) -> Result<()> {
        if let (Some(key), Some(kind)) = (self.key.get(), &self.r#type)
            && key.kind() != kind
        {
            let what = format!("the key of {} is of type {}, and not {kind}", self.host, key.kind());
            return Err(Error::new(ErrorKind::Invalid, what).hint("leave `type` out: the key says it"));
        }
        let has_aliases = self.aliases.get().is_some_and(|aliases| !aliases.0.is_empty());
        if has_aliases && self.hashed.get() == Some(&true) {
            let what = format!("{} is hashed, and has aliases, which cannot be read again", self.host);
            return Err(Error::new(ErrorKind::Invalid, what).hint("declare one for each name"));
        }
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<SshKnownHostState>> {
        let Some(known) = self.target().parsed::<KnownHosts>(host)? else { return Ok(None) };
        let name = token(&self.host, self.port());
        Ok(known.find(self.search(&name)).map(|row| self.state(row, &name)))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| match step {
            Step::Create { goal } | Step::Update { goal, .. } => self.put(goal, old, host),
            Step::Remove { .. } => Ok(self.remove(old)),
        })
    }
}
