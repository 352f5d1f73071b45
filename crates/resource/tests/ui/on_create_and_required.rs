//! Required state with a create default.

use uphold_resource::{AbsolutePath, Mode, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    #[on_create("0644")]
    mode: Want<Mode>,
}

fn main() {}
