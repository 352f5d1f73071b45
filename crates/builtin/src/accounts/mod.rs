//! Users, groups, and who may log in with which key.

mod authorized_key;
mod database;
mod date;
mod group;
mod membership;
mod name;
mod path;
mod tool;
mod user;

pub use authorized_key::{
    AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState, KeyOptions, LoginKey,
};
pub use date::Date;
pub use group::{Group, GroupChange, GroupGoal, GroupState};
pub use membership::{GroupSet, Membership, UserSet};
pub use path::AccountPath;
pub use user::{User, UserChange, UserGoal, UserState};
