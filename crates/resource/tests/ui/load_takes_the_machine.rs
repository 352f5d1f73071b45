//! `load` takes the writable machine out of its view.

use uphold_resource::{AbsolutePath, Act, Reading, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, host: &Reading<'_>) -> Result<Option<NoteState>> {
        host.machine.edits.remove_file(&self.path)?;
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
