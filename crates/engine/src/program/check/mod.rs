//! Everything that can be known without touching the machine.

mod handling;
mod hidden_claims;
mod instances;
mod needs;
mod outlines;
mod readers;
mod secret_flow;
mod wanted;

pub(crate) use handling::check_handling;
pub(crate) use hidden_claims::HiddenClaims;
pub(crate) use instances::{Instances, claims};
pub(crate) use needs::Needs;
pub(crate) use outlines::warn_of_outlines;
pub(crate) use readers::{nodes_of_resources, nodes_with_readers};
pub(crate) use secret_flow::secret_paths;
pub(crate) use wanted::{Wanted, check_wanted};
