//! The kind `ini`.

mod edit;
mod layout;
mod resource;
mod values;

pub use resource::{Ini, IniChange, IniGoal, IniState};
pub use values::IniValue;
