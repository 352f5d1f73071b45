//! `log`: says something when its turn comes.

use uphold_resource::{Act, Level, Property, Reading, Resource, Result, Step, Verbs};

use crate::script::only_looks;

/// Says something, once at each visit, in a plan, too.
///
/// It never counts as a change. With `action = "nothing"` it is silent until another resource tells it to `say` its
/// message.
///
/// ```hcl
/// log "done" {
///   message = "the site is in place"
/// }
/// ```
///
/// ```hcl
/// log "moved" {
///   message = "the site was changed"
///   action  = "nothing"
/// }
///
/// file "/srv/www/index.html" {
///   content  = "hello"
///   notifies = [log.moved.say]
/// }
/// ```
#[derive(Debug, Clone, Resource)]
#[resource(
    kind = "log",
    also("debug", "notify", "print", "msg"),
    permanent,
    verbs(say = "Say it now; for notifications.")
)]
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
    fn load(&self, host: &Reading<'_>) -> Result<Option<LogState>> {
        self.say(host);
        Ok(Some(LogState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        only_looks("log")
    }
}

impl Verbs for Log {
    type Verb = LogVerb;

    fn run(&self, verb: LogVerb, host: &Act<'_>) -> Result<()> {
        match verb {
            LogVerb::Say => self.say(host),
        }
        Ok(())
    }
}

impl Log {
    fn say(&self, host: &Reading<'_>) {
        host.report(self.level.into(), self.message.as_deref().unwrap_or(&self.name));
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
