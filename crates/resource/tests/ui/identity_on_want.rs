//! Identity as state.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[identity]
    owner: Want<String>,
}

fn main() {}
