//! Replaced by an unknown field.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[replaced_by("txet", "one word for one thing")]
    content: Option<String>,
    text: Want<String>,
}

fn main() {}
