//! A default that does not say when it holds.

use uphold_resource::{AbsolutePath, Mode, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[default("0644")]
    mode: Want<Mode>,
}

fn main() {}
