//! A range with one end.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[range(1..)]
    #[default(3)]
    backups: u32,
}

fn main() {}
