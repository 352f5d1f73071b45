//! `log`: says something when its turn comes.

use uphold_resource::{Host, Level, Observe, Property, Resource, Result, Step};

use crate::script::only_looks;

/// Says something, once at each visit, in a plan, too.
///
/// It never counts as a change.
///
/// ```hcl
/// log "done" {
///   message = "the site is in place"
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(kind = "log", also("debug", "notify", "print", "msg"), permanent)]
pub struct Log {
    /// What it is called.
    #[name]
    pub name: String,
    /// What to say; the name unless set.
    pub message: Option<String>,
    /// How important it is.
    #[default(LogLevel::Info)]
    pub level: LogLevel,
}

/// How important a message of a `log` is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum LogLevel {
    /// For those who want to know everything.
    Debug,
    /// Worth reading.
    Info,
    /// Should be looked at.
    Warning,
}

impl Resource for Log {
    /// Says it here, because this is what every visit does exactly once when nothing differs.
    fn load(&self, host: &dyn Observe) -> Result<Option<LogState>> {
        host.say(self.level.into(), self.message.as_deref().unwrap_or(&self.name));
        Ok(Some(LogState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &dyn Host) -> Result<()> {
        only_looks("log")
    }
}

impl From<LogLevel> for Level {
    fn from(level: LogLevel) -> Self {
        match level {
            LogLevel::Debug => Level::Debug,
            LogLevel::Info => Level::Info,
            LogLevel::Warning => Level::Warning,
        }
    }
}
