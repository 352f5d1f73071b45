//! The kind `user`.

mod arguments;
mod password;
mod resource;
mod state;
mod wish;

pub use resource::{User, UserChange, UserGoal, UserState};
