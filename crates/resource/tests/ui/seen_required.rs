//! A required export.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    size: Seen<u64>,
}

fn main() {}
