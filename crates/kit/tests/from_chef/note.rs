use uphold_kit::prelude::*;

/// A file with this content.
#[derive(Resource)]
#[resource(kind = "note")]
pub struct Note {
    #[name]
    pub path: AbsolutePath,
    #[required]
    pub content: Want<String>,
}

impl Resource for Note {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(regular_file::read_text(&self.path, look)?.map(|content| NoteState { content }).into())
    }

    fn apply(&self, step: Step<'_, Self>, act: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal, .. } | Step::Update { goal, .. } => {
                regular_file::write(&self.path, &goal.content, act)
            }
            Step::Remove { .. } => act.edits().remove_file(&self.path),
        }
    }
}
