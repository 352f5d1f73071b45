//! A group with an unknown field.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note", exclusive(content, sorce))]
struct Note {
    #[name]
    path: AbsolutePath,
    content: Want<String>,
}

fn main() {}
