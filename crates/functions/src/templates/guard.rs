//! Rewrites a template so that every operation that enlarges values is metered.
//!
//! The engine has no limit on the size of values, and no hook where they grow. So before a template is compiled, the
//! filters `PART`, `ADDEND` and `TEXT` are appended to operands of `~`, `+` and `*`, to results of filters and to list and
//! map literals, and a call of `RAW` follows literal text. No line is added, and [`Guarded::original`] maps offsets back.

use std::ops::Range;

use minijinja::machinery::ast::Stmt;
use minijinja::machinery::{Token, parse, tokenize};
use minijinja::syntax::SyntaxConfig;

use super::rewriting::Insertions;

/// The maximum number of names, operators and brackets of one expression; a comma starts another one.
const MOST_TOKENS: usize = 1000;

/// A rewritten template.
#[derive(Debug)]
pub(super) struct Guarded {
    pub(super) text: String,
    source: String,
    /// Offsets in the original where text was inserted, and its length, sorted.
    inserted: Vec<(usize, usize)>,
}

impl Guarded {
    /// Rewrites `source`. A template that cannot be parsed stays as it is: the engine reports why.
    ///
    /// # Errors
    /// An expression that is too long: the engine's parser recurses for each operator.
    pub(super) fn new(source: &str, syntax: SyntaxConfig) -> Result<Self, String> {
        if let Some(line) = too_long(source, &syntax) {
            return Err(format!("line {line}: an expression has more than {MOST_TOKENS} parts"));
        }
        let insertions = match parse(source, "", syntax) {
            Ok(Stmt::Template(template)) => Insertions::of(source, &template.children).list,
            _ => Vec::new(),
        };
        Ok(Self::with(source, insertions))
    }

    fn with(source: &str, mut insertions: Vec<(usize, String)>) -> Self {
        // Stable: at equal offsets, nested insertions come first.
        insertions.sort_by_key(|(at, _)| *at);
        let mut text = String::with_capacity(source.len() + 16 * insertions.len());
        let mut end = 0;
        for (at, inserted) in &insertions {
            text.push_str(&source[end..*at]);
            text.push_str(inserted);
            end = *at;
        }
        text.push_str(&source[end..]);
        let inserted = insertions.iter().map(|(at, inserted)| (*at, inserted.len())).collect();
        Self { text, source: source.to_owned(), inserted }
    }

    /// The original text of a range in the rewritten template; for an inserted filter, the name or member before it. None
    /// if there is none.
    pub(super) fn original(&self, range: &Range<usize>) -> Option<&str> {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        if start < end {
            return self.source.get(start..end);
        }
        let before = self.source.get(..start)?.trim_end();
        let is_part = |c: char| c.is_alphanumeric() || "_.[]'\"".contains(c);
        let member = &before[before.trim_end_matches(is_part).len()..];
        Some(member).filter(|member| member.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }

    fn offset(&self, rewritten: usize) -> usize {
        let mut shift = 0;
        for (at, length) in &self.inserted {
            match rewritten.checked_sub(at + shift) {
                None | Some(0) => break,
                Some(past) if past < *length => return *at,
                Some(_) => shift += length,
            }
        }
        rewritten - shift
    }
}

/// The line of the first expression that is too long. Tokens in brackets count for the enclosing expression.
fn too_long(source: &str, syntax: &SyntaxConfig) -> Option<u16> {
    let mut levels = vec![0_usize];
    let mut sum = 0;
    for (token, span) in tokenize(source, false, syntax.clone()).map_while(Result::ok) {
        match token {
            Token::VariableStart | Token::BlockStart => (levels, sum) = (vec![0], 0),
            Token::Comma => sum -= levels.last_mut().map(std::mem::take).unwrap_or(0),
            Token::ParenOpen | Token::BracketOpen | Token::BraceOpen => levels.push(0),
            Token::ParenClose | Token::BracketClose | Token::BraceClose => sum -= levels.pop().unwrap_or(0),
            _ => {}
        }
        if let Some(level) = levels.last_mut() {
            (*level, sum) = (*level + 1, sum + 1);
        }
        if sum > MOST_TOKENS {
            return Some(span.start_line);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use minijinja::value::Value as Jinja;
    use minijinja::{Environment, context};

    use super::super::syntax;
    use super::*;
    use crate::templates::rewriting::{ADDEND, PART, RAW, TEXT};

    fn rendered(source: &str) -> Result<String, minijinja::Error> {
        let mut environment = Environment::new();
        environment.set_syntax(syntax());
        environment.add_filter(PART, |value: Jinja| value);
        environment.add_filter(ADDEND, |value: Jinja| value);
        environment.add_filter(TEXT, |value: Jinja| value);
        environment.add_function(RAW, |_: usize| ());
        let values = context! { a => "A", n => 3, l => ["x", "y"], m => context! { k => "v" } };
        environment.render_str(source, values)
    }

    #[test]
    fn a_rewritten_template_renders_the_same() {
        let long = "literal text that is charged";
        for source in [
            "{{ a ~ n ~ (a ~ 'b') ~ -n }} {{ (a) + 'b' + a|lower }} {{ 2 * n * 2 ~ 'x' }} {{ (n + 1) * 2 - 1 }}".to_owned(),
            "{{ 'ab' * n }}{{ n * 'ab' }}{{ [1, n] * 2 }}{{ ((n)) + 1 }}{{ 2 ** n + 1 }}".to_owned(),
            "{{ [a, n][0] }}{{ {'k': a}.k }}{{ (a, n)[1] }}{{ [[a], [n]] }}{{ {'a': [n]}['a'] }}{{ [] }}{{ {} }}".to_owned(),
            "{% set b = a, n %}{{ b }}{% set c, d = b %}{{ c ~ d }}{% set e = (a, n) %}{{ e }}".to_owned(),
            "{% set ns = namespace(s='') %}{% for x in l + ['z'] %}{% set ns.s = ns.s ~ x %}{% endfor %}{{ ns.s }}".to_owned(),
            "{% macro m(x, y=[1]) %}<{{ x ~ y }}>{% endmacro %}{{ m(a) }}{{ m(y=2, x=a + 'b') }}".to_owned(),
            "{% macro w() %}({{ caller() }}){% endmacro %}{% call w() %}{{ a ~ n }}{% endcall %}".to_owned(),
            "{% filter upper|trim %} a{{ n ~ n }} {% endfilter %}{% set t | upper %}x{{ a }}{% endset %}{{ t }}".to_owned(),
            "{{ 'yes' if n == 3 and a != 'B' or n not in [1, 2] else 'no' }}{{ 1 < n < 4 }}{{ n is divisibleby 3 }}".to_owned(),
            "{{ l|map('upper')|join(', ') }}{{ l|first ~ l|last }}{{ a is in ['A'] }}{{ x|default('d') ~ 'e' }}".to_owned(),
            "{% for k, v in m|items if v == 'v' %}{{ loop.index + 1 }}{{ k ~ v }}{% else %}none{% endfor %}".to_owned(),
            "{% with x = a ~ 'b', y = [n] %}{{ x ~ y }}{% endwith %}{% if a ~ 'b' == 'Ab' %}1{% elif n %}2{% endif %}".to_owned(),
            format!("  {{%- if n -%}}  \n {long}  {{%- endif -%}}  \n{long}\n {{#- c -#}} {long} {{{{- a }}}}\n{long}\n"),
            format!("{long} {{%- raw -%}} {long} {{{{ x }}}} {{%- endraw -%}} {long} {{% raw %}}{long}{{% endraw %}} {long}"),
            format!("{{{{ {} }}}}", vec!["a"; 400].join(" ~ ")),
        ] {
            let guarded = Guarded::new(&source, syntax()).unwrap_or_else(|message| panic!("{message}"));
            assert_ne!(guarded.text, source);
            let plain = rendered(&source).unwrap_or_else(|error| panic!("{source}: {error}"));
            assert_eq!(rendered(&guarded.text).unwrap_or_else(|error| error.to_string()), plain, "{}", guarded.text);
        }
    }

    #[test]
    fn offsets_are_mapped_back() {
        let guarded =
            Guarded::new("{{ a ~ missing ~ b }}", syntax()).unwrap_or_else(|message| panic!("{message}"));
        let at = guarded.text.find("missing").unwrap_or(0);
        assert_eq!(guarded.original(&(at..at + 7)), Some("missing"));
        assert_eq!(guarded.original(&(3..guarded.text.len() - 3)), Some("a ~ missing ~ b"));
        let at = guarded.text.find("|__text").unwrap_or(0) + 1;
        assert_eq!(guarded.original(&(at..at + 6)), Some("a"));
        let wrong = Guarded::new("{{ wrong", syntax()).map(|guarded| guarded.text);
        assert_eq!(wrong, Ok("{{ wrong".to_owned()));
    }

    #[test]
    fn expressions_that_would_exhaust_the_stack_are_rejected() {
        let length = |source: &str| Guarded::new(source, syntax()).map(|_| ());
        let refused = Err("line 2: an expression has more than 1000 parts".to_owned());
        assert_eq!(length(&format!("\n{{{{ a{} }}}}", " ~ a".repeat(100_000))), refused);
        assert_eq!(length(&format!("\n{{{{ a{} }}}}", "|f(a, b)".repeat(1000))), refused);
        assert_eq!(length(&format!("\n{{% if {}a %}}", "not ".repeat(100_000))), refused);
        assert_eq!(length(&format!("\n{{{{ [{}] }}}}", "a ~ b, ".repeat(100_000))), Ok(()));
        assert_eq!(length(&"{{ a ~ b }}".repeat(10_000)), Ok(()));
    }
}
