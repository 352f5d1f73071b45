//! `impl Resource` without the derive.

use uphold_resource::{AbsolutePath, Host, Observe, Resource, Result, Step};

struct Note {
    path: AbsolutePath,
}

impl Resource for Note {
    fn load(&self, _: &dyn Observe) -> Result<Option<()>> {
        Ok(None)
    }

    fn apply(&self, _: Step<'_, Self>, _: &dyn Host) -> Result<()> {
        Ok(())
    }
}

fn main() {}
