//! Conflicts of resources that name one file by two paths, one of them through a linked directory. The check of a program
//! cannot see them, because it does not use the machine.

use std::path::{Path, PathBuf};

use uphold_model::{Claim, Claims};
use uphold_resource::Instance;

use crate::failure::Failure;
use crate::program::managed::controlled_paths;
use crate::program::set::ResourceIndex;
use crate::visit::early_exit::EarlyExit;
use crate::visitor::Visitor;

impl Visitor<'_> {
    /// Refuses a change of a path that is another resource's by its real name: they would undo each other's changes in
    /// every run. Only the one that uses a link is refused, so that the other one stays as declared; of two that use
    /// links, the later one.
    pub(crate) fn check_other_names(&self, claims: &Claims) -> Result<(), EarlyExit> {
        if self.program.declared(self.node).declaration.meta.no_auto_edges {
            return Ok(());
        }
        for (path, _) in controlled_paths(claims) {
            let Some(real) = self.real_name(path).filter(|real| real != path) else { continue };
            let users = self.program.managed.users_of(&self.program.set, &real).iter().copied();
            let linked = *self.visits.linked.lock().entry(real.clone()).or_insert(self.resource());
            let mut others = users.chain([linked]).filter(|other| *other != self.resource());
            if let Some(other) = others.find(|other| self.contradicts(*other, claims, &real)) {
                let failure = Failure::other_name(path, &real, self.program.set.id(other));
                return Err(EarlyExit::Failed(failure));
            }
        }
        Ok(())
    }

    /// The real name of a path, if its directory can be read.
    fn real_name(&self, path: &Path) -> Option<PathBuf> {
        let names = if self.watching.is_some() { &self.real_names } else { &self.visits.real_names };
        names.find(path, &self.act()).ok()
    }

    /// Whether another resource manages the file of this real name as well, or declares all of its content while the other
    /// of the two changes a part.
    fn contradicts(&self, other: ResourceIndex, claims: &Claims, real: &Path) -> bool {
        let program = self.program;
        if program.set.entry(other).declaration.meta.no_auto_edges {
            return false;
        }
        let instance =
            program.nodes_of(other).iter().find_map(|node| program.node(*node).instance.as_deref());
        let Some(other) = instance.map(Instance::claims) else { return false };
        let has = |of: &[Claim]| {
            of.iter().any(|claim| {
                matches!(claim, Claim::Path(path) if self.real_name(path).is_some_and(|name| name == real))
            })
        };
        let holds = [has(&claims.holds), has(&other.holds)];
        let edits = [has(&claims.edits) && claims.puts_parts, has(&other.edits) && other.puts_parts];
        (holds[0] && holds[1])
            || (holds[0] && claims.whole_content && edits[1])
            || (holds[1] && other.whole_content && edits[0])
    }
}
