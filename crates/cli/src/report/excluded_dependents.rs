//! The text about resources that a run leaves out, because they depend on excluded ones.

use std::collections::{BTreeMap, BTreeSet};

use uphold::{LeftOut, Program};

use crate::clean;
use crate::diagnostics::count;

/// The number of resources that are listed for each excluded one; the others are counted.
const MOST_LISTED: usize = 10;

/// A line for each excluded resource with dependents, in written order; empty if there are none.
pub(super) fn text(left_out: &[LeftOut], program: &Program, verbose: bool) -> String {
    let resource = |action: u32| program.list().get(action as usize).resource;
    let mut dependents: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for one in left_out {
        dependents.entry(resource(one.excluded)).or_default().insert(resource(one.action));
    }
    let name = |resource: u32| program.set().id(resource).to_string();
    let most = if verbose { usize::MAX } else { MOST_LISTED };
    let line = |(excluded, dependents): (u32, BTreeSet<u32>)| {
        let names: Vec<String> = dependents.iter().take(most).map(|dependent| name(*dependent)).collect();
        line(&name(excluded), &names, dependents.len())
    };
    dependents.into_iter().map(line).collect()
}

fn line(excluded: &str, names: &[String], all: usize) -> String {
    let (verb, reason) = if all == 1 { ("is", "it depends") } else { ("are", "they depend") };
    let more = match all - names.len() {
        0 => String::new(),
        more => format!(" and {more} more; -v lists them all"),
    };
    let (excluded, names) = (clean(excluded), names.join(", "));
    let subject = count(all, "resource");
    format!("note: {subject} {verb} left out, too, because {reason} on {excluded}: {}{more}\n", clean(&names))
}
