//! A name in `/etc/hosts`.

use std::net::IpAddr;

use uphold_resource::{AbsolutePath, Act, Claim, Claiming, Claims, Reading, Resource, Result, Step, Want};

use super::aliases::are_names;
use super::table::{HostsTable, Row, find, put, remove};
use super::{Aliases, IpAddress};
use crate::edited_file::EditedFile;
use crate::line::document::Document;
use crate::one_line::is_trimmed_line;

/// The address of a host in `/etc/hosts`.
///
/// It is found by its name, which is the first one in its line; a name may have an IPv4 and an IPv6 address, each of
/// which is a resource of its own. All other lines and comments stay as they are. If several lines of one family have the
/// name, the first is held, as it is the first to be asked.
///
/// Removing it removes the lines of that name; only those of one family if `ip` is set.
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
    /// The name of the host: the first one in its line.
    #[also("host", "hostname")]
    #[check(are_names, "must be a name: no white space, `#` or comma")]
    #[name]
    pub name: String,
    /// Its address.
    #[also("address", "ip_address")]
    #[required]
    pub ip: Want<IpAddress>,
    /// All other names in its line, in any order. A line that is there keeps its own unless this is set.
    #[also("host_aliases")]
    #[check(are_names, "must be names: no white space, `#` or comma")]
    pub aliases: Want<Aliases>,
    /// The comment at the end of its line; empty for none. A line that is there keeps its own unless this is set.
    #[check(is_trimmed_line, "must be one line, with no white space around it")]
    pub comment: Want<String>,
    /// The file.
    #[also("path", "target")]
    #[default("/etc/hosts")]
    pub file: AbsolutePath,
    /// Whether the file is created, with mode 0644, if it does not exist.
    #[default(true)]
    pub create: bool,
}

impl HostsEntry {
    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create)
    }

    fn family(&self) -> Option<IpAddr> {
        self.ip.get().map(|ip| ip.0)
    }

    fn put(&self, goal: &HostsEntryGoal, old: &[u8]) -> Vec<u8> {
        let found = find(&Document::new(old), &self.name, self.family());
        let (at, mut row) = match found {
            Some((at, row)) => (Some(at), row),
            None => (None, Row::new(goal.ip.0, &self.name)),
        };
        row.ip = goal.ip.0;
        // What the line has already is not put in another order.
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
    /// It changes a part of its file, as others may do, and holds one name of one family in it alone.
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
    fn load(&self, host: &Reading<'_>) -> Result<Option<HostsEntryState>> {
        let Some(table) = self.target().parsed::<HostsTable>(host)? else { return Ok(None) };
        Ok(table.find(&self.name, self.family()).map(|row| HostsEntryState {
            ip: IpAddress(row.ip),
            aliases: Aliases(row.aliases.clone()),
            comment: row.comment.clone(),
        }))
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
