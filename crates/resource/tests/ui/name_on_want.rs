//! The name as state.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: Want<AbsolutePath>,
}

fn main() {}
