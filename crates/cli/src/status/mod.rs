//! What `uphold status` prints.

mod details;
mod following;
mod lately;
mod list;
mod moment;
mod one_line;
mod overview;
mod sign;

pub(crate) use details::details;
pub(crate) use following::followed;
pub(crate) use list::list;
pub(crate) use moment::Now;
pub(crate) use overview::overview;
