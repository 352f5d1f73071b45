//! A kind made of another: its properties embedded, its `load` and `apply` called.

use uphold::builtin::File;
use uphold::resource::{Act, Reading, Resource, Result, Step, Want};
use uphold::{Configuration, Engine, LocalHost};

/// A file whose content is a version.
#[derive(Resource)]
#[resource(kind = "version_file")]
struct VersionFile {
    /// The file itself, with all of its properties.
    #[flatten]
    file: File,
    /// The version in it.
    #[required]
    version: u32,
}

impl Resource for VersionFile {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.file.content = Want::of(format!("version {}\n", self.version).as_str());
        self.file.prepare(host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<VersionFileState>> {
        Ok(self.file.load(host)?.map(|file| VersionFileState { file }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.file.apply(step.part::<File>(), host)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).kind::<VersionFile>()?.build();
    let text = "version_file \"/app\" { version = 2 }\n";
    let app = Configuration::from_text(&engine, "app.hcl", text)?.check()?;
    assert_eq!(app.apply(&mut |_| {})?.created, 1);
    Ok(())
}
