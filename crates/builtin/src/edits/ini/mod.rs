//! The kind `ini`.

mod edit;
mod layout;
mod resource;
mod table;
mod values;

pub use resource::{Ini, IniChange, IniGoal, IniState};
pub use values::IniValue;
