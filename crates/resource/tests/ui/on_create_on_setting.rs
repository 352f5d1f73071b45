//! A create default for a setting.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[on_create(3)]
    backups: u32,
}

fn main() {}
