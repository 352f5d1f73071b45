//! `impl Resource` without the derive.

use uphold_resource::{AbsolutePath, Act, Found, Look, Resource, Result, Step};

struct Note {
    path: AbsolutePath,
}

impl Resource for Note {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::Absent)
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn main() {}
