//! Which resources are removed.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::Program;
use uphold_journal::{
    Applied, AppliedResource, Records, Result, SecretKey, check_removals, dependency_digest,
    no_longer_declared,
};
use uphold_model::{ResourceId, covering_addresses};
use uphold_resource::{Instance, Look, Machine};

use super::super::applied_property::is_absent;
use super::super::left::{DeclaredResources, same_set};
use super::super::words::time;
use super::candidate::{Candidate, Decision};
use super::conflicts::DeclaredClaims;
use super::redeclared::PreviousValues;
use super::redeclared::{Redeclared, Refusal};
use super::removals::Intent;
use super::removals::{Removals, TooMany};
use super::trial::{Trial, Tried, order_key};

/// The number of kept resources whose removal is tried: their listing needs no more.
const MOST_TRIED: usize = 100;

/// The applied resources of a configuration, and how many of them may be removed.
pub struct RemovalRequest<'a> {
    /// The records.
    pub records: &'a Records,
    /// The configuration, as it is named in them.
    pub configuration: &'a str,
    /// The number of removals that are allowed even if they look like a mistake.
    pub allowed: usize,
}

impl Removals {
    /// Finds the resources that the program does not declare, and decides about each of them. Changes nothing. Reads one
    /// line if the same program was applied before, and there are none. Without records that can be read, nothing is
    /// removed.
    pub fn plan(request: &RemovalRequest<'_>, program: &Program, machine: &Machine) -> Self {
        plan(request, program, machine).unwrap_or_default()
    }
}

fn plan(request: &RemovalRequest<'_>, program: &Program, machine: &Machine) -> Result<Removals> {
    let RemovalRequest { records, configuration, .. } = *request;
    if same_set(records, configuration, program)?.is_some_and(|same| same.left.is_empty()) {
        return Ok(Removals::default());
    }
    let (applied, _) = records.read_applied()?;
    let all: Vec<&AppliedResource> = applied.of_configuration(configuration).collect();
    if all.is_empty() {
        return Ok(Removals::default());
    }
    let declared = DeclaredResources::of(program);
    let keys = declared.keys(records.has_secret_key());
    let is_declared = |record: &AppliedResource| is_absent(record) || keys.contains(record);
    let elsewhere = managed_elsewhere(&applied, configuration);
    let left = no_longer_declared(all.iter().copied(), is_declared, covering);
    if left.is_empty() {
        return Ok(Removals::default());
    }
    let host = machine.reading();
    let claims = DeclaredClaims::of(&declared, &host);
    let kinds = program.kinds();
    let planner = Planner {
        program,
        machine,
        unknown: declared.unknown_kinds(&all),
        elsewhere,
        has_pauses: records
            .pauses()
            .read(time(host.clock().now()))
            .map_or(true, |pauses| !pauses.list.is_empty()),
        declared: &declared,
        claims: &claims,
        previous: PreviousValues { records, kinds, host: &host, runs: OnceCell::new() },
        secret_key: OnceCell::new(),
        removals: Removals::default(),
    };
    Ok(planner.plan(&left, &all, request.allowed))
}

/// The kinds and identities of resources that other configurations declare.
fn managed_elsewhere<'a>(applied: &'a Applied, configuration: &str) -> FxHashSet<(&'a str, &'a str)> {
    let others = applied.all().filter(|one| one.key.configuration != configuration);
    let managed = others.filter(|one| !one.is_left && !is_absent(one));
    managed.map(|one| (&*one.key.kind, &*one.key.identity)).collect()
}

/// The addresses that cover an address, itself included.
fn covering(address: &str) -> Vec<String> {
    covering_addresses(address).map(str::to_owned).collect()
}

struct Planner<'a> {
    program: &'a Program,
    machine: &'a Machine,
    declared: &'a DeclaredResources<'a>,
    claims: &'a DeclaredClaims<'a>,
    /// Kinds of which a declared resource has an unknown identity, with its address.
    unknown: FxHashMap<String, String>,
    /// Kinds and identities that other configurations manage.
    elsewhere: FxHashSet<(&'a str, &'a str)>,
    /// Whether anything is paused.
    has_pauses: bool,
    previous: PreviousValues<'a>,
    secret_key: OnceCell<Option<SecretKey>>,
    removals: Removals,
}

impl<'a> Planner<'a> {
    fn plan<'r>(
        mut self,
        left: &[&'r AppliedResource],
        all: &[&'r AppliedResource],
        allowed: usize,
    ) -> Removals {
        let (mut candidates, mut kept) = (Vec::new(), Vec::new());
        self.removals.left = left.iter().map(|record| (record.address.clone(), record.key.clone())).collect();
        for record in left {
            match self.decide(record, Intent::of(record, self.program)) {
                Ok(Decision::Keep) => kept.push(*record),
                Ok(Decision::Forget) => self.removals.forgotten.push(record.key.clone()),
                Ok(Decision::Change(candidate)) => candidates.push(candidate),
                // A block would do more than its policy, such as remove what was to be reverted.
                Err(reason) => self.refuse(record, reason),
            }
        }
        let trial = self.trial();
        let candidates = self.tried(candidates, &trial);
        self.find_removable(&kept, &trial);
        let candidates = self.without_needed(candidates, left);
        let implicit: Vec<&AppliedResource> =
            candidates.iter().filter(|one| !one.is_explicit).map(|one| one.record).collect();
        let checked = check_removals(all.iter().copied(), &implicit, module);
        let addresses = implicit.iter().map(|record| record.address.clone()).collect();
        let too_many = checked.err().filter(|_| implicit.len() > allowed);
        let too_many = too_many.map(|reason| TooMany { reason, addresses });
        self.declare(candidates);
        match too_many {
            Some(too_many) => self.removals.refuse_all(too_many),
            None => self.removals,
        }
    }

    fn refuse(&mut self, record: &AppliedResource, reason: Refusal) {
        self.removals.refused.insert(record.key.clone(), reason);
    }

    /// Decides about one resource.
    fn decide<'r>(
        &self,
        record: &'r AppliedResource,
        intent: Intent,
    ) -> std::result::Result<Decision<'r>, Refusal> {
        let (is_explicit, after) = match &intent {
            Intent::Keep => return Ok(Decision::Keep),
            Intent::Forget => return Ok(Decision::Forget),
            Intent::Remove { is_explicit, after } => (*is_explicit, after.clone()),
            Intent::Revert => (false, None),
        };
        if has_hidden_identity(record) {
            return Err("its identity is a secret, and was not recorded".to_owned());
        }
        if self.elsewhere.contains(&(&*record.key.kind, &*record.key.identity)) {
            return Ok(Decision::Forget);
        }
        if let Some(new) = after.as_ref().filter(|new| !self.is_certain(new)) {
            return Err(format!("{new}, which replaces it, does not exist yet"));
        }
        if let Some(address) = self.unknown.get(&record.key.kind) {
            return Err(format!("it may be {address}, whose identity is known only during the run"));
        }
        let key = || self.secret_key.get_or_init(|| self.previous.records.secret_key().ok()).clone();
        let host = self.machine.reading();
        let Some(redeclared) = Redeclared::load(record, self.program.kinds(), &host, key)? else {
            return Ok(Decision::Forget);
        };
        let mut candidate = Candidate { record, redeclared, is_explicit, after, reverting: None };
        match (intent, record.first_previous) {
            _ if record.is_created => {}
            (Intent::Revert, Some(_)) if self.program.set().find(&candidate.redeclared.id).is_some() => {
                return Err("its address is declared again".to_owned());
            }
            (Intent::Revert, Some(first)) => {
                candidate.reverting = self.previous.revert(record, &candidate.redeclared.id, first)?;
            }
            (Intent::Revert, None) => {}
            _ if is_explicit => {}
            _ => return Err("it existed before Uphold managed it".to_owned()),
        }
        let is_removed = record.is_created || is_explicit;
        if !is_removed && candidate.reverting.is_none() {
            // It is as before Uphold managed it.
            return Ok(Decision::Forget);
        }
        self.claims.check(&candidate.redeclared.instance.claims())?;
        Ok(Decision::Change(candidate))
    }

    /// Whether a resource exists, or exists after a run without failures.
    fn is_certain(&self, id: &ResourceId) -> bool {
        let host = self.machine.reading();
        let exists =
            |instance: &dyn Instance| instance.look(&Look::to_read(&host)).is_ok_and(|seen| seen.exists);
        (self.program.converges_in_any_case(id) && !self.has_pauses)
            || self.declared.with(id, exists).unwrap_or_default()
    }

    /// Finds out which of the resources that are kept a `removed` block would remove, for the listing.
    fn find_removable(&mut self, kept: &[&AppliedResource], trial: &Trial<'_>) {
        let mut candidates = Vec::new();
        for record in kept.iter().take(MOST_TRIED) {
            let remove = Intent::Remove { is_explicit: true, after: None };
            match self.decide(record, remove) {
                Ok(Decision::Change(one)) if self.program.set().find(&one.redeclared.id).is_none() => {
                    candidates.push(one);
                }
                Ok(Decision::Change(_)) => self.keep(record, "another resource has its address now"),
                Ok(Decision::Forget | Decision::Keep) => {}
                Err(reason) => self.keep(record, &reason),
            }
        }
        candidates.sort_by_key(|candidate| order_key(&candidate.redeclared));
        for candidate in candidates {
            match trial.remove(&candidate.redeclared) {
                Tried::Removable => self.removals.removable.push(candidate.record.key.clone()),
                Tried::SameAsDeclared => {}
                Tried::Refused(reason) => self.keep(candidate.record, &reason),
            }
        }
    }

    fn keep(&mut self, record: &AppliedResource, obstacle: &str) {
        self.removals.obstacles.insert(record.key.clone(), obstacle.to_owned());
    }

    /// An overlay of the machine.
    fn trial(&self) -> Trial<'a> {
        Trial {
            overlay: self.machine.overlay(),
            kinds: self.program.kinds(),
            declared: self.declared,
            claims: self.claims,
        }
    }

    /// The candidates whose removal works on an overlay of the machine.
    fn tried<'r>(&mut self, mut candidates: Vec<Candidate<'r>>, trial: &Trial<'_>) -> Vec<Candidate<'r>> {
        candidates.sort_by_key(|candidate| order_key(&candidate.redeclared));
        let (mut kept, mut refused) = (Vec::new(), Vec::new());
        for candidate in candidates {
            if candidate.reverting.is_some() {
                kept.push(candidate);
                continue;
            }
            match trial.remove(&candidate.redeclared) {
                Tried::Removable => kept.push(candidate),
                Tried::SameAsDeclared => self.removals.forgotten.push(candidate.record.key.clone()),
                Tried::Refused(reason) => refused.push((candidate.record, reason)),
            }
        }
        refused.into_iter().for_each(|(record, reason)| self.refuse(record, reason));
        kept
    }

    /// The candidates that no resource needs that stays: one is left, and so are its dependencies.
    fn without_needed<'r>(
        &mut self,
        candidates: Vec<Candidate<'r>>,
        left: &[&AppliedResource],
    ) -> Vec<Candidate<'r>> {
        let removed: FxHashSet<_> = candidates.iter().map(|one| one.record.key.clone()).collect();
        let gone: FxHashSet<_> = self.removals.forgotten.iter().cloned().collect();
        let stays = left.iter().filter(|one| !removed.contains(&one.key) && !gone.contains(&one.key));
        let mut needed: FxHashMap<&str, &str> = FxHashMap::default();
        for record in stays {
            needed.extend(record.dependencies.iter().map(|digest| (&**digest, &*record.address)));
        }
        let mut kept = Vec::new();
        // Dependents come first, so that one pass finds chains.
        let position: FxHashMap<_, _> = left.iter().enumerate().map(|(at, one)| (&one.key, at)).collect();
        let mut candidates = candidates;
        candidates.sort_by_key(|one| position.get(&one.record.key).copied());
        for candidate in candidates {
            let digests = covering(&candidate.record.address);
            let by = digests.iter().find_map(|address| needed.get(&*dependency_digest(address)));
            match by.map(|by| format!("{by} depends on it, and stays")) {
                Some(reason) => {
                    let record = candidate.record;
                    needed.extend(record.dependencies.iter().map(|digest| (&**digest, &*record.address)));
                    self.refuse(record, reason);
                }
                None => kept.push(candidate),
            }
        }
        kept
    }

    /// Makes the statements: dependents are removed before their dependencies.
    fn declare(&mut self, candidates: Vec<Candidate<'_>>) {
        let ids: Vec<ResourceId> = candidates.iter().map(|one| self.free_id(&one.redeclared.id)).collect();
        let mut named: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (index, candidate) in candidates.iter().enumerate() {
            for address in covering(&candidate.record.address) {
                named.entry(dependency_digest(&address)).or_default().push(index);
            }
        }
        let mut dependents: Vec<Vec<ResourceId>> = vec![Vec::new(); candidates.len()];
        for (index, candidate) in candidates.iter().enumerate() {
            let dependencies = candidate.record.dependencies.iter().filter_map(|digest| named.get(digest));
            for dependency in dependencies.flatten().filter(|dependency| **dependency != index) {
                dependents[*dependency].push(ids[index].clone());
            }
        }
        for ((candidate, id), dependents) in candidates.into_iter().zip(ids).zip(dependents) {
            if let Some(to) = &candidate.after {
                self.removals.moved.insert(id.clone(), to.clone());
            }
            let after = candidate.after.clone().filter(|after| !self.replaces(after, &candidate));
            let depends_on: Vec<ResourceId> = dependents.into_iter().chain(after).collect();
            let key = candidate.record.key.clone();
            self.removals.statements.extend(candidate.into_statements(&id, depends_on, self.program));
            self.removals.planned.insert(id, key);
        }
    }

    /// Whether a declared resource holds the same thing, such as the same path: then the old one is removed first.
    fn replaces(&self, declared: &ResourceId, candidate: &Candidate<'_>) -> bool {
        let old = candidate.redeclared.instance.claims();
        self.declared.with(declared, |new| self.claims.share(&old, &new.claims())).unwrap_or_default()
    }

    /// An id that the program does not declare.
    fn free_id(&self, id: &ResourceId) -> ResourceId {
        let mut free = id.clone();
        while self.program.set().find(&free).is_some() {
            free = ResourceId::new(&*id.kind, format!("{} (previous)", free.name))
                .in_module(id.module().cloned());
        }
        free
    }
}

/// Whether the identity of a resource was not recorded. A resource that is known by its address has values that are no
/// secrets.
fn has_hidden_identity(record: &AppliedResource) -> bool {
    record.key.identity == record.address && record.properties.iter().all(|(_, one)| one.observed.is_secret())
}

/// The outermost module call of an address, without its key.
fn module(address: &str) -> Option<String> {
    covering_addresses(address).next().filter(|call| call.starts_with("module.")).map(str::to_owned)
}
