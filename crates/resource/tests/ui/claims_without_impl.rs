//! `claims` without an implementation.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note", claims)]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new() }).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
