//! A plain setting that only one action requires.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required(remove)]
    backups: u32,
}

fn main() {}
