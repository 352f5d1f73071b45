//! A `prepare` that changes the machine.

use uphold_resource::{AbsolutePath, Act, Command, Found, Look, Mode, Resource, Result, Step, Want};
use uphold_testkit::{Subject, Wish};

use crate::breaks;
use crate::note::{Move, Wants, apply, load};

/// A file that contains the output of a command.
#[derive(Resource, Clone)]
#[resource(kind = "record")]
struct Record {
    #[name]
    path: AbsolutePath,
    /// What it contains.
    text: Want<String>,
}

impl Record {
    fn wants(&self) -> Wants<'_> {
        Wants { path: &self.path, text: &self.text, mode: &Want::<Mode>::Unset }
    }
}

impl Resource for Record {
    fn prepare(&self, look: &Look<'_>) -> Result<RecordWishes> {
        let said = look.probe(&Command::shell("echo -n asked > /asked; cat /asked"))?.stdout;
        Ok(RecordWishes { text: String::from_utf8_lossy(&said).into_owned().into() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(load(&self.wants(), look)?.map(|found| RecordState { text: found.text }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let text = self.text.get().map_or("", String::as_str);
        let step = match step {
            Step::Create { .. } => Move::Create { text, mode: 0o644 },
            Step::Update { .. } => Move::Update { text: Some(text), mode: None, goal: text },
            Step::Remove { .. } => Move::Remove,
        };
        apply(&self.wants(), &step, host)
    }
}

#[test]
fn detects_a_prepare_that_writes() {
    let subject = Subject::of::<Record>()
        .world(|host| host.file("/asked", "asked", 0o644))
        .wish(Wish::named("/record"));
    breaks(&subject, "check_writes_nothing", "prepare wrote:");
}
