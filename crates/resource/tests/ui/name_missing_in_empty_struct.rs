//! A struct without any field.

use uphold_resource::Resource;

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {

}

fn main() {}
