//! The machine while something is only tried.

use std::sync::OnceLock;

use uphold_resource::{Host, Level, Observe};

/// What is written goes to an overlay; what is asked goes to the visit around it. Of what is said, warnings are passed on:
/// a failure that is ignored may be all that the body does. The rest is said when the body is run.
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
    uphold_resource::delegate!(self => self.around; probes accounts clock facts units needs holds_secret is_sensitive around provides manages);

    fn say(&self, level: Level, text: &str) {
        if level == Level::Warning {
            self.around.say(level, text);
        }
    }
}

impl Host for Tried<'_> {
    uphold_resource::delegate!(self => self.machine(); edits commands unit_edits fill_random);
}
