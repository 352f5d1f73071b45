//! A type that is not a property type.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    since: Want<std::time::Instant>,
}

fn main() {}
