//! State was written as a plain type.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    text: String,
}

fn main() {}
