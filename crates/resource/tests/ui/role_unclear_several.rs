//! Several fields have no role: all are reported at once, with every other mistake.

use uphold_resource::{AbsolutePath, Mode, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    text: String,
    mode: Mode,
    backups: u32,
    owner: Option<Want<String>>,
}

fn main() {}
