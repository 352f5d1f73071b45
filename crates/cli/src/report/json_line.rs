//! One line of the JSON stream.

use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::Value;
use uphold::model::VisibleJson;

use super::outcome::Fields;
use crate::ui::Ui;

/// How important a line is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Importance {
    Debug,
    Info,
    Warn,
    Error,
}

/// An object whose fields keep the order in which they were added: envelope first.
pub(crate) struct JsonLine {
    text: String,
}

impl JsonLine {
    /// The envelope that every line has.
    pub(crate) fn new(kind: &str, level: Importance, message: &str, time: SystemTime) -> Self {
        let level = match level {
            Importance::Debug => "debug",
            Importance::Info => "info",
            Importance::Warn => "warn",
            Importance::Error => "error",
        };
        let mut line = Self { text: String::from("{") };
        line.add("@level", level);
        line.add("@message", message);
        line.add("@timestamp", timestamp(time));
        line.add("type", kind);
        line
    }

    /// The same with one more field.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.add(name, value);
        self
    }

    /// The same with more fields.
    #[must_use]
    pub(crate) fn with_all(self, fields: Fields) -> Self {
        fields.into_iter().fold(self, |line, (name, value)| line.with(name, value))
    }

    /// Writes it.
    pub(crate) fn write(self, ui: &mut Ui) {
        ui.data(format_args!("{}\n", self.into_text()));
    }

    /// The whole line, without its end.
    pub(crate) fn into_text(self) -> String {
        format!("{}}}", VisibleJson(self.text))
    }

    fn add(&mut self, name: &str, value: impl Into<Value>) {
        let comma = if self.text.len() > 1 { "," } else { "" };
        self.text += &format!("{comma}{}:{}", Value::from(name), value.into());
    }
}

/// RFC 3339, in UTC. A clock outside of what that can say is no reason to stop.
pub(crate) fn timestamp(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_line_begins_with_its_envelope() {
        let time = SystemTime::UNIX_EPOCH + Duration::from_millis(1_700_000_000_123);
        let line = JsonLine::new("message", Importance::Info, "say \"hi\"", time).with("n", 1);
        assert_eq!(
            line.text,
            r#"{"@level":"info","@message":"say \"hi\"","@timestamp":"2023-11-14T22:13:20.123Z","type":"message","n":1"#
        );
    }
}
