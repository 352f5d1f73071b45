//! What is done through an overlay is seen through it, as if it had been done; and only through it.

mod dice;
mod differential;
mod edges;
mod ground;
mod growth;
mod passing;
mod script;
mod threads;
mod view;

use uphold_resource::{Access, NewFile};

fn new_file(content: &str) -> NewFile<'_> {
    NewFile::new(content.as_bytes(), Access::default())
}

fn mode(mode: u32) -> Access {
    Access { mode: Some(mode), ..Access::default() }
}
