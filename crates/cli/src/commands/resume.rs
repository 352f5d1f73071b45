//! `uphold resume`.

use uphold::journal::Pause;

use super::pause::{names, show};
use crate::address_pattern::AddressPattern;
use crate::journal::StoredPauses;
use crate::{CliError, Exit, Flags, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold resume                                      end all pauses
  uphold resume service.nginx                        end the pause of one resource
  uphold resume 'file[\"/etc/nginx/*\"]'             end the pauses that `uphold pause` began with this pattern
  uphold pause --list                                what is paused";

/// End pauses
///
/// A running watch checks the resources at once, and repairs those that differ. Otherwise the next apply does.
///
/// A pause ends as it began: a resource that a wider pattern pauses stays paused until that pattern is resumed.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ResumeArgs {
    /// Resource, block with for_each, or module; * and ? are wildcards [default: everything]
    #[arg(value_name = "RESOURCES")]
    resources: Vec<AddressPattern>,
}

pub(crate) fn run(args: &ResumeArgs, session: &mut Session) -> Result<Exit, CliError> {
    let stored = StoredPauses::open(session)?;
    let before = stored.list(&mut session.ui)?;
    for resource in &args.resources {
        if !is_named(resource, &before) {
            return Err(not_paused(resource, &before, &session.flags));
        }
    }
    // Without a pause, nothing has to be written.
    let resumed = if before.is_empty() { Vec::new() } else { stored.remove(&args.resources)? };
    let left = stored.list(&mut session.ui)?;
    if session.flags.json {
        show(&left, session);
        return Ok(Exit::Success);
    }
    if session.flags.quiet {
        return Ok(Exit::Success);
    }
    if resumed.is_empty() {
        session.ui.data("Nothing is paused.\n");
    }
    for pause in &resumed {
        session.ui.data(format_args!("Resumed {}.\n", clean(&names(pause))));
    }
    if !left.is_empty() {
        session.ui.data("Still paused:\n");
        show(&left, session);
    }
    Ok(Exit::Success)
}

/// Whether a pause began with this pattern, or with a narrower one.
fn is_named(resource: &AddressPattern, pauses: &[Pause]) -> bool {
    patterns(pauses).any(|paused| resource.includes(&paused))
}

fn patterns(pauses: &[Pause]) -> impl Iterator<Item = AddressPattern> {
    pauses.iter().flat_map(|pause| &pause.addresses).filter_map(|text| text.parse().ok())
}

fn not_paused(resource: &AddressPattern, pauses: &[Pause], flags: &Flags) -> CliError {
    let resume = flags.command("resume");
    if let Some(wider) = patterns(pauses).find(|paused| paused.includes(resource)) {
        let wider = wider.to_string();
        return CliError::new(format!("{resource} is paused as part of {wider}"))
            .hint(format!("to resume all of that: {}", resume.word(&wider)));
    }
    if pauses.iter().any(Pause::is_total) {
        return CliError::new(format!("{resource} is paused, because everything is"))
            .hint(format!("to resume everything: {resume}"));
    }
    let list = flags.command("pause").word("--list");
    CliError::new(format!("{resource} is not paused")).hint(format!("`{list}` lists the pauses"))
}
