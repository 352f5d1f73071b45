//! Resources in a program that are no longer declared: they are removed or reverted, once.

use uphold_model::{Diagnostics, Moved, Removed, ResourceId, Statement};
use uphold_resource::Reading;

use crate::program::from_statements::FromStatements;
use crate::program::{Keep, Program};

impl Program {
    /// The `moved` blocks.
    pub fn moved(&self) -> &[Moved] {
        &self.others.moved
    }

    /// The declared resource that has taken the place of an address, through one or more `moved` blocks.
    pub fn moved_to(&self, from: &str) -> Option<ResourceId> {
        let blocks = self.moved();
        let mut address = blocks.iter().find_map(|moved| moved.rename(from))?;
        // Each block is used at most once, so that a cycle ends.
        for _ in blocks {
            match blocks.iter().find_map(|moved| moved.rename(&address)) {
                Some(next) => address = next,
                None => break,
            }
        }
        address.parse().ok().filter(|id| self.set.find(id).is_some())
    }

    /// The `removed` blocks.
    pub fn removed(&self) -> &[Removed] {
        &self.others.removed
    }

    /// The same program, which also removes or reverts resources that are no longer declared: their declarations, and the
    /// actions. Only right for a program that keeps its declarations. The digest is still that of the declared resources.
    ///
    /// # Errors
    /// The program as it was, and the conflicts of the statements with it.
    pub fn with_removals(
        self,
        statements: Vec<Statement>,
        observe: &Reading<'_>,
        keep: Keep,
    ) -> Result<Program, Box<(Program, Diagnostics)>> {
        let digest = self.digest().clone();
        let Program { set, mut list, outputs, others, registry, declared, .. } = self;
        let actions = list.len();
        list.forget_requests(actions);
        let mut read = FromStatements { set, list, outputs, others };
        let mut diagnostics = Diagnostics::default();
        read.add(statements, &mut diagnostics);
        let built = Self::build(read, declared, &registry, (observe, Keep::All), &mut diagnostics);
        let with_digest = |program: Program| {
            let program = Program { digest: digest.clone().into(), ..program };
            if keep == Keep::ForWatch { program.lean() } else { program }
        };
        built.map(with_digest).map_err(|mut read| {
            read.set.truncate(declared);
            read.list.forget_requests(actions);
            let built =
                Self::build(*read, declared, &registry, (observe, Keep::All), &mut Diagnostics::default());
            let program = built.map_err(|_| ()).expect("it was valid without the removals");
            Box::new((with_digest(program), diagnostics))
        })
    }

    /// Whether a resource is only in the program to be removed or reverted.
    pub fn is_no_longer_declared(&self, resource: &ResourceId) -> bool {
        let has_removals = self.declared < self.set.len();
        has_removals && self.set.find(resource).is_some_and(|index| index as usize >= self.declared)
    }

    /// The declared resources, without those that are no longer declared.
    pub fn declared_ids(&self) -> impl Iterator<Item = &ResourceId> {
        self.set.ids().take(self.declared)
    }
}
