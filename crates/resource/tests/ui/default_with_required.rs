//! A required setting with a default.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    #[default(3)]
    backups: u32,
}

fn main() {}
