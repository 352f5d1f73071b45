//! A property with the name of a meta-argument.

use uphold_resource::{AbsolutePath, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[default(3)]
    retry: u32,
    sensitive: Want<bool>,
}

fn main() {}
