//! A create default that is relative.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    dir: Option<AbsolutePath>,
    #[relative_to(dir)]
    #[on_create("motd")]
    file: Want<AbsolutePath>,
}

fn main() {}
