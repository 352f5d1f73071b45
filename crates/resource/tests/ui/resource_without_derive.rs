//! `impl Resource` without the derive.

use uphold_resource::{AbsolutePath, Act, Reading, Resource, Result, Step};

struct Note {
    path: AbsolutePath,
}

impl Resource for Note {
    fn load(&self, _: &Reading<'_>) -> Result<Option<()>> {
        Ok(None)
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
