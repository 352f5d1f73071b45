//! Writes of many resources that are put in place together: waiting for the disk once is much faster than once for each.

use std::path::PathBuf;

use uphold_resource::{Error, ErrorKind, Result};

use crate::visit::batch::Part;
use crate::visit::early_exit::EarlyExit;
use crate::visit::parent_run::Notifier;
use crate::visit::{Visited, Visits};
use crate::visitor::Visitor;

impl Visits<'_> {
    /// Changes resources each for itself, puts their files in place together, and loads each again. A result for each, in
    /// order.
    ///
    /// # Guarantees
    /// The failure of one affects no other. The files are durable before a resource is done.
    pub(crate) fn write_together(&self, mut parts: Vec<Part>, notifier: &dyn Notifier) -> Vec<Visited> {
        let recorded: Vec<_> =
            parts.iter_mut().map(|part| std::mem::take(&mut part.prepared.before)).collect();
        let visitors: Vec<Visitor<'_>> = parts
            .iter()
            .map(|part| Visitor::new(self, part.node, &part.before).notifying(notifier).staging())
            .collect();
        let mut applied: Vec<Result<(), EarlyExit>> =
            parts.iter().zip(&visitors).map(|(part, visitor)| self.begin_staging(part, visitor)).collect();
        self.store_begun();
        for ((part, visitor), result) in parts.iter().zip(&visitors).zip(&mut applied) {
            if result.is_ok() {
                *result = self.apply_staging(part, visitor);
            }
        }
        for (index, result) in self.put_staged(&visitors) {
            if applied[index].is_ok() {
                applied[index] = result.map_err(EarlyExit::from);
            }
        }
        let ends = parts.iter().zip(&visitors).zip(recorded).zip(applied);
        let outcomes: Vec<_> = ends
            .map(|(((part, visitor), recorded), applied)| self.verify_part(part, recorded, applied, visitor))
            .collect();
        visitors.into_iter().zip(outcomes).map(|(visitor, outcome)| visitor.into_visited(outcome)).collect()
    }

    fn begin_staging(&self, part: &Part, visitor: &Visitor<'_>) -> Result<(), EarlyExit> {
        let Some(instance) = self.instance(part) else { return Ok(()) };
        visitor.mark_secrets_of(instance);
        visitor.note_begun();
        EarlyExit::catch(|| {
            let (change, seen) = (&part.prepared.change, &part.prepared.seen);
            self.begin_change(part.node, change, instance, Some(seen), visitor);
            Ok(())
        })
    }

    fn apply_staging(&self, part: &Part, visitor: &Visitor<'_>) -> Result<(), EarlyExit> {
        let Some(instance) = self.instance(part) else { return Ok(()) };
        EarlyExit::catch(|| Ok(instance.apply(&part.prepared.seen, &visitor.act())?))
    }

    /// Puts the staged files of these visits in place: each result with the number of its visit.
    fn put_staged(&self, visitors: &[Visitor<'_>]) -> Vec<(usize, Result<()>)> {
        let (mut places, mut files) = (Vec::new(), Vec::new());
        for (index, visitor) in visitors.iter().enumerate() {
            for (path, file) in visitor.take_staged() {
                places.push((index, path));
                files.push(file);
            }
        }
        let mut results = self.host.edits().put_staged(files).into_iter();
        let missing = || Err(Error::new(ErrorKind::Defect, "the machine returned too few results"));
        let note = |(index, path): (usize, PathBuf)| {
            let result = results.next().unwrap_or_else(missing);
            (index, visitors[index].writes.noted(&path, result))
        };
        places.into_iter().map(note).collect()
    }
}
