//! The stderr of a program: messages and other lines.

use serde_json::Value as Json;
use uphold_resource::Level;

/// A line of stderr.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Line {
    /// A message. An error is a warning that also explains a failure.
    Message { level: Level, is_error: bool, text: String },
    /// Any other line: shown if the program fails.
    Other(String),
}

/// The levels, with both of their names.
const LEVELS: [(&str, &str, Level); 5] = [
    ("error", "ERROR", Level::Warning),
    ("warn", "WARN", Level::Warning),
    ("info", "INFO", Level::Info),
    ("debug", "DEBUG", Level::Debug),
    ("trace", "TRACE", Level::Debug),
];

/// The lines of stderr without empty ones.
pub(super) fn lines(stderr: &[u8]) -> Vec<Line> {
    let text = String::from_utf8_lossy(stderr);
    text.lines().filter(|line| !line.trim().is_empty()).map(line).collect()
}

fn line(text: &str) -> Line {
    let json = text.trim_start().starts_with('{').then(|| serde_json::from_str::<Json>(text).ok()).flatten();
    json.as_ref().and_then(message).unwrap_or_else(|| Line::Other(text.to_owned()))
}

/// `{"level", "fields": {"message"}}` or `{"info": "…"}`.
fn message(json: &Json) -> Option<Line> {
    let text = |json: &Json| json.as_str().map(str::to_owned);
    let long = json.get("level").and_then(Json::as_str).zip(json.pointer("/fields/message").and_then(text));
    if let Some((name, text)) = long {
        let (short, _, level) = LEVELS.iter().find(|(_, long, _)| long.eq_ignore_ascii_case(name))?;
        return Some(Line::Message { level: *level, is_error: *short == "error", text });
    }
    LEVELS.iter().find_map(|(short, _, level)| {
        let text = json.get(*short).and_then(text)?;
        Some(Line::Message { level: *level, is_error: *short == "error", text })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_4_messages_are_recognised() {
        let check = |text: &str, expected: Line| assert_eq!(lines(text.as_bytes()), [expected], "{text}");
        let message = |level, is_error, text: &str| Line::Message { level, is_error, text: text.to_owned() };
        let long = r#"{"timestamp":"x","level":"WARN","fields":{"message":"careful"},"target":"t"}"#;
        check(long, message(Level::Warning, false, "careful"));
        check(r#"{"level":"Error","fields":{"message":"bad"}}"#, message(Level::Warning, true, "bad"));
        check(r#"{"error":"bad"}"#, message(Level::Warning, true, "bad"));
        check(r#"{"warn":"w"}"#, message(Level::Warning, false, "w"));
        check(r#"{"info":"i"}"#, message(Level::Info, false, "i"));
        check(r#"{"debug":"d"}"#, message(Level::Debug, false, "d"));
        check(r#"{"trace":"t"}"#, message(Level::Debug, false, "t"));
        check("{broken", Line::Other("{broken".to_owned()));
        check(r#"{"other":"x"}"#, Line::Other(r#"{"other":"x"}"#.to_owned()));
        check("plain\n\n", Line::Other("plain".to_owned()));
        assert_eq!(lines(b"a\n\xff\n").len(), 2);
    }
}
