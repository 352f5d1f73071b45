//! The JSON lines of one run.

use serde_json::Value;

use crate::ran::Ran;

/// The output of one run of `uphold --json`.
#[derive(Debug)]
pub(crate) struct Report {
    /// The command and its output, for messages.
    pub(crate) ran: Ran,
    lines: Vec<Value>,
}

impl Report {
    pub(crate) fn new(ran: Ran) -> Self {
        let lines = ran.stdout.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        Self { ran, lines }
    }

    /// The changes that were made, or planned.
    fn changes(&self) -> impl Iterator<Item = &Value> {
        self.lines.iter().map(|line| &line["change"]).filter(|change| change.is_object())
    }

    /// The number of changed resources, or those planned.
    pub(crate) fn changed(&self) -> usize {
        self.changes().count()
    }

    /// Whether a difference of this property is reported, or of a part of it (`labels.a`).
    pub(crate) fn names(&self, property: &str) -> bool {
        let is_meant = |name: &str| {
            let rest = name.strip_prefix(property);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        let mut differences = self.changes().filter_map(|change| change["differences"].as_array()).flatten();
        differences.any(|difference| difference["property"].as_str().is_some_and(is_meant))
    }

    /// Whether a change of this kind is reported: `create`, `update`, `remove` or `run`.
    pub(crate) fn has(&self, kind: &str) -> bool {
        self.changes().any(|change| change["kind"] == kind)
    }

    /// The text of all diagnostics and failures, with causes and hints.
    pub(crate) fn problems(&self) -> String {
        let mut words = Vec::new();
        for part in self.lines.iter().flat_map(|line| [&line["diagnostic"], &line["failure"]]) {
            collect(part, &mut words);
        }
        words.push(self.ran.stderr.clone());
        words.join("\n")
    }

    /// The output in readable form.
    pub(crate) fn shown(&self) -> String {
        let messages: Vec<String> = self.lines.iter().filter_map(shown).collect();
        format!(
            "$ {}\nexit code {}\n{}\n{}",
            self.ran.command,
            self.ran.status,
            messages.join("\n"),
            self.ran.stderr
        )
    }
}

/// Collects all strings. It recurses: the depth of our own output is bounded.
fn collect(value: &Value, words: &mut Vec<String>) {
    match value {
        Value::String(text) => words.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, words)),
        _ => {}
    }
}

fn shown(line: &Value) -> Option<String> {
    let level = line["@level"].as_str().filter(|level| *level != "debug")?;
    let mut text = format!("{level}: {}", line["@message"].as_str()?);
    for part in ["change", "failure", "diagnostic"] {
        if line[part].is_object() {
            text.push_str(&format!("\n    {}", line[part]));
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(line: &str) -> Report {
        let ran = Ran { command: String::new(), status: 2, stdout: line.to_owned(), stderr: String::new() };
        Report::new(ran)
    }

    #[test]
    fn a_property_is_named_whole_or_by_a_part() {
        let check = |reported: &str, property: &str, expected: bool| {
            let line =
                format!(r#"{{"change":{{"kind":"update","differences":[{{"property":"{reported}"}}]}}}}"#);
            assert_eq!(report(&line).names(property), expected, "{reported} {property}");
        };
        check("shell", "shell", true);
        check("environment.PATH", "environment", true);
        check("groups[0]", "groups", true);
        check("shells", "shell", false);
        check("uid", "shell", false);
    }

    #[test]
    fn problems_include_causes_and_hints() {
        let report = report(r#"{"failure":{"message":"no","causes":["deep"],"hint":"do it"}}"#);
        assert!(["no", "deep", "do it"].iter().all(|word| report.problems().contains(word)));
        assert_eq!((report.changed(), report.has("create")), (0, false));
    }
}
