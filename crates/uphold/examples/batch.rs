//! Batch: many resources of a kind, changed in one transaction.

use uphold::prelude::*;
use uphold::{EventKind, builtin::Directory};

/// A shelf: a directory.
#[derive(Resource)]
#[resource(kind = "shelf", batch)]
struct Shelf {
    /// The directory, with all its properties.
    #[flatten]
    directory: Directory,
}

impl Resource for Shelf {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        Ok(self.directory.load(look)?.map(|directory| ShelfState { directory }))
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
    let mut batched = false;
    all.apply(&mut |event| batched |= matches!(event.kind, EventKind::Merged { .. }))?;
    batched.then_some(()).ok_or_else(|| "the shelves were not changed in one batch".into())
}
