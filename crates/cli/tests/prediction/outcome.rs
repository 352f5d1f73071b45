//! The outcome of one action, from the JSON stream.

use serde_json::Value;

/// The outcome of one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// The resource, the action, and whether it was notified.
    pub(crate) key: (String, String, bool),
    pub(crate) verdict: String,
    /// The reason for waiting, or the failure.
    pub(crate) reason: String,
}

/// All outcomes in the order of the stream.
///
/// # Errors
/// The reason for which the configuration was refused.
pub(crate) fn read(stream: &str) -> Result<Vec<Outcome>, String> {
    let lines: Vec<Value> =
        stream.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let of_type = |line: &&Value, kind: &str| line["type"] == kind;
    if !lines.iter().any(|line| of_type(&line, "run_started")) {
        return Err(stream.to_owned());
    }
    Ok(lines.iter().filter(|line| of_type(line, "resource_finished")).map(outcome).collect())
}

fn outcome(line: &Value) -> Outcome {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let notified = line["cause"]["reason"] == "notified";
    let key = (text(&line["resource"]["address"]), text(&line["action"]), notified);
    let failure = line.get("failure").map(|failure| text(&failure["message"]));
    let reason = [line.get("waits_for").map(text), failure].into_iter().flatten();
    Outcome { key, verdict: text(&line["verdict"]), reason: reason.collect::<Vec<_>>().join("; now: ") }
}
