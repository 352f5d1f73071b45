//! One character for the state of a resource, as plans have one for a change.

use uphold_status::{ResourceStatus, State};

use crate::paint::Paint;

/// The sign; what it says, words beside it say, too.
pub(super) fn sign(status: &ResourceStatus, paint: Paint) -> String {
    match &status.state {
        State::Failed(_) => paint.error('x').to_string(),
        State::Blocked(_) => paint.error('.').to_string(),
        State::Differs { .. } => paint.changed('~').to_string(),
        _ if status.blind.is_some() => paint.changed('?').to_string(),
        State::Ignored(_) => paint.changed('x').to_string(),
        State::Waiting => paint.faint('-').to_string(),
        State::Held => paint.added('=').to_string(),
        State::LeftAlone(_) => paint.faint('.').to_string(),
    }
}
