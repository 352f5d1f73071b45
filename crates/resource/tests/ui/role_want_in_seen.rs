//! `Want` inside `Seen`.

use uphold_resource::{AbsolutePath, Resource, Seen, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    text: Seen<Want<String>>,
}

fn main() {}
