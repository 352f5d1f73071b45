//! The flags that plan and apply share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use uphold::{Mode, Program, Request, Selection};

use crate::CliError;
use crate::address::{Address, Addresses};

#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Run options")]
pub(crate) struct RunFlags {
    /// Only this resource and its dependencies; can be repeated
    ///
    /// An address such as 'file["/etc/motd"]', service.nginx or module.web.
    #[arg(long = "target", value_name = "ADDRESS")]
    pub(crate) targets: Vec<Address>,
    /// Leave out this resource and its dependents; can be repeated
    #[arg(long = "exclude", value_name = "ADDRESS")]
    pub(crate) excluded: Vec<Address>,
    /// Report differences and change nothing
    ///
    /// Unlike a plan, it does not predict: each resource is compared with the machine as it is now. Exit code 2:
    /// something differs.
    #[arg(long)]
    pub(crate) audit: bool,
    /// Make changes outside the maintenance window, too
    ///
    /// Drift is otherwise left until the window of the `settings` block opens.
    #[arg(long)]
    pub(crate) now: bool,
    /// Make at most N changes and skip the rest
    ///
    /// Handlers notified by a change do not count.
    #[arg(long, value_name = "N")]
    pub(crate) max_changes: Option<usize>,
    /// Allow N removals of resources that are no longer declared
    ///
    /// Without it, a run refuses to remove more than 10 resources that are more than a fifth of the configuration, and all
    /// resources of a module or of the configuration if there are more than 2: a file may be missing. Blocks `removed` and
    /// `moved` do not count.
    #[arg(long, value_name = "N")]
    pub(crate) allow_removals: Option<usize>,
    /// Start nothing new after N failures
    #[arg(long, value_name = "N")]
    pub(crate) stop_after_failures: Option<NonZeroUsize>,
    /// Read all files again, also those that did not change since the last run
    ///
    /// Otherwise a file whose attributes are as they were, its change time among them, is known to have the same content.
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Write a report, JUnit for *.xml, otherwise JSON; can be repeated
    #[arg(long = "report", value_name = "FILE")]
    pub(crate) reports: Vec<PathBuf>,
}

impl RunFlags {
    /// The selected part of the program; none for all of it.
    ///
    /// # Errors
    /// If an address covers no resource.
    pub(crate) fn selection(&self, program: &Program) -> Result<Option<Selection>, CliError> {
        if self.selects_all() {
            return Ok(None);
        }
        let targets = Addresses::new(&self.targets, "--target", program)?;
        let excluded = Addresses::new(&self.excluded, "--exclude", program)?;
        let id = |node: u32| program.set().id(program.list().get(node as usize).resource);
        let chosen = |node| self.targets.is_empty() || targets.cover(id(node));
        Ok(Some(Selection::new(program, chosen, |node| excluded.cover(id(node)))))
    }

    /// Whether all resources are selected.
    pub(crate) fn selects_all(&self) -> bool {
        self.targets.is_empty() && self.excluded.is_empty()
    }

    pub(crate) fn request<'a>(&self, mode: Mode, selection: Option<&'a Selection>) -> Request<'a> {
        Request {
            audit: self.audit,
            selection,
            max_changes: self.max_changes,
            stop_after_failures: self.stop_after_failures,
            ..mode.into()
        }
    }
}
