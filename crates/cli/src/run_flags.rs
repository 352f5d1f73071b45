//! The flags that plan and apply share.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use uphold::{Mode, Program, Request, Selection};

use crate::address::{Address, Addresses};
use crate::error::CliError;

/// What is run, how far it goes, and where it is written down.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "What is run, and how far")]
pub(crate) struct RunFlags {
    /// Only this, and what it stands on: 'file["/etc/motd"]', service.nginx, module.web; can be repeated
    #[arg(long = "target", value_name = "ADDRESS")]
    pub(crate) targets: Vec<Address>,
    /// Without this, and without what stands on it; can be repeated
    #[arg(long = "exclude", value_name = "ADDRESS")]
    pub(crate) excluded: Vec<Address>,
    /// Look and report, never change; exit code 2 says that something differs
    #[arg(long)]
    pub(crate) audit: bool,
    /// Make at most N changes, with the handlers that they notify; skip the rest
    #[arg(long, value_name = "N")]
    pub(crate) max_changes: Option<usize>,
    /// After N failures, start nothing new
    #[arg(long, value_name = "N")]
    pub(crate) stop_after_failures: Option<NonZeroUsize>,
    /// Write a report: JUnit if the name ends in .xml, else JSON; can be repeated
    #[arg(long = "report", value_name = "FILE")]
    pub(crate) reports: Vec<PathBuf>,
}

impl RunFlags {
    /// What of the program is run; none is everything.
    ///
    /// # Errors
    /// If an address names nothing.
    pub(crate) fn selection(&self, program: &Program) -> Result<Option<Selection>, CliError> {
        if self.targets.is_empty() && self.excluded.is_empty() {
            return Ok(None);
        }
        let targets = Addresses::new(&self.targets, "--target", program)?;
        let excluded = Addresses::new(&self.excluded, "--exclude", program)?;
        let id = |node: u32| program.set().id(program.list().get(node as usize).resource);
        let chosen = |node| self.targets.is_empty() || targets.contain(id(node));
        Ok(Some(Selection::new(program, chosen, |node| excluded.contain(id(node)))))
    }

    /// What is asked of the engine.
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
