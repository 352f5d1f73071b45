//! An embedded resource as state.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

#[derive(Resource)]
#[resource(kind = "labelled")]
struct Labelled {
    #[flatten]
    note: Want<Note>,
}

fn main() {}
