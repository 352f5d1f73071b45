//! A kind of your own: a struct and two functions.

use uphold::prelude::*;
use uphold::resource::{AbsolutePath, Access, NewFile};

/// A switch: a file that contains `true` or `false`.
#[derive(Resource)]
#[resource(kind = "switch")]
struct Switch {
    /// The path of the file.
    #[name]
    path: AbsolutePath,
    /// Whether it is on.
    #[on_create(false)]
    on: Want<bool>,
}

impl Resource for Switch {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(entry) = look.files().look(&self.path)? else { return Ok(Found::Absent) };
        Ok(Found::This(SwitchState { on: look.files().read(&self.path, entry.size)? == b"true" }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let (Step::Create { goal } | Step::Update { goal, .. }) = step else {
            return host.edits().remove_file(&self.path);
        };
        host.edits().write(&self.path, &NewFile::new(goal.on.to_string().as_bytes(), Access::default()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).kind::<Switch>()?.build();
    let light = Configuration::from_text(&engine, "hall.hcl", "switch \"/hall\" { on = true }\n")?.check()?;
    assert_eq!((light.apply(&mut |_| {})?.changed, light.apply(&mut |_| {})?.changed), (1, 0));
    Ok(())
}
