//! The three-way comparison: why a property differs.

use uphold_model::DifferenceCause;

use super::record::{AppliedResource, DeclaredDigest, Observed};

/// Why a property that differs now does so: its observed value and declaration, compared with those of the last apply.
pub fn cause(
    last: &AppliedResource,
    property: &str,
    observed: &Observed,
    declared: &DeclaredDigest,
) -> DifferenceCause {
    // A property that was not declared before.
    let Some(last) = last.properties.get(property) else { return DifferenceCause::New };
    match (last.observed.is_same(observed), last.declared == *declared) {
        (None, _) => DifferenceCause::Unknown,
        (Some(true), _) => DifferenceCause::New,
        (Some(false), true) => DifferenceCause::Drift,
        (Some(false), false) => DifferenceCause::Both,
    }
}
