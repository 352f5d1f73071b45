//! The kind `user`.

mod arguments;
mod home;
mod password;
mod resource;
mod state;
mod unfinished;
mod validation;

pub use resource::{User, UserChange, UserGoal, UserState, UserWishes};
