//! Settings that may be left out as a whole.

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
    #[flatten(settings)]
    shared: Option<Shared>,
}

fn main() {}
