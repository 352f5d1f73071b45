//! An unknown word in `#[identity(…)]`.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[identity(load)]
    owner: String,
}

fn main() {}
