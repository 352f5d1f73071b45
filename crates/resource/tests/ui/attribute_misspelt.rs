//! An unknown attribute.

use uphold_resource::{AbsolutePath, Mode, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[on_crate("0644")]
    mode: Want<Mode>,
}

fn main() {}
