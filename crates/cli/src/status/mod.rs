//! The output of `uphold status`.

mod details;
mod followed_line;
mod overview;
mod resource_list;

pub(crate) use details::details;
pub(crate) use followed_line::followed;
pub(crate) use overview::overview;
pub(crate) use resource_list::list;
