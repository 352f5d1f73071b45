//! `Want` inside `Option`.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    text: Option<Want<String>>,
}

fn main() {}
