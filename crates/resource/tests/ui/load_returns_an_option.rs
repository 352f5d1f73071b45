//! `load` returns an option.

use uphold_resource::{AbsolutePath, Act, Look, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Option<NoteState>> {
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
