//! An example on a property instead of its type.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[example("hello")]
    text: Want<String>,
}

fn main() {}
