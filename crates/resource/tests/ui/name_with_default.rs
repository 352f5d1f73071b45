//! A name with a default.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    #[default("/etc/motd")]
    path: AbsolutePath,
}

fn main() {}
