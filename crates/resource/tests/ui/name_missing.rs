//! No field takes the label.

use uphold_resource::{Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    text: Want<String>,
}

fn main() {}
