//! A create default for what names the thing.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[identity]
    #[on_create("root")]
    owner: String,
}

fn main() {}
