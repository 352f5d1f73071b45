//! A default for an embedded struct as a whole.

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
    #[on_create("0644")]
    permissions: Permissions,
}

fn main() {}
