//! Relative to an export, which is known only after loading.

use uphold_resource::{AbsolutePath, Resource, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    target: Seen<AbsolutePath>,
    #[relative_to(target)]
    file: Option<AbsolutePath>,
}

fn main() {}
