//! A default, and still optional.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[default(3)]
    backups: Option<u32>,
}

fn main() {}
