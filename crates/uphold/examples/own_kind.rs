//! A kind of one's own: a struct and two functions.

use uphold::resource::{AbsolutePath, Access, Act, NewFile, Reading, Resource, Result, Step, Want};
use uphold::{Configuration, Engine, LocalHost};

/// A switch: a file that holds `on` or `off`.
#[derive(Resource)]
#[resource(kind = "switch")]
struct Switch {
    /// Where the switch is kept.
    #[name]
    path: AbsolutePath,
    /// Whether it is on.
    #[on_create(false)]
    on: Want<bool>,
}

impl Resource for Switch {
    fn load(&self, host: &Reading<'_>) -> Result<Option<SwitchState>> {
        let Some(entry) = host.files().look(&self.path)? else { return Ok(None) };
        Ok(Some(SwitchState { on: host.files().read(&self.path, entry.size)? == b"on" }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let (Step::Create { goal } | Step::Update { goal, .. }) = step else {
            return host.edits().remove_file(&self.path);
        };
        let content: &[u8] = if goal.on { b"on" } else { b"off" };
        host.edits().write(&self.path, &NewFile::new(content, Access::default()))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).kind::<Switch>()?.build();
    let light = Configuration::from_text(&engine, "hall.hcl", "switch \"/hall\" { on = true }\n")?.check()?;
    assert_eq!((light.apply(&mut |_| {})?.changed, light.apply(&mut |_| {})?.changed), (1, 0));
    Ok(())
}
