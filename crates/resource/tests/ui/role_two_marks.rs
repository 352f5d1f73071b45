//! Two marks that each give a role.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    #[identity]
    path: AbsolutePath,
}

fn main() {}
