//! A default on state, without a rule when it applies.

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
