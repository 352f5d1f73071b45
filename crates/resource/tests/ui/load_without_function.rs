//! `#[load]` without a function.

use uphold_resource::{Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[load]
    size: Seen<u64>,
}

fn main() {}
