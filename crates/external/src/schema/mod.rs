//! From the JSON Schema of a resource to the schema of a kind.

mod check;
mod flaw;
mod layout;
mod name;
mod password;
mod property;
mod reference;
mod typing;
mod write_only;

pub(crate) use check::Checker;
pub(crate) use layout::Layout;
pub(crate) use write_only::without_write_only;

/// Existence: `action = "remove"` is `_exist = false`.
pub(crate) const EXIST: &str = "_exist";
/// The word of a program that everything is as it should be.
pub(crate) const IN_DESIRED_STATE: &str = "_inDesiredState";
/// What a program says has to be started again.
pub(crate) const RESTART_REQUIRED: &str = "_restartRequired";

/// Names with a meaning that DSC gives them: no properties.
pub(crate) const RESERVED: [&str; 6] =
    [EXIST, IN_DESIRED_STATE, "_metadata", "_name", RESTART_REQUIRED, "_securityContext"];
