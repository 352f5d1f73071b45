//! A kind that completes its desired value with values of the machine.

use uphold_resource::{AbsolutePath, Act, Reading, Resource, Result, Step, Want};

use super::kinds::{change, look};

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
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        let content = host.files().read(&self.from, 0)?;
        self.text = Want::Set(String::from_utf8_lossy(&content).into_owned());
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<CopyState>> {
        Ok(look(&self.path, host)?.map(|text| CopyState { text }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                change(&self.path, goal.text.as_deref(), host)
            }
            Step::Remove { .. } => change(&self.path, None, host),
        }
    }
}
