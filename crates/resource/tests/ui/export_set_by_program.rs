//! A program sets an export, which only `load` may fill.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Seen, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    size: Seen<u64>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new(), size: 0 }).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn note() -> Result<Note> {
    Ok(Note { size: 3, ..Note::named("/etc/motd")? })
}

fn main() {}
