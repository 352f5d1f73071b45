//! An unknown option of `#[claim(…)]`.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[claim(provide)]
    path: Option<AbsolutePath>,
}

fn main() {}
