//! Relative to something that is no path.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    dir: Option<String>,
    #[relative_to(dir)]
    file: Option<AbsolutePath>,
}

fn main() {}
