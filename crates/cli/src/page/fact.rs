//! Pages of facts.

use uphold::model::{FactSchema, PropertySchema};
use uphold::resource::{FACTS, Facts};
use uphold_wire::schema as wire;

use crate::literal;

use super::block::{Block, Page};
use super::kind::{members, type_text};
use super::value::shown;

/// The documentation of a fact, its type, an example, and its value on this machine.
pub(crate) fn fact_page(fact: &FactSchema, here: Option<&dyn Facts>) -> Page {
    let mut terms =
        vec![("Type".to_owned(), type_text(fact.ty)), ("Example".to_owned(), format!("`{}`", fact.example))];
    terms.extend(here.map(|facts| ("Value here".to_owned(), value(fact, facts))));
    let mut page = vec![Block::Title(format!("host.{}", fact.name)), Block::Text(fact.doc.to_owned())];
    page.push(Block::Terms(terms));
    if !members(fact.ty).is_empty() {
        let one =
            |member: &PropertySchema| (member.name.to_owned(), format!("{}. {}", member.ty, member.doc));
        page.push(Block::Heading("Members"));
        page.push(Block::Terms(members(fact.ty).iter().map(one).collect()));
    }
    page
}

/// The facts below a prefix (all if it is empty) with their values `here`, or with examples.
pub(crate) fn facts_page(below: &str, here: Option<&dyn Facts>) -> Page {
    let term = |fact: &FactSchema| {
        let text = match here {
            Some(facts) => value(fact, facts),
            None => format!("{}. {} Example: `{}`.", fact.ty, fact.doc, fact.example),
        };
        (format!("host.{}", fact.name), text)
    };
    let title = if below.is_empty() { "Facts".to_owned() } else { format!("host.{below}") };
    let about = match here {
        Some(_) => "Facts about this machine. `uphold explain host.FACT` documents each.",
        None => {
            "Facts about a machine. A fact is gathered when it is first used; `uphold facts` shows those of \
             your machine."
        }
    };
    vec![
        Block::Title(title),
        Block::Text(about.to_owned()),
        Block::Terms(facts_below(below).map(term).collect()),
    ]
}

/// The facts below a prefix.
pub(crate) fn facts_below(below: &str) -> impl Iterator<Item = &'static FactSchema> {
    FACTS.iter().filter(move |fact| {
        let rest = fact.name.strip_prefix(below);
        below.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// The documentation of a fact for JSON, with its value `here`.
pub(crate) fn explained_fact(fact: &FactSchema, here: Option<&dyn Facts>) -> wire::Fact {
    let plain = wire::Fact::from(fact);
    match here.map(|facts| facts.fact(fact.name)) {
        None => plain,
        Some(Ok(value)) => wire::Fact { value: Some(shown(&value)), ..plain },
        Some(Err(error)) => wire::Fact { error: Some(error.chain()), ..plain },
    }
}

fn value(fact: &FactSchema, facts: &dyn Facts) -> String {
    match facts.fact(fact.name) {
        Ok(value) => literal::line(&value),
        Err(error) => format!("not available: {}", error.chain()),
    }
}
