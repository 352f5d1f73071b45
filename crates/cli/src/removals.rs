//! Resources that are no longer declared and are to be removed, as plan, apply and watch find them.

use uphold::Checked;
use uphold::journal::{Records, RemovalRequest, TooMany, TooManyRemovals};

use crate::{CliError, clean};

/// The number of resources that an error names.
const NAMED: usize = 5;

/// The configuration, whose run also removes the resources that are no longer declared.
///
/// # Errors
/// If there are more of them than `allowed`, and they look like a mistake.
pub(crate) fn with_removals(
    checked: Checked,
    records: &Records,
    configuration: &str,
    allowed: usize,
) -> Result<Checked, CliError> {
    let checked = checked.with_removals(&RemovalRequest { records, configuration, allowed });
    match checked.removals().too_many() {
        Some(too_many) => Err(refused(too_many)),
        None => Ok(checked),
    }
}

fn refused(TooMany { reason, addresses }: &TooMany) -> CliError {
    let number = addresses.len();
    let what = match reason {
        TooManyRemovals::Share { of, .. } => format!("{number} of {of} resources"),
        TooManyRemovals::Module(module) => format!("all resources of {}", clean(module)),
    };
    let named: Vec<String> =
        addresses.iter().take(NAMED).map(|address| clean(address).into_owned()).collect();
    let more = number - named.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = named.join(", ");
    CliError::new(format!(
        "nothing was changed: {what} are no longer declared and would be removed: {list}{more}"
    ))
    .hint(format!(
        "check that no file of the configuration is missing; to remove them: --allow-removals {number}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_number_some_examples_and_the_flag() {
        let addresses: Vec<String> = (0..12).map(|number| format!("file.f{number}")).collect();
        let reason = TooManyRemovals::Share { removed: 12, of: 20 };
        let error = refused(&TooMany { reason, addresses });
        assert_eq!(
            error.message,
            "nothing was changed: 12 of 20 resources are no longer declared and would be removed: \
             file.f0, file.f1, file.f2, file.f3, file.f4 and 7 more"
        );
        assert!(error.hint.is_some_and(|hint| hint.ends_with("--allow-removals 12")));
    }
}
