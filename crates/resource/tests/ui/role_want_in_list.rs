//! `Want` inside a list.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    lines: Vec<Want<String>>,
}

fn main() {}
