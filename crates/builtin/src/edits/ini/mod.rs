//! The kind `ini`.

mod edit;
mod layout;
mod resource;
mod table;
mod values;

pub use resource::{Ini, IniChange, IniGoal, IniState, IniWishes};
pub use values::IniValue;
