//! `load` writes: in a plan that would be fatal.

use uphold_resource::{AbsolutePath, Host, Observe, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, host: &dyn Observe) -> Result<Option<NoteState>> {
        host.edits().remove_file(&self.path)?;
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &dyn Host) -> Result<()> {
        Ok(())
    }
}

fn main() {}
