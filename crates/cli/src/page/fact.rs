//! Pages of facts.

use uphold::model::FactSchema;
use uphold::resource::{FACTS, Facts};
use uphold_wire::schema as wire;

use super::block::{Block, Page};
use super::words::{members, type_doc};
use crate::literal::Literal;
use crate::page::shown;

/// What it says, its type, an example, and what it is here.
pub(crate) fn fact_page(fact: &FactSchema, here: Option<&dyn Facts>) -> Page {
    let mut terms = vec![
        (
            "Type".to_owned(),
            match type_doc(fact.ty) {
                Some(doc) => format!("{}: {doc}.", fact.ty),
                None => format!("{}.", fact.ty),
            },
        ),
        ("Example".to_owned(), format!("`{}`", fact.example)),
    ];
    terms.extend(here.map(|facts| ("Here".to_owned(), value(fact, facts))));
    let mut page = vec![Block::Title(format!("host.{}", fact.name)), Block::Text(fact.doc.to_owned())];
    page.push(Block::Terms(terms));
    if !members(fact.ty).is_empty() {
        let one = |member: &uphold::model::PropertySchema| {
            (member.name.to_owned(), format!("{}. {}", member.ty, member.doc))
        };
        page.push(Block::Heading("Members"));
        page.push(Block::Terms(members(fact.ty).iter().map(one).collect()));
    }
    page
}

/// The facts whose names begin so, all if it is empty: with their values here, or else with examples.
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
        Some(_) => "What this machine says about itself. `uphold explain host.FACT` tells what each means.",
        None => {
            "What a machine says about itself. A fact is found out when it is first asked for; \
                 `uphold facts` shows those of your machine."
        }
    };
    vec![
        Block::Title(title),
        Block::Text(about.to_owned()),
        Block::Terms(facts_below(below).map(term).collect()),
    ]
}

/// The facts whose names begin so.
pub(crate) fn facts_below(below: &str) -> impl Iterator<Item = &'static FactSchema> {
    FACTS.iter().filter(move |fact| {
        let rest = fact.name.strip_prefix(below);
        below.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

/// All that is known of a fact, with its value here if that is asked for.
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
        Ok(value) => Literal::line(&value).to_string(),
        Err(error) => format!("cannot be told: {}", error.chain()),
    }
}
