//! The machine while something is only tried.

use std::sync::OnceLock;

use uphold_resource::{Host, Level, Observe};

/// What is written goes to an overlay; what is asked goes to the visit around it. What is said is for nobody: it is said
/// again when it is done.
pub(crate) struct Tried<'a> {
    /// Made when somebody asks for it: most bodies find nothing to do.
    overlay: OnceLock<Box<dyn Host + 'a>>,
    around: &'a dyn Observe,
}

impl<'a> Tried<'a> {
    pub(crate) fn new(around: &'a dyn Observe) -> Self {
        Self { overlay: OnceLock::new(), around }
    }

    fn machine(&self) -> &dyn Host {
        &**self.overlay.get_or_init(|| self.around.overlay())
    }
}

impl Observe for Tried<'_> {
    uphold_resource::delegate!(self => self.machine(); overlay files notes);
    uphold_resource::delegate!(self => self.around; probes accounts clock facts units needs around provides manages);

    fn say(&self, _: Level, _: &str) {}
}

impl Host for Tried<'_> {
    uphold_resource::delegate!(self => self.machine(); edits commands unit_edits fill_random);
}
