//! A saved plan, and its file.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use uphold_engine::{Event, NodeIndex, Program, Selection};
use uphold_host::LocalHost;
use uphold_model::ResourceId;
use uphold_resource::{Error, ErrorKind, Files, Registry, Result};
use uphold_wire::Value;
use uphold_wire::saved_plan::{
    Action as PlannedAction, Outcome, Record, SavedPlan as Document, Unreadable, VERSION,
};

use super::approval::PlanApproval;
use super::origin::{Inputs, Origin, check_place, this_machine};
use super::record::{actions, events};
use super::salt::Salt;
use crate::configuration::Configuration;
use crate::configuration_reader::{ConfigurationReader, VARIABLES};
use crate::engine::Engine;
use crate::given_params::{is, listed, text, variable_name};
use crate::journal::Removals;

/// A saved plan and its origin.
///
/// # Guarantees
/// - It has no secrets, only salted digests: a reader of the file can check a guess, and no more.
/// - A run that is limited by [`SavedPlan::approval`] makes the planned changes, and no others.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedPlan {
    /// The content of the file.
    document: Document,
    salt: Salt,
    made_at: SystemTime,
}

impl SavedPlan {
    /// The largest file in bytes: ten times a plan for 100,000 resources.
    pub const LARGEST: u64 = 256 << 20;

    pub(super) fn new(origin: &Origin, root: Option<PathBuf>, records: Vec<Record>, salt: Salt) -> Self {
        let made_at = origin.read_at;
        let document = Document {
            configuration: origin.saved(&salt),
            machine: this_machine(&LocalHost::new(), &salt),
            created_at: Timestamp::try_from(made_at).unwrap_or(Timestamp::UNIX_EPOCH).to_string(),
            records,
            root: root.map(|root| root.display().to_string()),
            salt: salt.hex(),
            uphold: env!("CARGO_PKG_VERSION").to_owned(),
        };
        Self { document, salt, made_at }
    }

    /// Whether this begins like a saved plan, damaged or not. No configuration does.
    pub fn is_plan(content: &[u8]) -> bool {
        Document::is_plan(content)
    }

    /// Writes it atomically, as a new file with mode 0600.
    ///
    /// # Errors
    /// If it cannot be written, or is too large.
    pub fn save(&self, path: &Path, host: &LocalHost) -> Result<()> {
        let text = self.document.to_text(|text| self.salt.digest(CHECKED, text));
        if text.len() as u64 > Self::LARGEST {
            return Err(Error::new(ErrorKind::Invalid, "cannot save the plan: it is larger than 256 MiB"));
        }
        host.write_private(path, text.as_bytes()).map_err(|error| error.while_("cannot save the plan"))
    }

    /// Reads a saved plan to show it. To apply it, see [`SavedPlan::load_trusted`].
    ///
    /// # Errors
    /// If it cannot be read, is no plan, has another format version, is damaged, or was modified.
    pub fn load(path: &Path, files: &dyn Files) -> Result<Self> {
        Self::parse(path, files.open(path))
    }

    /// Reads a saved plan to apply it: a user who can write the file determines what is changed.
    ///
    /// # Errors
    /// Those of [`SavedPlan::load`], and if other users can write it ([`uphold_host::open_trusted`]).
    pub fn load_trusted(path: &Path) -> Result<Self> {
        Self::parse(path, uphold_host::open_trusted(path))
    }

    fn parse(path: &Path, opened: Result<impl Read>) -> Result<Self> {
        let cannot_read = |error: Error| error.while_(format!("cannot read the plan {}", path.display()));
        let mut content = Vec::new();
        let read = opened.map_err(cannot_read)?.take(Self::LARGEST + 1).read_to_end(&mut content);
        read.map_err(|error| cannot_read(Error::io("read", path, error)))?;
        if content.len() as u64 > Self::LARGEST {
            let what = format!("cannot read the plan {}: it is larger than 256 MiB", path.display());
            return Err(
                Error::new(ErrorKind::Invalid, what).hint("name a file that `uphold plan --out` wrote")
            );
        }
        read_document(&content).map_err(|error| unreadable(&error, path))
    }

    /// The time of the plan.
    pub fn made_at(&self) -> SystemTime {
        self.made_at
    }

    /// The version of Uphold that made it.
    pub fn uphold(&self) -> &str {
        &self.document.uphold
    }

    /// The host name of its machine.
    pub fn hostname(&self) -> Option<&str> {
        self.document.machine.hostname.as_deref()
    }

    /// The `--root` directory, if there is one.
    pub fn root(&self) -> Option<&Path> {
        self.document.root.as_deref().map(Path::new)
    }

    /// The paths of the configuration, as given.
    pub fn paths(&self) -> &[String] {
        &self.document.configuration.paths
    }

    /// The directories of kinds, as given.
    pub fn kinds(&self) -> &[String] {
        &self.document.configuration.kinds
    }

    /// Params from the command line and the environment; a secret has no value.
    pub fn params(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.document.configuration.params.iter().map(|param| (&*param.name, text(param)))
    }

    /// Its actions, in planned order.
    pub fn actions(&self) -> impl Iterator<Item = &PlannedAction> {
        actions(&self.document.records)
    }

    /// Its outputs, without secrets.
    pub fn outputs(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.document.records.iter().filter_map(|record| match record {
            Record::Output { name, value } => Some((&**name, &value.0)),
            _ => None,
        })
    }

    /// Its events; durations are not saved. `registry` has the kinds.
    pub fn events(&self, registry: &Registry) -> Vec<Event> {
        events(&self.document.records, registry)
    }

    /// Whether it can be applied on this machine, in the current directory, and with this root.
    ///
    /// # Errors
    /// If it was made for another one.
    pub fn check_place(&self, root: Option<&Path>) -> Result<()> {
        let refuse = |(what, fix)| refused(format!("the plan cannot be applied here: {what}")).hint(fix);
        let machine = this_machine(&LocalHost::new(), &self.salt);
        check_place(&self.document, &machine, &uphold_host::current_directory()?, root).map_err(refuse)
    }

    /// Reads the configuration of the plan, with its params and its time. Secrets are taken from `by_hand`, else from the
    /// environment.
    ///
    /// # Errors
    /// If a secret is missing or differs, another param is given, or a file, variable or fact has changed.
    pub fn read_configuration(&self, engine: &Engine, by_hand: &[(String, String)]) -> Result<Configuration> {
        let reader = self.reader(Configuration::reader(engine), by_hand)?;
        let configuration = reader.read(self.paths())?;
        configuration.origin.iter().try_for_each(|origin| self.check_inputs(&origin.inputs))?;
        Ok(configuration)
    }

    fn reader(
        &self,
        reader: ConfigurationReader,
        by_hand: &[(String, String)],
    ) -> Result<ConfigurationReader> {
        let secrets = || self.params().filter(|(_, text)| text.is_none()).map(|(name, _)| name);
        if let Some((name, _)) = by_hand.iter().find(|(name, _)| secrets().all(|secret| secret != *name)) {
            let fix = match secrets().next() {
                Some(_) => format!("set only secrets: {}", listed(secrets())),
                None => "make a new plan with it".to_owned(),
            };
            return Err(refused(format!("the plan contains its params, so `{name}` cannot be set")).hint(fix));
        }
        let mut reader = reader.sealed().logged().at(self.made_at);
        for param in &self.document.configuration.params {
            let given = match text(param) {
                Some(text) => text.to_owned(),
                None => secret(&param.name, by_hand)?,
            };
            if !is(param, &given, &self.salt) {
                let what = format!("the secret `{}` differs from the one of the plan", param.name);
                return Err(refused(what).hint("set the one of the plan, or make a new plan"));
            }
            reader = reader.param(&param.name, given);
        }
        Ok(self.document.configuration.params_files.iter().fold(reader, ConfigurationReader::params_file))
    }

    /// Rejects a configuration if any of its inputs has changed.
    fn check_inputs(&self, inputs: &Inputs) -> Result<()> {
        let found = inputs.deviations(&self.document.configuration.inputs, &self.salt);
        if found.is_empty() {
            return Ok(());
        }
        let more = found.len().saturating_sub(3);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let found = found.into_iter().take(3).collect::<Vec<_>>().join("; ");
        let what = format!("the configuration has changed since the plan was made: {found}{more}");
        Err(refused(what).hint("review the changes, and make a new plan"))
    }

    /// Limits a run of the program to this plan.
    pub fn approval(&self, program: &Program) -> PlanApproval<'_> {
        let is_removal = |resource: &ResourceId| program.is_no_longer_declared(resource);
        PlanApproval::new(&self.document.records, &self.salt, is_removal)
    }

    /// Whether it is a plan of the whole program, and not of selected resources.
    pub fn covers(&self, program: &Program) -> bool {
        let written: HashSet<_> = self.actions().filter_map(|action| action.node).collect();
        let declared = (0..)
            .zip(program.list().iter())
            .filter(|(_, entry)| !program.is_no_longer_declared(program.set().id(entry.resource)));
        declared.map(|(node, _)| node).all(|node: NodeIndex| written.contains(&node))
    }

    /// The planned removals that a run of the program does not make, with the reasons.
    pub fn removals_not_made<'p>(
        &'p self,
        program: &'p Program,
        removals: &'p Removals,
    ) -> impl Iterator<Item = (&'p ResourceId, &'p str)> {
        let planned = self.actions().filter(|action| matches!(action.outcome, Outcome::WouldChange { .. }));
        // Only a resource that is no longer declared can be missing in the same configuration.
        let missing = planned.filter(|action| program.set().find(&action.resource).is_none());
        missing.filter_map(|action| Some((&action.resource, removals.why_left(&action.resource)?)))
    }

    /// The planned part of the program; none if that is all of it.
    pub fn selection(&self, program: &Program) -> Option<Selection> {
        let written: HashSet<_> = self.actions().filter_map(|action| action.node).collect();
        let by_resource: HashSet<_> =
            self.actions().filter(|action| action.node.is_some()).map(|action| &action.resource).collect();
        let notified = self.actions().filter(|action| action.node.is_none());
        let notified: HashSet<_> = notified.map(|action| (&action.resource, &action.action)).collect();
        let is_planned = |node: NodeIndex| match program.list().all().get(node as usize) {
            Some(entry) if node as usize >= program.list().len() => {
                notified.contains(&(program.set().id(entry.resource), entry.action()))
            }
            Some(entry) if program.is_no_longer_declared(program.set().id(entry.resource)) => {
                by_resource.contains(program.set().id(entry.resource))
            }
            _ => written.contains(&node),
        };
        if (0..).zip(program.list().iter()).all(|(node, _)| is_planned(node)) {
            return None;
        }
        Some(Selection::exactly(program, is_planned))
    }
}

fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Rejected, what)
}

/// A secret, which the plan does not contain.
fn secret(name: &str, given: &[(String, String)]) -> Result<String> {
    if let Some((_, text)) = given.iter().rev().find(|(one, _)| one == name) {
        return Ok(text.clone());
    }
    let variable = format!("{VARIABLES}{}", variable_name(name));
    let found = uphold_host::environment(&variable)
        .or_else(|| uphold_host::environment(&format!("{VARIABLES}{name}")));
    found.ok_or_else(|| {
        refused(format!("the plan does not contain the secret `{name}`"))
            .hint(format!("set it again: in {variable}, or with `-p {name}=…`"))
    })
}

/// The subject of the checksum.
const CHECKED: &str = "the whole plan";

/// Parses the text of a file.
fn read_document(content: &[u8]) -> std::result::Result<SavedPlan, Unreadable> {
    let digest = |salt: &str, text: &[u8]| Some(Salt::from_hex(salt)?.digest(CHECKED, text));
    let document = Document::from_text(content, digest)?;
    let damaged = |what: &str| Unreadable::Damaged(what.to_owned());
    let made_at: Timestamp =
        document.created_at.parse().map_err(|_| damaged("`created_at` is not a time"))?;
    let salt = Salt::from_hex(&document.salt).ok_or_else(|| damaged("`salt` cannot be read"))?;
    Ok(SavedPlan { document, salt, made_at: made_at.into() })
}

/// The message about a file that cannot be read.
fn unreadable(unreadable: &Unreadable, path: &Path) -> Error {
    let (why, fix) = match unreadable {
        Unreadable::NoPlan => {
            ("it is no saved plan".to_owned(), "name a file that `uphold plan --out` wrote")
        }
        Unreadable::ForPolicies => (
            "it is the output of `uphold show --json`".to_owned(),
            "name the file that `uphold plan --out` wrote",
        ),
        Unreadable::CutOff => ("it is truncated".to_owned(), "make a new plan"),
        Unreadable::OtherVersion(version) => (
            format!("it has the format {version}, and this Uphold reads {}.x", VERSION.major),
            "apply it with the Uphold that made it, or make a new plan",
        ),
        Unreadable::Damaged(what) => (format!("it is damaged: {what}"), "make a new plan"),
        Unreadable::Changed => ("it was modified after it was written".to_owned(), "make a new plan"),
    };
    let what = format!("cannot use the plan {}: {why}", path.display());
    Error::new(ErrorKind::Invalid, what).hint(fix)
}
