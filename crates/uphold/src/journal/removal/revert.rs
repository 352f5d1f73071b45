//! The statements that bring the first previous values of a resource back.

use std::cell::OnceCell;

use uphold_journal::{ActionBegin, AppliedResource, Records, Run};
use uphold_model::{ResourceId, Statement};
use uphold_resource::{Reading, Registry};

use super::super::undo::{Undo, UndoRequest};
use super::redeclared::Refusal;

/// Finds previous values in the recorded runs, which are read once.
pub(super) struct PreviousValues<'a> {
    pub(super) records: &'a Records,
    pub(super) kinds: &'a Registry,
    pub(super) host: &'a Reading<'a>,
    pub(super) runs: OnceCell<Vec<Run>>,
}

impl PreviousValues<'_> {
    /// The statements that undo every change since the first one. None if the resource is as before.
    ///
    /// # Errors
    /// The reason why there are none.
    pub(super) fn revert(
        &self,
        record: &AppliedResource,
        id: &ResourceId,
        (first, _): (u64, u64),
    ) -> Result<Option<Vec<Statement>>, Refusal> {
        let runs = self.runs.get_or_init(|| {
            let runs = self.records.runs().newest_first().into_iter().flatten();
            runs.filter_map(Result::ok).collect()
        });
        let since = runs.iter().take_while(|run| run.begin.run >= first).count();
        if runs.get(since.saturating_sub(1)).is_none_or(|oldest| oldest.begin.run != first) {
            return Err(format!("its previous values of run {first} are not kept any more"));
        }
        let selects = |begin: &ActionBegin| {
            (&begin.key.kind, &begin.key.identity) == (&record.key.kind, &record.key.identity)
        };
        let request =
            UndoRequest { runs: &runs[..since], later: &[], selects: &selects, skips_changes_between: true };
        let undo = Undo::new(&request, self.records, self.kinds, self.host);
        if let Some(left) = undo.left.into_iter().find(|left| left.is_state) {
            return Err(format!("its previous values cannot be restored: {}", left.reason));
        }
        let declares_other = |statement: &Statement| match statement {
            Statement::Declare(declaration) => declaration.id != *id,
            _ => false,
        };
        if undo.statements.iter().any(declares_other) {
            return Err("only its whole file could be restored".to_owned());
        }
        Ok(Some(undo.statements).filter(|statements| !statements.is_empty()))
    }
}
