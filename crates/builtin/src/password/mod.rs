//! The kind `password`.

mod alphabet;
mod keepers;
mod resource;
mod trust;

pub use alphabet::Alphabet;
pub use resource::{Password, PasswordChange, PasswordGoal, PasswordState, PasswordVerb, PasswordWishes};
