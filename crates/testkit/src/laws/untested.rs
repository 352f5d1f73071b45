//! Laws that pass without a test.

use super::subject::Subject;
use super::trial::Trial;

/// Laws that are tested although no example converges.
const BEFORE_CONVERGENCE: [&str; 3] =
    ["apply_then_check_is_converged", "check_writes_nothing", "values_round_trip"];

/// Why a law passes without a test; none if it is tested.
pub fn untested(law: &str, subject: &Subject) -> Option<&'static str> {
    let none_converges = || Trial::each("", subject).all(|trial| trial.converged().is_none());
    match law {
        "load_finds_nothing_after_remove" if !subject.schema().removable => {
            Some("not applicable: the kind has no `remove`")
        }
        "a_batch_equals_separate_applies" if !subject.kind.batches() => {
            Some("not applicable: the kind has no batches")
        }
        _ if !BEFORE_CONVERGENCE.contains(&law) && none_converges() => {
            Some("not tested, because no example converges: see the law that failed")
        }
        _ => None,
    }
}
