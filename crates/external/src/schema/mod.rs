//! Converts the JSON Schema of a resource into the schema of a kind.

mod check;
mod layout;
mod name;
mod property;
mod typing;
mod write_only;

pub(crate) use check::Checker;
pub(crate) use layout::Layout;
pub(crate) use write_only::without_write_only;

/// Existence: `action = "remove"` is `_exist = false`.
pub(crate) const EXIST: &str = "_exist";
/// The program's verdict that the resource is in its desired state.
pub(crate) const IN_DESIRED_STATE: &str = "_inDesiredState";
/// The list of things that must be restarted.
pub(crate) const RESTART_REQUIRED: &str = "_restartRequired";

/// Names that DSC reserves: they are not properties.
pub(crate) const RESERVED: [&str; 6] =
    [EXIST, IN_DESIRED_STATE, "_metadata", "_name", RESTART_REQUIRED, "_securityContext"];
