//! `prepare` assigns a property instead of returning a wish.

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
    fn prepare(&self, _: &Look<'_>) -> Result<NoteWishes> {
        self.text = Want::of("hello");
        Ok(NoteWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new() }).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
