//! Plans that are kept in a file: what was shown, so that exactly that can be done later.
//!
//! `docs/plans.md` tells users, `docs/decisions/0021-saved-plans.md` tells why.

mod approval;
mod canonical;
mod change;
mod difference;
mod document;
mod inputs;
mod machine;
mod origin;
mod outcome;
mod param;
mod plan;
mod record;
mod recorder;
mod replay;
mod salt;
mod setting;
mod words;

pub use approval::PlanApproval;
pub use origin::Origin;
pub use plan::SavedPlan;
pub use record::PlannedAction;
pub use recorder::PlanRecorder;
pub use uphold_wire::saved_plan::InputSort;

pub(crate) use canonical::bytes as value_bytes;
pub(crate) use inputs::Inputs;
pub(crate) use param::{GivenParam, sensitive_params, variable_name};
