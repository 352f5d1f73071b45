//! A claim of an export.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[claim(provides)]
    path: Seen<AbsolutePath>,
}

fn main() {}
