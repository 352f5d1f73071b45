//! `Want` inside `Want`.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    text: Want<Want<String>>,
}

fn main() {}
