//! An unknown option of `#[interest(…)]`.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[interest(tree)]
    path: Option<AbsolutePath>,
}

fn main() {}
