//! A doc comment for a property that the embedded struct does not have.

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
    #[flatten(state, doc(mdoe = "Mode of the note."))]
    permissions: Permissions,
}

fn main() {}
