//! A kind that completes its desired value with values of the machine.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Step, Want, Wish};

use super::kinds::{change, text_at};

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
    fn prepare(&self, look: &Look<'_>) -> Result<CopyWishes> {
        let content = look.files().read(&self.from, 0)?;
        Ok(CopyWishes { text: Wish::Set(String::from_utf8_lossy(&content).into_owned()) })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(text_at(&self.path, look)?.map(|text| CopyState { text }).into())
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
