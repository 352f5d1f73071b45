//! What a plan says about one action.

use uphold_engine::{Unwanted as Why, Verdict};
use uphold_model::ResourceId;
use uphold_wire::saved_plan::{Guard, Outcome, Unwanted};

use super::change::planned;
use super::salt::Salt;
use super::setting;

/// What becomes of a verdict; none if a plan with it is worth nothing.
pub(super) fn of(verdict: &Verdict, resource: &ResourceId, salt: &Salt) -> Option<Outcome> {
    Some(match verdict {
        Verdict::Unchanged => Outcome::Unchanged,
        Verdict::Changed(change) | Verdict::WouldChange(change) => {
            Outcome::WouldChange { change: planned(change, resource, salt) }
        }
        Verdict::MayChange { waits_for, because, inputs } => Outcome::MayChange {
            waits_for: waits_for.to_string(),
            now: because.as_ref().map(|failure| failure.message.clone()),
            settings: setting::planned(inputs, resource, salt),
        },
        Verdict::Differs(change) => Outcome::Differs { change: planned(change, resource, salt) },
        Verdict::Ignored(failure) => Outcome::Ignored { now: failure.message.clone() },
        Verdict::NotWanted(why) => Outcome::NotWanted { why: saved_unwanted(why) },
        Verdict::Failed(_) | Verdict::Skipped(_) => return None,
    })
}

fn saved_unwanted(why: &Why) -> Unwanted {
    match why {
        Why::When => Unwanted::When,
        Why::NothingChanged => Unwanted::NothingChanged,
        Why::RunFailed => Unwanted::RunFailed,
        Why::Guard { word, command, of_group } => {
            let guard = Guard { command: command.clone(), of_group: *of_group };
            if *word == "not_if" { Unwanted::NotIf(guard) } else { Unwanted::OnlyIf(guard) }
        }
    }
}

/// The reverse of [`saved_unwanted`].
pub(super) fn unwanted(saved: &Unwanted) -> Why {
    let guard = |word, guard: &Guard| {
        let Guard { command, of_group } = guard.clone();
        Why::Guard { word, command, of_group }
    };
    match saved {
        Unwanted::When => Why::When,
        Unwanted::NothingChanged => Why::NothingChanged,
        Unwanted::RunFailed => Why::RunFailed,
        Unwanted::OnlyIf(one) => guard("only_if", one),
        Unwanted::NotIf(one) => guard("not_if", one),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_were_saved() {
        let guard = |word| Why::Guard { word, command: Some("test -f /x".to_owned()), of_group: true };
        for why in [Why::When, Why::NothingChanged, Why::RunFailed, guard("only_if"), guard("not_if")] {
            assert_eq!(unwanted(&saved_unwanted(&why)), why);
        }
    }
}
