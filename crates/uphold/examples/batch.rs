//! Batch: many resources of a kind that are changed in one transaction.

use uphold::builtin::Directory;
use uphold::resource::{Act, Batch, Reading, Resource, Result, Step};
use uphold::{Configuration, Engine, EventKind, LocalHost};

/// A shelf: a directory.
#[derive(Resource)]
#[resource(kind = "shelf", batch)]
struct Shelf {
    /// The directory, with all of its properties.
    #[flatten]
    directory: Directory,
}

impl Resource for Shelf {
    fn load(&self, host: &Reading<'_>) -> Result<Option<ShelfState>> {
        Ok(self.directory.load(host)?.map(|directory| ShelfState { directory }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.directory.apply(step.part::<Directory>(), host)
    }
}

impl Batch for Shelf {
    fn apply_all(items: &[(&Self, Step<'_, Self>)], host: &Act<'_>) -> Vec<Result<()>> {
        items.iter().map(|(shelf, step)| shelf.apply(*step, host)).collect()
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).kind::<Shelf>()?.build();
    let all = Configuration::from_text(&engine, "all.hcl", "shelf \"/a\" {}\nshelf \"/b\" {}\n")?.check()?;
    let mut merged = false;
    all.apply(&mut |event| merged |= matches!(event.kind, EventKind::Merged { .. }))?;
    assert!(merged);
    Ok(())
}
