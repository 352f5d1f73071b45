//! Events of `uphold status --follow`, for people.

use uphold_wire::stream::Excerpt;

use super::resource_list::one_line;
use crate::Paint;
use crate::time_text::Now;

/// A JSON line of the watch as text; none if it reports no change.
pub(crate) fn followed(line: &str, now: &Now, paint: Paint) -> Option<String> {
    let line = Excerpt::read(line)?;
    let message = one_line(&message(&line));
    let message = match &*line.level {
        "debug" => return None,
        _ if line.verdict.as_deref() == Some("unchanged") => return None,
        _ if line.skip_reason.as_deref() == Some("condition") => return None,
        "error" => paint.error(message).to_string(),
        "warn" => paint.changed(message).to_string(),
        _ => message,
    };
    let at = line.timestamp.parse::<jiff::Timestamp>().ok()?;
    Some(format!("{}  {message}\n", now.clock(at.into())))
}

/// The message with its resource or its reason.
fn message(line: &Excerpt) -> String {
    let text = &line.message;
    let what = line.cause.as_ref().and_then(|cause| cause.subject.as_ref());
    match (line.r#type.as_deref(), &line.resource, what) {
        (Some("message"), Some(resource), _) => format!("{}: {text}", resource.address),
        (_, _, Some(what)) => format!("{text}, because {what} changed"),
        _ => text.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time_text::tests::now;

    #[test]
    fn shows_only_changes() {
        let check = |level: &str, more: &str, expected: Option<&str>| {
            let line = format!(
                r#"{{"@level":"{level}","@message":"a\u001b\nb","@timestamp":"1970-01-02T00:00:01.500Z"{more}}}"#
            );
            assert_eq!(followed(&line, &now(), Paint::new(false)).as_deref(), expected, "{line}");
        };
        check("info", "", Some("00:00:01  a\\u{1b} b\n"));
        check("info", ",\"verdict\":\"changed\"", Some("00:00:01  a\\u{1b} b\n"));
        check("info", ",\"verdict\":\"unchanged\"", None);
        check("info", ",\"verdict\":\"skipped\",\"skip_reason\":\"condition\"", None);
        check("debug", "", None);
        let reported = r#","cause":{"reason":"change_detected","subject":"/a"}"#;
        check("info", reported, Some("00:00:01  a\\u{1b} b, because /a changed\n"));
        let said = r#","type":"message","resource":{"address":"log.x"}"#;
        check("info", said, Some("00:00:01  log.x: a\\u{1b} b\n"));
        for other in ["", "nonsense", "[]", "{}"] {
            assert_eq!(followed(other, &now(), Paint::new(false)), None);
        }
    }
}
