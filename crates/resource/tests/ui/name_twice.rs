//! Two fields take the label.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[name]
    other: AbsolutePath,
}

fn main() {}
