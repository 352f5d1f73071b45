//! Two rules about one default.

use uphold_resource::{AbsolutePath, Mode, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[on_create("0644")]
    #[enforce("0600")]
    mode: Want<Mode>,
}

fn main() {}
