//! Embedded state in a `Want`.

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
    #[flatten(state)]
    permissions: Want<Permissions>,
}

fn main() {}
