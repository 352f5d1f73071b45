//! A program sets an export, which only `load` may fill.

use uphold_resource::{AbsolutePath, Act, Reading, Resource, Result, Seen, Step, Want};

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
    fn load(&self, host: &Reading<'_>) -> Result<Option<NoteState>> {
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new(), size: 0 }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn note() -> Result<Note> {
    Ok(Note { size: 3, ..Note::named("/etc/motd")? })
}

fn main() {}
