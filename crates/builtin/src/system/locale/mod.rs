//! The kind `locale`.

mod available;
mod generation;
mod name;
mod resource;

pub use name::LocaleName;
pub use resource::{Locale, LocaleChange, LocaleGoal, LocaleState, LocaleWishes};
