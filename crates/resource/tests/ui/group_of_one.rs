//! A group of one.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note", any_of(content))]
struct Note {
    #[name]
    path: AbsolutePath,
    content: Want<String>,
}

fn main() {}
