//! No kind.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
struct Note {
    #[name]
    path: AbsolutePath,
}

fn main() {}
