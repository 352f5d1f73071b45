//! A rule on an export.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[range(1..=10)]
    size: Seen<u64>,
}

fn main() {}
