//! A plan that was saved.

use std::collections::HashSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use uphold_engine::{Event, NodeIndex, Program, Selection};
use uphold_host::LocalHost;
use uphold_model::{Name, Value};
use uphold_resource::{Error, ErrorKind, Files, Registry, Result};
use uphold_wire::Version;
use uphold_wire::saved_plan::SavedPlan as Document;

use super::approval::PlanApproval;
use super::document;
use super::inputs::Inputs;
use super::machine::MachineIdentity;
use super::origin::{Origin, SavedOrigin};
use super::param::{is, listed, text, variable_name};
use super::record::{PlannedAction, Record};
use super::replay;
use super::salt::Salt;
use crate::configuration::Configuration;
use crate::configuration_reader::{ConfigurationReader, VARIABLES};
use crate::engine::Engine;

/// The first version of the format that has all that is compared.
const COMPARABLE: Version = Version::new(1, 2);

/// What a plan told, and what it was made from.
///
/// # Guarantees
/// - There is no secret in it, only digests: whoever has the file can check a guess, and no more.
/// - A run that is kept to it by [`SavedPlan::approval`] changes what was shown, and nothing else.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedPlan {
    pub(super) origin: SavedOrigin,
    pub(super) records: Vec<Record>,
    pub(super) salt: Salt,
}

impl SavedPlan {
    /// The most bytes that a file may have: a plan for 100,000 resources is a tenth of it.
    pub const LARGEST: u64 = 256 << 20;

    pub(super) fn new(origin: &Origin, root: Option<PathBuf>, records: Vec<Record>, salt: Salt) -> Self {
        Self { origin: SavedOrigin::of(origin, root, &salt), records, salt }
    }

    /// Whether this is the beginning of a saved plan, however damaged it may be. No configuration begins so.
    pub fn is_plan(content: &[u8]) -> bool {
        Document::is_plan(content)
    }

    /// Writes it, all at once, as a new file of ours that nobody else can read or write.
    ///
    /// # Errors
    /// If it cannot be written, or is larger than a plan may be.
    pub fn save(&self, path: &Path, host: &LocalHost) -> Result<()> {
        let text = document::write(self);
        if text.len() as u64 > Self::LARGEST {
            return Err(Error::new(ErrorKind::Invalid, "the plan is larger than 256 MiB, and is not saved"));
        }
        host.write_private(path, text.as_bytes()).map_err(|error| error.while_("cannot save the plan"))
    }

    /// Reads a plan that was saved, to show it. To apply it, see [`SavedPlan::load_trusted`].
    ///
    /// # Errors
    /// If it cannot be read, is no plan, was made by a newer version, or was damaged or changed.
    pub fn load(path: &Path, files: &dyn Files) -> Result<Self> {
        Self::parse(path, files.open(path)).map(|(plan, _)| plan)
    }

    /// Reads a plan that was saved, to apply it: whoever can write the file or replace it decides what is done.
    ///
    /// # Errors
    /// As of [`SavedPlan::load`], if its format is too old to be compared, and if others can have written it ([`uphold_host::open_trusted`]).
    pub fn load_trusted(path: &Path) -> Result<Self> {
        let (plan, format) = Self::parse(path, uphold_host::open_trusted(path))?;
        match format.is_some_and(|format| format >= COMPARABLE) {
            true => Ok(plan),
            false => Err(outdated(path, format, plan.uphold())),
        }
    }

    /// The plan, and the version of its format.
    fn parse(path: &Path, opened: Result<impl Read>) -> Result<(Self, Option<Version>)> {
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
        let plan = document::read(&content).map_err(|unreadable| document::error(&unreadable, path))?;
        Ok((plan, Document::version(&content)))
    }

    /// When it was made.
    pub fn made_at(&self) -> SystemTime {
        self.origin.made_at
    }

    /// The version of Uphold that made it.
    pub fn uphold(&self) -> &str {
        &self.origin.uphold
    }

    /// The name of the machine that it is for, if that has one.
    pub fn hostname(&self) -> Option<&str> {
        self.origin.machine.hostname.as_deref()
    }

    /// The directory that stands for the machine, if one does.
    pub fn root(&self) -> Option<&Path> {
        self.origin.root.as_deref()
    }

    /// The configuration, as it was given.
    pub fn paths(&self) -> &[PathBuf] {
        &self.origin.paths
    }

    /// Directories of kinds, as they were given.
    pub fn kinds(&self) -> &[PathBuf] {
        &self.origin.kinds
    }

    /// Params that were given by hand; secrets have no value here.
    pub fn params(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        self.origin.configuration.params.iter().map(|param| (&*param.name, text(param)))
    }

    /// Its actions, in the order in which they were told.
    pub fn actions(&self) -> impl Iterator<Item = &PlannedAction> {
        replay::actions(&self.records)
    }

    /// Its outputs, with blanks for secrets.
    pub fn outputs(&self) -> impl Iterator<Item = (&Name, &Value)> {
        self.records.iter().filter_map(|record| match record {
            Record::Output { name, value } => Some((name, value)),
            _ => None,
        })
    }

    /// The run that made it, told once more; times are not kept. `registry` knows the kinds.
    pub fn events(&self, registry: &Registry) -> Vec<Event> {
        replay::events(&self.records, registry)
    }

    /// Whether it may be applied on this machine, in the current directory, and to this root if one is given.
    ///
    /// # Errors
    /// If it was made for another one.
    pub fn check_place(&self, root: Option<&Path>) -> Result<()> {
        let refuse = |(what, fix)| refused(format!("the plan cannot be applied here: {what}")).hint(fix);
        let (machine, directory) =
            (MachineIdentity::of(&LocalHost::new()), uphold_host::current_directory()?);
        self.origin.check(&machine, &directory, root, &self.salt).map_err(refuse)
    }

    /// Reads the configuration that the plan was made from, with the params and at the time of the plan. The plan has no
    /// secrets: they are taken from `by_hand`, else from the environment.
    ///
    /// # Errors
    /// If a secret is missing or differs, if something else is given, or if a file, variable or fact is not what it was.
    pub fn read_configuration(&self, engine: &Engine, by_hand: &[(String, String)]) -> Result<Configuration> {
        let reader = self.reader(Configuration::reader(engine), by_hand)?;
        let configuration = reader.read(&self.origin.paths)?;
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
                Some(_) => format!("give secrets only: {}", listed(secrets())),
                None => "make a new plan with it".to_owned(),
            };
            return Err(refused(format!("the plan has all its params, so `{name}` cannot be set")).hint(fix));
        }
        let mut reader = reader.sealed().logged().at(self.origin.made_at);
        for param in &self.origin.configuration.params {
            let given = match text(param) {
                Some(text) => text.to_owned(),
                None => secret(&param.name, by_hand)?,
            };
            if !is(param, &given, &self.salt) {
                let what =
                    format!("`{}` is another secret than the one that the plan was made with", param.name);
                return Err(refused(what).hint("give that one, or make a new plan"));
            }
            reader = reader.param(&param.name, given);
        }
        Ok(self.origin.configuration.params_files.iter().fold(reader, ConfigurationReader::params_file))
    }

    /// Refuses a configuration of which any file, variable or fact differs.
    fn check_inputs(&self, inputs: &Inputs) -> Result<()> {
        let found = inputs.deviations(&self.origin.configuration.read, &self.salt);
        if found.is_empty() {
            return Ok(());
        }
        let more = found.len().saturating_sub(3);
        let more = if more == 0 { String::new() } else { format!("; and {more} more") };
        let found = found.into_iter().take(3).collect::<Vec<_>>().join("; ");
        let what = format!("the configuration has changed since the plan was made: {found}{more}");
        Err(refused(what).hint("look at it, and make a new plan"))
    }

    /// Keeps a run to this plan.
    pub fn approval(&self) -> PlanApproval<'_> {
        PlanApproval::new(&self.records, &self.salt)
    }

    /// The part of the program that was planned; none if that is all of it.
    pub fn selection(&self, program: &Program) -> Option<Selection> {
        let written: HashSet<_> = self.actions().filter_map(|action| action.node).collect();
        if written.len() == program.list().len() {
            return None;
        }
        let notified = self.actions().filter(|action| action.node.is_none());
        let notified: HashSet<_> = notified.map(|action| (&action.resource, &action.action)).collect();
        let is_planned = |node: NodeIndex| match program.list().all().get(node as usize) {
            Some(entry) if node as usize >= program.list().len() => {
                notified.contains(&(program.set().id(entry.resource), entry.action()))
            }
            _ => written.contains(&node),
        };
        Some(Selection::exactly(program, is_planned))
    }
}

/// A plan that does not say what its names and settings were would change whatever they are by now.
fn outdated(path: &Path, format: Option<Version>, uphold: &str) -> Error {
    let format = format.map(|format| format!(" in format {format}")).unwrap_or_default();
    let what = format!(
        "cannot apply the plan {}: it was made by Uphold {uphold}{format}, which does not record computed names and settings",
        path.display()
    );
    refused(what).hint("make a new plan")
}

fn refused(what: impl Into<String>) -> Error {
    Error::new(ErrorKind::Rejected, what)
}

/// A secret that the plan does not have.
fn secret(name: &str, given: &[(String, String)]) -> Result<String> {
    if let Some((_, text)) = given.iter().rev().find(|(one, _)| one == name) {
        return Ok(text.clone());
    }
    let variable = format!("{VARIABLES}{}", variable_name(name));
    let found = uphold_host::environment(&variable)
        .or_else(|| uphold_host::environment(&format!("{VARIABLES}{name}")));
    found.ok_or_else(|| {
        refused(format!("`{name}` is a secret, so the plan does not have it"))
            .hint(format!("give it again: in {variable}, or with `-p {name}=…`"))
    })
}
