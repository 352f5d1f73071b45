//! The kind `log`.

use uphold_kit::read_only;
use uphold_resource::{Act, Found, Level, Look, Property, Reading, Resource, Result, Step, Verbs};

/// A message in the log, printed once at each check, also in a plan.
///
/// It never counts as a change. With `action = "nothing"` the message is printed only when another resource
/// notifies it with `say`.
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
    verbs(say = "Print the message now; for notifications.")
)]
pub struct Log {
    /// Name of the message; defaults to the block's label.
    #[name]
    pub name: String,
    /// Text of the message. Defaults to the name.
    #[also("msg")]
    pub message: Option<String>,
    /// Severity: `debug`, `info` or `warning`.
    #[default(LogLevel::Info)]
    pub level: LogLevel,
}

/// The severity of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum LogLevel {
    /// For troubleshooting.
    Debug,
    /// Worth reading.
    Info,
    /// Needs attention.
    Warning,
}

impl Resource for Log {
    /// Printed here, because `load` runs exactly once at each visit that finds no difference.
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        self.say(look);
        Ok(Found::This(LogState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        read_only::refuse("log")
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
