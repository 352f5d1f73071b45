//! The code of the guides for authors.

mod authoring;
mod from_chef;
mod guide;
