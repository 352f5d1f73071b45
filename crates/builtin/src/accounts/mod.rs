//! Users, groups and SSH authorized keys.

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
    AuthorizedKey, AuthorizedKeyChange, AuthorizedKeyGoal, AuthorizedKeyState, AuthorizedKeyWishes,
    KeyOptions, LoginKey,
};
pub use date::Date;
pub use group::{Group, GroupChange, GroupGoal, GroupState, GroupWishes};
pub use membership::{GroupSet, Membership, UserSet};
pub use path::AccountPath;
pub use user::{User, UserChange, UserGoal, UserState, UserWishes};
