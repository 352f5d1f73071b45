//! A kind in upper case.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "Note")]
struct Note {
    #[name]
    path: AbsolutePath,
}

fn main() {}
