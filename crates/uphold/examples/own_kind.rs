//! A kind of one's own: a struct and two functions.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::resource::{AbsolutePath, Access, Act, NewFile, Reading, Resource, Result, Step, Want};
use uphold::{Configuration, Engine, Keep, LocalHost, Mode};

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
        let text = host.files().read(&self.path, entry.size)?;
        Ok(Some(SwitchState { on: text == b"on" }))
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::builder().host(LocalHost::rooted(root.path())?).kind::<Switch>()?.build();
    let text = "switch \"/light\" {\n  on = true\n}\n";
    for expected in [1, 0] {
        let configuration = Configuration::from_texts([("light.hcl".to_owned(), text.to_owned())])?;
        let (program, _) = engine.check(configuration.statements, Keep::All);
        let program = program.ok_or("the configuration is sound")?;
        let summary = engine.run(&program, Mode::Apply, &mut |_| {});
        println!("{} changed, {} as declared", summary.changed, summary.ok);
        assert_eq!(summary.changed, expected);
    }
    Ok(())
}
