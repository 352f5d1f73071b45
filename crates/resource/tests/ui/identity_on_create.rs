//! A create default for a part of the identity.

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
