//! Conditions, before the run.

use uphold_model::{Diagnostics, Place, Scope, Term};

use crate::program::condition::{Answer, ask};
use crate::program::decode::Decoder;

/// Whether a node is wanted, as far as can be told before the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// It has no condition, or one that holds.
    Yes,
    /// Its condition does not hold.
    No,
    /// Only the run can tell.
    Perhaps,
}

impl Wanted {
    fn and(self, other: Wanted) -> Wanted {
        match (self, other) {
            (Wanted::No, _) | (_, Wanted::No) => Wanted::No,
            (Wanted::Yes, Wanted::Yes) => Wanted::Yes,
            _ => Wanted::Perhaps,
        }
    }
}

/// Checks the conditions of all resources and actions: what each node comes to.
pub(crate) fn check_wanted(
    decoder: &Decoder<'_>,
    scope: &dyn Scope,
    diagnostics: &mut Diagnostics,
) -> Vec<Wanted> {
    let mut of_resources = vec![Wanted::Yes; decoder.set.numbers()];
    for (resource, declared) in decoder.set.iter() {
        let declaration = &declared.declaration;
        if let Some(when) = &declaration.meta.when {
            of_resources[resource as usize] = answer(when, scope, declaration.place, diagnostics);
        }
    }
    let mut of_nodes = Vec::with_capacity(decoder.list.all().len());
    for entry in decoder.list.all() {
        let of_action = match entry.when() {
            Some(when) => answer(when, scope, entry.place, diagnostics),
            None => Wanted::Yes,
        };
        of_nodes.push(of_resources[entry.resource as usize].and(of_action));
    }
    of_nodes
}

fn answer(when: &Term, scope: &dyn Scope, place: Option<Place>, diagnostics: &mut Diagnostics) -> Wanted {
    match ask(when, scope, place) {
        Ok(Answer::Yes) => Wanted::Yes,
        Ok(Answer::No) => Wanted::No,
        Ok(Answer::Later(_)) => Wanted::Perhaps,
        Err(diagnostic) => {
            diagnostics.push(diagnostic);
            Wanted::Perhaps
        }
    }
}
