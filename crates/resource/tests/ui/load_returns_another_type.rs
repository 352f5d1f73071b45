//! A function that returns another type than its property has.

use uphold_resource::{Look, Resource, Result, Seen};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[load(Self::size)]
    size: Seen<u64>,
}

impl Note {
    fn size(&self, _: &NoteState, _: &Look<'_>) -> Result<String> {
        Ok(String::new())
    }
}

fn main() {}
