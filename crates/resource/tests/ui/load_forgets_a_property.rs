//! `load` leaves out a state property.

use uphold_resource::{AbsolutePath, Host, Mode, Observe, Resource, Result, Step, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
    mode: Want<Mode>,
}

impl Resource for Note {
    fn load(&self, host: &dyn Observe) -> Result<Option<NoteState>> {
        Ok(host.files().look(&self.path)?.map(|_| NoteState { text: String::new() }))
    }

    fn apply(&self, _: Step<'_, Self>, _: &dyn Host) -> Result<()> {
        Ok(())
    }
}

fn main() {}
