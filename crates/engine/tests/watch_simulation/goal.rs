//! The expected state of the machine.

use uphold_testkit::MemoryHost;

use super::plot::{Kind, path_of};
use super::stage::Shared;

impl Shared {
    /// Differences from the declared state, and missed notifications.
    pub(crate) fn check(&self, host: &MemoryHost) -> Result<(), String> {
        let (plot, machine) = (self.referee.plot(), host.snapshot());
        for (thing, prop) in plot.things().filter(|(thing, _)| !plot.is_unwanted(*thing)) {
            let path = path_of(thing);
            let found = machine.describe(path.as_ref());
            let content =
                machine.content(path.as_ref()).map(|text| String::from_utf8_lossy(text).into_owned());
            let is_right = match prop.kind {
                Kind::Folder => found.is_some(),
                Kind::Gone => found.is_none(),
                Kind::Note(_) | Kind::Copy(_) => {
                    content.is_some() && content == plot.text(thing, &self.colour)
                }
            };
            if !is_right {
                return Err(format!("in the end, {path} is {found:?}"));
            }
        }
        self.referee.check_errands()
    }
}
