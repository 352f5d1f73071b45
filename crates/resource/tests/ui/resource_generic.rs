//! A resource with a type parameter.

use uphold_resource::{AbsolutePath, Property, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note<T: Property> {
    #[name]
    path: AbsolutePath,
    text: Want<T>,
}

fn main() {}
