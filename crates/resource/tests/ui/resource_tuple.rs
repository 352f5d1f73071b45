//! A resource without names for its fields.

use uphold_resource::{AbsolutePath, Resource};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note(AbsolutePath);

fn main() {}
