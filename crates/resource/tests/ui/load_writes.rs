//! `load` writes: in a plan that would be fatal.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        look.edits().remove_file(&self.path)?;
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new() }).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
