//! Composition: a kind that embeds the properties of another, and calls its `load` and `apply`.

use uphold::builtin::File;
use uphold::prelude::*;

/// A file with a version as its content.
#[derive(Resource)]
#[resource(kind = "version_file")]
struct VersionFile {
    /// The file, with all its properties.
    #[flatten]
    file: File,
    /// The version.
    #[required]
    version: u32,
}

impl Resource for VersionFile {
    fn prepare(&self, look: &Look<'_>) -> Result<VersionFileWishes> {
        let mut file = self.file.prepare(look)?;
        // With `create_if_missing`, an existing file keeps its content.
        if file.content.is_declared() {
            file.content = Wish::Set(format!("version {}\n", self.version).into());
        }
        Ok(VersionFileWishes { file })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.file.load(look)?.map(|file| VersionFileState { file }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.file.apply(step.part::<File>(), host)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).kind::<VersionFile>()?.build();
    let app = Configuration::from_text(&engine, "app.hcl", "version_file \"/app\" { version = 2 }")?;
    assert_eq!(app.check()?.apply(&mut |_| {})?.created, 1);
    Ok(())
}
