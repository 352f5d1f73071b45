//! Relative to an unknown field.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[relative_to(dri)]
    file: Want<AbsolutePath>,
}

fn main() {}
