//! Saved plans: a plan in a file, so that exactly what it showed can be applied later.
//!
//! `docs/plans.md` is the user's guide, `docs/decisions/0021-saved-plans.md` has the reasons.

mod approval;
mod change;
mod origin;
mod plan;
mod record;
mod recorder;
mod salt;

pub use approval::PlanApproval;
pub use origin::Origin;
pub use plan::SavedPlan;
pub use record::verdict;
pub use recorder::PlanRecorder;
pub use uphold_wire::saved_plan::{Action as PlannedAction, InputKind};

pub(crate) use origin::Inputs;
pub(crate) use salt::{Salt, value_bytes};
