//! An unknown word in `#[flatten(…)]`.

use uphold_resource::{Property, Resource};

#[derive(Clone, Debug, PartialEq, Property)]
struct Shared {
    dir: Option<String>,
}

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[flatten(setting)]
    shared: Shared,
}

fn main() {}
