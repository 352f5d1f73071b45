//! Places in a text, as editors count them, and names of files, as editors write them.

mod lines;
mod uri;

pub(crate) use lines::Lines;
pub(crate) use uri::{normal, path_of, uri_of};
