//! A function to load a setting.

use uphold_resource::{Look, Resource, Result};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    name: String,
    #[load(Self::digest)]
    digest: Option<String>,
}

impl Note {
    fn digest(&self, _: &NoteState, _: &Look<'_>) -> Result<String> {
        Ok(String::new())
    }
}

fn main() {}
