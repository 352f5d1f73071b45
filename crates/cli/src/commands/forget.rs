//! `uphold forget`.

use uphold::LocalHost;
use uphold::journal::{Applied, AppliedResource, Failure, time};
use uphold::resource::Clock;

use crate::address::{self, Address};
use crate::journal::LockTimeout;
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold forget cron.backup             stop listing this job
  uphold forget 'file[\"/etc/old\"]' module.web";

/// Stop listing resources that are no longer declared
///
/// Plan and apply list each resource that was applied and is no longer declared. After this command they do not; the
/// resource itself stays as it is on the machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ForgetArgs {
    /// Resource, block with for_each, or module
    #[arg(value_name = "ADDRESS", required = true)]
    addresses: Vec<Address>,
    #[command(flatten)]
    timeout: LockTimeout,
}

pub(crate) fn run(args: &ForgetArgs, session: &mut Session) -> Result<Exit, CliError> {
    let unreadable = |failure: Failure| CliError::new("cannot read the journal").because(&failure);
    let locked = args.timeout.lock("forget", Vec::new(), session)?;
    let records = locked.records()?;
    let (mut applied, damage) = records.applied(time(LocalHost::new().now())).map_err(unreadable)?;
    for damage in damage {
        session.ui.talk(format_args!("warning: {damage}\n"));
    }
    let mut found = Vec::new();
    for address in &args.addresses {
        let covered = left(&applied, address);
        if covered.is_empty() {
            return Err(not_left(&applied, address));
        }
        found.extend(covered);
    }
    for record in &found {
        applied.forget(&record.key);
    }
    // The next run looks at everything again.
    for record in &found {
        applied.finish(&record.key.configuration, None);
    }
    if let Some(failure) = applied.failure() {
        return Err(CliError::new("cannot write the journal").because(failure));
    }
    for record in found.iter().filter(|_| !session.flags.quiet) {
        let address = clean(&record.address).into_owned();
        session.ui.talk(format_args!("{address} is forgotten; on the machine it is unchanged\n"));
    }
    Ok(Exit::Success)
}

fn is_covered(record: &AppliedResource, address: &Address) -> bool {
    record.address.parse::<Address>().is_ok_and(|own| address.contains(&own))
}

/// The records that an address covers, and that are no longer declared.
fn left(applied: &Applied, address: &Address) -> Vec<AppliedResource> {
    let left = applied.all().filter(|record| record.is_left && is_covered(record, address));
    left.cloned().collect()
}

fn not_left(applied: &Applied, address: &Address) -> CliError {
    if applied.all().any(|record| is_covered(record, address)) {
        let message = format!("cannot forget {address}: as of the last apply, it is declared");
        return CliError::new(message).hint("remove its block from the configuration, and apply that first");
    }
    let names: Vec<String> =
        applied.all().filter(|record| record.is_left).map(|record| record.address.clone()).collect();
    let message = format!("cannot forget {address}: no such resource was applied");
    let hint = "a plan of the configuration lists the resources that are no longer declared";
    address::unknown(address, message, &names, hint)
}
