//! The kind `hosts_entry`.

mod table;

use std::net::IpAddr;

use table::{HostsTable, Row, find, put, remove};
use uphold_kit::checks::is_trimmed_line;
use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::verification::Verification;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Context, Found, Look, Problem, Property, Resource, Result,
    Step, Type, Value, Want,
};

/// A host's IP address in `/etc/hosts`.
///
/// The entry is identified by its name, the first one in its line. A name can have an IPv4 and an IPv6 address;
/// each is a resource of its own. All other lines and comments are kept. If several lines of one address family
/// have the name, the first is managed, because it takes precedence.
///
/// Removing it removes all lines with that name; only those of one address family if `ip` is set.
///
/// ```hcl
/// hosts_entry "db.example.org" {
///   ip      = "192.0.2.7"
///   aliases = ["db"]
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "hosts_entry", also("host", "hostsfile_entry", "hosts"), claims)]
pub struct HostsEntry {
    /// Host name: the first one in its line. Defaults to the block's label.
    #[also("host", "hostname")]
    #[check(are_names, "must not contain white space, `#` or a comma")]
    #[name]
    pub name: String,
    /// IP address.
    #[also("address", "ip_address")]
    #[required]
    pub ip: Want<IpAddr>,
    /// All other names in the line, in any order. If it is not set, an existing line keeps its own.
    #[also("host_aliases")]
    #[check(are_names, "must not contain white space, `#` or a comma")]
    pub aliases: Want<Aliases>,
    /// Comment at the end of the line; empty for none. If it is not set, an existing line keeps its own.
    #[check(is_trimmed_line, "must be a single line without white space at its ends")]
    pub comment: Want<String>,
    /// The file to edit.
    #[also("path", "target")]
    #[default("/etc/hosts")]
    pub file: AbsolutePath,
    /// Create the file, with mode 0644, if it does not exist.
    #[default(true)]
    pub create: bool,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

impl HostsEntry {
    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create).verified(&self.verification)
    }

    fn family(&self) -> Option<IpAddr> {
        self.ip.get().copied()
    }

    fn put(&self, goal: &HostsEntryGoal, old: &[u8]) -> Vec<u8> {
        let found = find(&Document::new(old), &self.name, self.family());
        let (at, mut row) = match found {
            Some((at, row)) => (Some(at), row),
            None => (None, Row::new(goal.ip, &self.name)),
        };
        row.ip = goal.ip;
        // Aliases that differ only in order are not rewritten.
        if let Some(aliases) =
            goal.aliases.as_ref().filter(|aliases| **aliases != Aliases(row.aliases.clone()))
        {
            row.aliases.clone_from(&aliases.0);
        }
        if let Some(comment) = &goal.comment {
            row.comment.clone_from(comment);
        }
        put(old, at, &row)
    }
}

impl Claiming for HostsEntry {
    /// Other entries may be in the same file, but only one resource may manage a name of one address family.
    fn add_claims(&self, claims: &mut Claims) {
        claims.put_part(Claim::Path(self.file.to_path_buf()));
        let family = match self.family() {
            Some(IpAddr::V6(_)) => "IPv6",
            _ => "IPv4",
        };
        let what = format!("{family} address of {} in {}", self.name, self.file);
        claims.hold(Claim::Other("the", what.into()));
    }
}

impl Resource for HostsEntry {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(table) = self.target().parsed::<HostsTable>(look)? else { return Ok(Found::Absent) };
        Ok(table
            .find(&self.name, self.family())
            .map(|row| HostsEntryState {
                ip: row.ip,
                aliases: Aliases(row.aliases.clone()),
                comment: row.comment.clone(),
            })
            .into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| {
            Ok(match step {
                Step::Create { goal } | Step::Update { goal, .. } => self.put(goal, old),
                Step::Remove { .. } => remove(old, &self.name, self.family()),
            })
        })
    }
}

// Alternative names of a host.

/// A set of names; the order does not matter.
#[derive(Clone, Debug, Default)]
pub struct Aliases(pub Vec<String>);

impl PartialEq for Aliases {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |names: &[String]| {
            let mut names = names.to_vec();
            names.sort();
            names
        };
        sorted(&self.0) == sorted(&other.0)
    }
}

impl Property for Aliases {
    const TYPE: &'static Type = <Vec<String> as Property>::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        Vec::from_value(value, context).map(Aliases)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }
}

/// Whether this is a host name, or a list of host names, without special characters.
pub(crate) fn are_names(value: &Value) -> bool {
    match value {
        Value::List(items) => items.iter().all(are_names),
        Value::Text(name) => {
            !name.is_empty()
                && !name.contains(|c: char| c.is_whitespace() || c.is_control() || "#,".contains(c))
        }
        _ => false,
    }
}
