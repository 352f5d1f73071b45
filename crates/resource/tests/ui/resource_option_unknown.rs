//! An option that `#[resource(…)]` does not know.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note", verb(restart = "Start again."))]
struct Note {
    #[name]
    path: AbsolutePath,
}

fn main() {}
