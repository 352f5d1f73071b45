//! An example of a nested struct, an enum of words, or a kind.

use uphold_resource::{AbsolutePath, Property, Resource};

#[derive(Clone, Debug, PartialEq, Property)]
#[example("localhost:80")]
struct Listen {
    #[required]
    host: String,
}

#[derive(Clone, Debug, PartialEq, Property)]
#[example("always")]
enum Restart {
    No,
    Always,
}

#[derive(Resource)]
#[resource(kind = "note")]
#[example("/etc/motd")]
struct Note {
    #[name]
    path: AbsolutePath,
}

fn main() {}
