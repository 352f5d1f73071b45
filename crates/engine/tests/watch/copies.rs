//! A kind that completes its wish with what is on the machine.

use uphold_resource::{AbsolutePath, Host, Observe, Resource, Result, Step, Want};

use crate::kinds::{change, look};

/// A file with the content of another one.
#[derive(Resource)]
#[resource(kind = "copy")]
pub(crate) struct Copy {
    #[name]
    path: AbsolutePath,
    #[required]
    from: AbsolutePath,
    text: Want<String>,
}

impl Resource for Copy {
    fn prepare(&mut self, host: &dyn Observe) -> Result<()> {
        let content = host.files().read(&self.from, 0)?;
        self.text = Want::Set(String::from_utf8_lossy(&content).into_owned());
        Ok(())
    }

    fn load(&self, host: &dyn Observe) -> Result<Option<CopyState>> {
        Ok(look(&self.path, host)?.map(|text| CopyState { text }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &dyn Host) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                change(&self.path, goal.text.as_deref(), host)
            }
            Step::Remove { .. } => change(&self.path, None, host),
        }
    }
}
