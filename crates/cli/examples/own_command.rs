//! The uphold command with one more kind, as a vendor would build it.
//!
//! Try `cargo run --example own_command -- explain switch`.

use std::process::ExitCode;

use uphold::resource::{
    AbsolutePath, Access, Act, Batch, Found, KindError, Look, NewFile, Resource, Result, Step, Want,
};

/// A switch: a file with the content `on` or `off`.
#[derive(Resource)]
#[resource(kind = "switch", batch)]
struct Switch {
    /// The path of the switch.
    #[name]
    path: AbsolutePath,
    /// Whether it is on.
    #[on_create(false)]
    on: Want<bool>,
}

impl Resource for Switch {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        let text = look.files().read(&self.path, entry.size)?;
        Ok(Found::This(SwitchState { on: text == b"on" }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let on = match step {
            Step::Create { goal } | Step::Update { goal, .. } => goal.on,
            Step::Remove { .. } => return host.edits().remove_file(&self.path),
        };
        let content: &[u8] = if on { b"on" } else { b"off" };
        let access = Access { mode: Some(0o644), ..Access::default() };
        host.edits().write(&self.path, &NewFile::new(content, access))
    }
}

/// Changes many switches in one call; a real kind would use one transaction.
impl Batch for Switch {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(switch, step)| switch.apply(*step, host)).collect()
    }
}

fn main() -> Result<ExitCode, KindError> {
    Ok(uphold_cli::Runner::new().resource::<Switch>()?.run())
}
