//! The kind `switch`: many are changed in one call.

use uphold_kit::prelude::*;
use uphold_kit::resource::Batch;

/// A switch: a file with the content `on` or `off`.
#[derive(Resource)]
#[resource(kind = "switch", batch)]
pub struct Switch {
    /// Path of the switch; defaults to the block's label.
    #[name]
    pub path: AbsolutePath,
    /// Whether it is on.
    #[on_create(false)]
    pub on: Want<bool>,
}

impl Resource for Switch {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(regular_file::read_text(&self.path, look)?.map(|text| SwitchState { on: text == "on" }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                regular_file::write(&self.path, if goal.on { "on" } else { "off" }, host)
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

/// Changes many switches in one call; a real kind would use one transaction.
impl Batch for Switch {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(switch, step)| switch.apply(*step, host)).collect()
    }
}
