//! A verb without its arm.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Step, Verbs, Want};

#[derive(Resource)]
#[resource(kind = "note", verbs(restart = "Start again.", reload = "Read again."))]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(look.files().look(&self.path)?.map(|_| NoteState { text: String::new() }).into())
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Verbs for Note {
    type Verb = NoteVerb;

    fn run(&self, verb: NoteVerb, _: &Act<'_>) -> Result<()> {
        match verb {
            NoteVerb::Restart => Ok(()),
        }
    }
}

fn main() {}
