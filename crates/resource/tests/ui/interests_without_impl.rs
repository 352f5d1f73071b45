//! `interests` without an implementation.

use uphold_resource::{AbsolutePath, Act, Reading, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note", interests)]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, host: &Reading<'_>) -> Result<Option<NoteState>> {
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
