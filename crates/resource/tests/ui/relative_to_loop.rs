//! Two fields relative to each other.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[relative_to(b)]
    a: Option<AbsolutePath>,
    #[relative_to(a)]
    b: Option<AbsolutePath>,
}

fn main() {}
