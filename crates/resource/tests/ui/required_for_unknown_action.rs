//! Required for an unknown action.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note", verbs(restart = "Start again."))]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required(restrat)]
    text: Want<String>,
}

fn main() {}
