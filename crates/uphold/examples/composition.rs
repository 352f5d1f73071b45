//! A kind made of another: its properties embedded, its `load` and `apply` called.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::builtin::File;
use uphold::resource::{Act, Level, Reading, Resource, Result, Step, Want};
use uphold::{Configuration, Engine, EventKind, Keep, LocalHost, Mode};

/// A file with a version line at its top.
#[derive(Resource)]
#[resource(kind = "versioned_file")]
struct VersionedFile {
    /// The file itself, with all of its properties.
    #[flatten]
    file: File,
    /// The version that its first line names.
    #[required]
    version: Want<u32>,
}

impl Resource for VersionedFile {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if let Some(version) = self.version.get() {
            self.file.content = Want::of(format!("version {version}\n").as_str());
        }
        self.file.prepare(host)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<VersionedFileState>> {
        let Some(file) = self.file.load(host)? else { return Ok(None) };
        let bytes = host.files().read(&self.file.path, file.size)?;
        let first = String::from_utf8_lossy(&bytes);
        let version = first.strip_prefix("version ").and_then(|rest| rest.trim().parse().ok());
        Ok(Some(VersionedFileState { file, version: version.unwrap_or(0) }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if let Step::Update { change, .. } = step
            && let Some(delta) = &change.version
        {
            host.report(Level::Info, &format!("version {} becomes {}", delta.from, delta.to));
        }
        self.file.apply(step.part::<File>(), host)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::builder().host(LocalHost::rooted(root.path())?).kind::<VersionedFile>()?.build();
    let mut said = Vec::new();
    for version in [1, 2, 2] {
        let text = format!("versioned_file \"/app\" {{\n  version = {version}\n  mode = \"0600\"\n}}\n");
        let configuration = Configuration::from_texts([("app.hcl".to_owned(), text)])?;
        let (program, diagnostics) = engine.check(configuration.statements, Keep::All);
        let program = program.ok_or_else(|| format!("{diagnostics:?}"))?;
        let summary = engine.run(&program, Mode::Apply, &mut |event| {
            if let EventKind::Message { text, .. } = &event.kind {
                said.push(text.clone());
            }
        });
        println!("version {version}: {} changed, {} as declared", summary.changed, summary.ok);
        assert_eq!(summary.failed, 0);
    }
    assert_eq!(said, ["version 1 becomes 2"]);
    Ok(())
}
