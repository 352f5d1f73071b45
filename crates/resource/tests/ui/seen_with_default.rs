//! An export with a default.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[default(0)]
    size: Seen<u64>,
}

fn main() {}
