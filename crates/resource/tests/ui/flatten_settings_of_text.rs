//! Settings that are no struct.

use uphold_resource::Resource;

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[flatten(settings)]
    shared: String,
}

fn main() {}
