//! The whole and its part both take the label.

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
    #[name]
    label: String,
    #[flatten]
    note: Note,
}

fn main() {}
