//! An export that is relative to something.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[relative_to(path)]
    target: Seen<AbsolutePath>,
}

fn main() {}
