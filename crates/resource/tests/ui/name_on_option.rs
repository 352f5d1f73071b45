//! A name that may be absent.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: Option<AbsolutePath>,
}

fn main() {}
