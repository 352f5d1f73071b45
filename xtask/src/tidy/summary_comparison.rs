//! Code decides by the code of a diagnostic, never by its summary, which may change.

use super::finding::Finding;
use super::mask::code_only;
use crate::workspace::Source;

const COMPARISONS: &[&str] =
    &[".summary ==", ".summary !=", ".summary() ==", ".summary() !=", ".summary().starts_with"];

pub(crate) fn check(sources: &[Source]) -> Vec<Finding> {
    sources.iter().filter(|source| is_checked(source)).flat_map(findings).collect()
}

fn is_checked(source: &Source) -> bool {
    source.is_rust() && source.path.starts_with("crates/") && source.path.contains("/src/")
}

fn findings(source: &Source) -> Vec<Finding> {
    let code = code_only(&source.text);
    let mut findings = Vec::new();
    for (number, line) in (1..).zip(code.lines()) {
        let compared = COMPARISONS.iter().any(|comparison| line.contains(comparison));
        let matched = line.contains("match ") && line.contains(".summary() {");
        if compared || matched {
            findings.push(Finding::new(
                &source.path,
                number,
                "compare the `code` of a diagnostic, not its words",
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::found;
    use super::*;

    #[test]
    fn comparisons_of_words_fire() {
        for line in [
            "if problem.summary() == expected {}",
            "let other = problem.summary() != \"unused param\";",
            "match problem.summary() {",
            "if problem.summary().starts_with(\"unused\") {}",
        ] {
            assert_eq!(found(check, &[("crates/a/src/b.rs", line)]).len(), 1, "{line}");
        }
    }

    #[test]
    fn codes_tests_and_comments_do_not() {
        let quiet = [
            ("crates/a/src/b.rs", "problem.code == Code::UnusedParam; // not .summary() == it"),
            ("crates/a/src/c.rs", "format!(\"{}\", problem.summary())"),
            ("crates/a/tests/d.rs", "problem.summary() == expected"),
        ];
        assert_eq!(found(check, &quiet), [""; 0]);
    }
}
