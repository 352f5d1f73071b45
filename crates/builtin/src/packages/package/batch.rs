//! Changing many packages in one transaction.

use std::collections::HashMap;
use std::time::Duration;

use uphold_resource::{Act, Error, Result, Step};

use super::Package;
use super::intent::{Intent, Operation};
use crate::packages::Settings;
use crate::packages::provider::{Manager, Mark, Provider, Transaction};
use crate::packages::record::Offer;

/// Lists that were updated less than this time ago are not updated again for a missing package.
const FRESH: Duration = Duration::from_secs(15);

/// Applies all steps, with one transaction for packages with the same settings. Returns a result for each, in
/// order.
///
/// # Guarantees
/// Changes that need explicit permission are refused before anything is changed. If a transaction fails, the
/// remaining packages are tried one by one, so that each failure is reported for its own package.
pub(super) fn apply(items: &[(&Package, Step<'_, Package>)], host: &Act<'_>) -> Vec<Result<()>> {
    let mut results: Vec<Result<()>> = items.iter().map(|_| Ok(())).collect();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(Manager, &Settings), usize> = HashMap::new();
    for (at, (package, step)) in items.iter().enumerate() {
        let intended = Manager::of(package.provider, host)
            .and_then(|manager| Ok((manager, Intent::of(package, *step, manager.provider(), host)?)));
        match intended {
            Err(error) => results[at] = Err(error),
            Ok((manager, intent)) => {
                let settings = &package.settings;
                let group = *known.entry((manager, settings)).or_insert_with(|| {
                    groups.push(Group { provider: manager.provider(), settings, intents: Vec::new() });
                    groups.len() - 1
                });
                groups[group].intents.push((at, intent));
            }
        }
    }
    for group in groups {
        group.apply(host, &mut results);
    }
    results
}

/// Selects packages for a mark.
type Due<'a> = dyn Fn(&Intent<'_>) -> bool + 'a;

/// The packages of one transaction.
struct Group<'a> {
    provider: &'static dyn Provider,
    settings: &'a Settings,
    /// The intents, each with the index of its result.
    intents: Vec<(usize, Intent<'a>)>,
}

impl Group<'_> {
    fn apply(mut self, host: &Act<'_>, results: &mut [Result<()>]) {
        if let Err(error) = self.choose(host, results) {
            return self.fail(&error, results);
        }
        self.drop_failed(results);
        if let Err(error) = self.mark(Mark::Hold, false, &|intent| intent.must_unhold(), host) {
            return self.fail(&error, results);
        }
        self.commit(host, results);
        self.drop_failed_but_held(results);
        let marked = self
            .mark(Mark::Hold, true, &|intent| intent.hold == Some(true), host)
            .and_then(|()| self.mark(Mark::Manual, true, &|intent| intent.manual == Some(true), host))
            .and_then(|()| self.mark(Mark::Manual, false, &|intent| intent.manual == Some(false), host));
        if let Err(error) = marked {
            self.fail(&error, results);
        }
    }

    /// Chooses the versions to install from the lists, which are updated first if they are too old, or once if a
    /// package is missing in them.
    fn choose(&mut self, host: &Act<'_>, results: &mut [Result<()>]) -> Result<()> {
        if !self.intents.iter().any(|(_, intent)| intent.is_from_lists()) {
            return Ok(());
        }
        let age = self.provider.lists_age(host)?;
        let is_older = |limit: Duration| age.is_none_or(|age| age >= limit);
        let updated = self.settings.update_cache && self.settings.cache_max_age.is_some_and(is_older);
        if updated {
            self.provider.update_lists(host)?;
        }
        let mut missing = self.choose_from(&self.offers(host)?);
        if !missing.is_empty() && !updated && self.settings.update_cache && is_older(FRESH) {
            self.provider.update_lists(host)?;
            missing = self.choose_from(&self.offers(host)?);
        }
        for (at, error) in missing {
            results[at] = Err(error);
        }
        Ok(())
    }

    fn offers(&self, host: &Act<'_>) -> Result<HashMap<String, Offer>> {
        let from_lists = self.intents.iter().filter(|(_, intent)| intent.is_from_lists());
        let names: Vec<&str> = from_lists.map(|(_, intent)| intent.name()).collect();
        self.provider.offers(&names, self.settings, host)
    }

    fn choose_from(&mut self, offers: &HashMap<String, Offer>) -> Vec<(usize, Error)> {
        let from_lists = self.intents.iter_mut().filter(|(_, intent)| intent.is_from_lists());
        let choose = |(at, intent): &mut (usize, Intent<'_>)| {
            intent.choose(offers.get(intent.name())).err().map(|error| (*at, error))
        };
        from_lists.filter_map(choose).collect()
    }

    fn commit(&self, host: &Act<'_>, results: &mut [Result<()>]) {
        let intents: Vec<&(usize, Intent<'_>)> = self.intents.iter().collect();
        let Err(error) = self.run(&intents, host) else { return };
        if let [(at, intent)] = intents[..] {
            results[*at] = self.unless_done(intent, error, host);
            return;
        }
        for each in intents {
            let (at, intent) = each;
            if !intent.is_done(self.provider, host).unwrap_or(false) {
                let alone = self.run(&[each], host);
                results[*at] = alone.or_else(|error| self.unless_done(intent, error, host));
            }
        }
    }

    /// The package manager may have failed because of another package.
    fn unless_done(&self, intent: &Intent<'_>, error: Error, host: &Act<'_>) -> Result<()> {
        match intent.is_done(self.provider, host) {
            Ok(true) => Ok(()),
            _ => Err(error),
        }
    }

    fn run(&self, intents: &[&(usize, Intent<'_>)], host: &Act<'_>) -> Result<()> {
        let names = |is_wanted: fn(&Operation) -> bool| {
            let wanted = intents.iter().filter(|(_, intent)| is_wanted(&intent.operation));
            wanted.map(|(_, intent)| intent.name()).collect::<Vec<_>>()
        };
        let transaction = Transaction {
            install: intents.iter().filter_map(|(_, intent)| intent.install()).collect(),
            remove: names(|operation| matches!(operation, Operation::Remove)),
            purge: names(|operation| matches!(operation, Operation::Purge)),
            downgrade: intents.iter().any(|(_, intent)| intent.is_downgrade()),
            may_downgrade: intents.iter().any(|(_, intent)| intent.package.allow_downgrade),
            settings: self.settings,
        };
        if transaction.is_empty() { Ok(()) } else { self.provider.commit(&transaction, host) }
    }

    /// Adds a mark to, or removes it from, all selected packages.
    fn mark(&self, mark: Mark, on: bool, is_due: &Due<'_>, host: &Act<'_>) -> Result<()> {
        let due = self.intents.iter().filter(|(_, intent)| is_due(intent));
        let names: Vec<&str> = due.map(|(_, intent)| intent.name()).collect();
        if names.is_empty() { Ok(()) } else { self.provider.mark(&names, mark, on, self.settings, host) }
    }

    /// Excludes packages that failed.
    fn drop_failed(&mut self, results: &[Result<()>]) {
        self.intents.retain(|(at, _)| results[*at].is_ok());
    }

    /// Excludes failed packages from new marks; but a package whose hold was removed for the change is put on hold
    /// again.
    fn drop_failed_but_held(&mut self, results: &[Result<()>]) {
        self.intents.retain_mut(|(at, intent)| {
            let fine = results[*at].is_ok();
            if !fine {
                intent.manual = None;
                intent.hold = intent.was_held.then_some(true);
            }
            fine || intent.was_held
        });
    }

    /// Reports one failure for all packages.
    fn fail(&self, error: &Error, results: &mut [Result<()>]) {
        let mut first = None;
        for (at, intent) in &self.intents {
            if results[*at].is_ok() {
                results[*at] = Err(match first {
                    None => same(error),
                    Some(first) => shared(error, first),
                });
                first.get_or_insert(intent.name());
            }
        }
    }
}

/// The same failure for another package, without the output that is shown with the first.
fn shared(error: &Error, first: &str) -> Error {
    Error::new(error.kind(), error.to_string()).because(format!("see the failure of the package `{first}`"))
}

/// A copy of the failure.
fn same(error: &Error) -> Error {
    let again = Error::new(error.kind(), error.to_string());
    let source = std::error::Error::source(error).map(ToString::to_string);
    let again = match source {
        Some(source) => again.because(source),
        None => again,
    };
    match error.advice() {
        Some(advice) => again.hint(advice),
        None => again,
    }
}
