//! A struct of state, embedded like a kind.

use uphold_resource::{Mode, Properties, Resource, Want};

#[derive(Properties)]
struct Permissions {
    mode: Want<Mode>,
}

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[flatten]
    permissions: Permissions,
}

fn main() {}
