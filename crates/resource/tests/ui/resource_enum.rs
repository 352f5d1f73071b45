//! An enum as a resource.

use uphold_resource::Resource;

#[derive(Resource)]
#[resource(kind = "note")]
enum Note {
    Short,
    Long,
}

fn main() {}
