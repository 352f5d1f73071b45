//! `load` runs a command that changes something.

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
        host.run(&uphold_resource::Command::shell("touch /x"))?;
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
