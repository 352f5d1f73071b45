//! Compares the changes of a run, and the machine after it, with the expected ones.

use std::collections::HashSet;

use uphold_config::WrittenTarget;
use uphold_engine::{Cause, ChangeKind, Verdict};
use uphold_memory::MemoryHost;
use uphold_model::{Action, Code, Diagnostic, Difference, Map, Place, ResourceId, SENSITIVE, Side, Value};
use uphold_resource::{Accounts, Entry, EntryKind, Files};

use super::comparison::{Comparison, DISABLED, Finished};
use super::expectation::{ExpectedChange, ExpectedEntry, ExpectedKind, Extent, Fate};
use super::section::revealed;
use super::test_file::Mismatch;

/// The most unexpected changes that are listed.
const SHOWN: usize = 10;

impl Comparison<'_> {
    /// Checks that each expected change was made, and no other unless allowed.
    pub(super) fn changes(&mut self) {
        let expectation = self.expectation;
        let mut expected: HashSet<(&ResourceId, Option<&str>)> = HashSet::new();
        for (fate, target) in &expectation.fates {
            let Fate::Change(kind) = fate else { continue };
            for id in self.resolved(target) {
                expected.insert((id, target.rest.first().map(|verb| &**verb)));
                self.expect_change(id, *kind, target);
            }
            if target.ids.is_empty() {
                self.report(Code::MissingChange, DISABLED.to_owned(), target.place);
            }
        }
        if expectation.extent == Some(Extent::Exact) {
            let is_expected = |one: &Finished<'_>| {
                let verb = if let Action::Verb(verb) = one.action { Some(&**verb) } else { None };
                expected.contains(&(one.resource, None)) || expected.contains(&(one.resource, verb))
            };
            let changes = self.account.all().filter(|one| one.change().is_some());
            self.unexpected(&changes.filter(|one| !is_expected(one)).collect::<Vec<_>>());
        }
        expectation.changes.iter().for_each(|change| self.expect_differences(change));
    }

    fn expect_change(&mut self, id: &ResourceId, kind: ChangeKind, target: &WrittenTarget) {
        let verb = target.rest.first();
        let meant = |one: &Finished<'_>| match (verb, one.action) {
            (None, _) => true,
            (Some(verb), Action::Verb(done)) => verb == done,
            (Some(_), _) => false,
        };
        let is_it =
            |one: Finished<'_>| one.change().is_some_and(|found| found.is_none_or(|found| found == kind));
        if self.account.of(id).filter(meant).any(is_it) {
            return;
        }
        let verb = verb.map(|verb| format!(" {verb}")).unwrap_or_default();
        let wanted = match kind {
            ChangeKind::Create => "be created".to_owned(),
            ChangeKind::Update => "be updated".to_owned(),
            ChangeKind::Remove => "be removed".to_owned(),
            ChangeKind::Run => format!("run{verb}"),
        };
        let detail = format!("{id} should {wanted}; it {}", self.found(id));
        let error = Diagnostic::new(Code::MissingChange, detail).at(target.place);
        let advice = (kind == ChangeKind::Create).then(|| self.never_created(id)).flatten();
        self.mismatches.push(advice.into_iter().fold(error, Diagnostic::fix).into());
    }

    /// Why a resource is never created: its kind loads nothing, so each of its changes is an update.
    fn never_created(&self, id: &ResourceId) -> Option<String> {
        let kind = self.program.kinds().get(&id.kind)?;
        let loads = kind.is_compiled() || kind.schema().all().iter().any(|property| property.role.is_state());
        let is_updated =
            |one: Finished<'_>| matches!(one.change(), Some(Some(ChangeKind::Update | ChangeKind::Run)));
        (!loads && self.account.of(id).any(is_updated)).then(|| {
            format!(
                "`{}` has no loader, so it cannot tell a new resource from an existing one: expect `updates`, and the \
                 files themselves",
                id.kind
            )
        })
    }

    /// The outcome of a resource, in words.
    pub(super) fn found(&self, id: &ResourceId) -> String {
        let words: Vec<String> = self.account.of(id).map(|one| one.words()).collect();
        if words.is_empty() {
            return "was not visited".to_owned();
        }
        let messages = self.account.messages(id).iter().map(|message| format!("; {message}"));
        words.join(", and ") + &messages.collect::<String>()
    }

    /// Reports unexpected changes together, since they mostly have one cause.
    fn unexpected(&mut self, changes: &[Finished<'_>]) {
        let shown = |one: &Finished<'_>| match one.cause {
            Cause::Written | Cause::Pending { .. } | Cause::Woken(_) => {
                format!("{} {}", one.resource, one.words())
            }
            Cause::Notified { by, .. } => format!("{} {}, because {by} changed", one.resource, one.words()),
        };
        let mut lines: Vec<String> = changes.iter().take(SHOWN).map(shown).collect();
        match changes.len() {
            0 => return,
            all if all > SHOWN => lines.push(format!("and {} more", all - SHOWN)),
            _ => {}
        }
        let fix = "expect it, or set `changes = \"at_least\"` if others do not matter";
        let error = Diagnostic::new(Code::UnexpectedChange, lines.join("; ")).at(self.place).fix(fix);
        self.mismatches.push(error.into());
    }

    fn expect_differences(&mut self, change: &ExpectedChange) {
        for id in self.resolved(&change.of) {
            let changes = self.account.of(id).filter_map(|one| match one.verdict {
                Verdict::Changed(change) | Verdict::WouldChange(change) => Some(change),
                _ => None,
            });
            let changes: Vec<_> = changes.collect();
            let differences: Vec<&Difference> =
                changes.iter().flat_map(|change| &change.differences).collect();
            if changes.is_empty() {
                let detail = format!("{id} should change; it {}", self.found(id));
                self.report(Code::MissingChange, detail, change.of.place);
                continue;
            }
            for (side, after) in change.sides.iter().zip([false, true]) {
                if let Some((map, place)) = side {
                    self.expect_side((id, &differences), map, after, *place);
                }
            }
        }
    }

    fn expect_side(
        &mut self,
        (id, differences): (&ResourceId, &[&Difference]),
        wanted: &Map,
        after: bool,
        place: Place,
    ) {
        for (property, wanted) in wanted {
            let found = differences.iter().rev().find(|difference| difference.property == *property);
            let Some(difference) = found else {
                let names: Vec<&str> = differences.iter().map(|difference| &*difference.property).collect();
                let detail =
                    format!("{property} of {id} does not differ; the differences are {}", names.join(", "));
                self.report(Code::MissingChange, detail, place);
                continue;
            };
            let side = if after { &difference.to } else { &difference.from };
            let found = side.value().map_or(Value::Null, revealed);
            if !is_same(wanted, &found) {
                let when = if after { "after" } else { "before" };
                let code = Code::WrongValue;
                let shown = shown(side, difference.is_sensitive());
                let hidden = difference.is_sensitive() || found.is_unknown();
                let wanted_shown =
                    if difference.is_sensitive() { SENSITIVE.to_owned() } else { wanted.to_string() };
                let detail =
                    format!("{property} of {id} {when} the change should be {wanted_shown}; it is {shown}");
                let error = Diagnostic::new(code, detail).at(place);
                self.mismatches.push(Mismatch { texts: texts(wanted, &found, hidden), ..error.into() });
            }
        }
    }
}

fn shown(side: &Side, hidden: bool) -> String {
    match side.value() {
        None => "nothing".to_owned(),
        Some(_) if hidden => SENSITIVE.to_owned(),
        Some(value) => value.to_string(),
    }
}

/// Numbers and strings with the same text are equal: a kind may return either.
pub(super) fn is_same(wanted: &Value, found: &Value) -> bool {
    let plain = |value: &Value| match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    };
    wanted == found || plain(wanted).is_some_and(|wanted| plain(found) == Some(wanted))
}

/// Strings of several lines, which are shown as a diff.
pub(super) fn texts(wanted: &Value, found: &Value, hidden: bool) -> Option<(String, String)> {
    match (wanted, found) {
        (Value::Text(wanted), Value::Text(found))
            if !hidden && (wanted.contains('\n') || found.contains('\n')) =>
        {
            Some((wanted.to_string(), found.to_string()))
        }
        _ => None,
    }
}

/// Compares a path on the machine. With `secret`, file contents are not shown.
pub(super) fn check_entry(expected: &ExpectedEntry, secret: bool, host: &MemoryHost) -> Vec<Mismatch> {
    let path = expected.path.display();
    let found = match host.look(&expected.path) {
        Ok(found) => found,
        Err(error) => return vec![wrong(expected.place, error.chain())],
    };
    let wanted = match &expected.what {
        ExpectedKind::Nothing => "nothing",
        ExpectedKind::Directory => "a directory",
        ExpectedKind::Link(_) => "a symbolic link",
        ExpectedKind::File { .. } => "a regular file",
    };
    let words = found.as_ref().map_or("nothing", |entry| entry.kind.words());
    match (&expected.what, &found) {
        (ExpectedKind::Nothing, None) => Vec::new(),
        (ExpectedKind::Directory, Some(entry)) if entry.kind == EntryKind::Directory => {
            access(expected, entry, host)
        }
        (ExpectedKind::Link(target), Some(entry)) => match (&entry.kind, target) {
            (EntryKind::Link(leads), Some((target, place))) if leads != target => {
                let (leads, target) = (leads.display(), target.display());
                vec![wrong(Some(*place), format!("{path} should point to {target}; it points to {leads}"))]
            }
            (EntryKind::Link(_), _) => Vec::new(),
            _ => vec![wrong(expected.place, format!("{path} should be {wanted}; it is {words}"))],
        },
        (ExpectedKind::File { .. }, Some(entry)) if entry.kind == EntryKind::File => {
            let mut mismatches = access(expected, entry, host);
            mismatches.extend(content(expected, secret, host));
            mismatches
        }
        _ => vec![wrong(expected.place, format!("{path} should be {wanted}; it is {words}"))],
    }
}

fn wrong(place: Option<Place>, detail: String) -> Mismatch {
    Diagnostic::new(Code::WrongMachine, detail).at(place).into()
}

fn access(expected: &ExpectedEntry, entry: &Entry, host: &MemoryHost) -> Vec<Mismatch> {
    let path = expected.path.display();
    let mut mismatches = Vec::new();
    if let Some((mode, place)) = expected.mode
        && mode != entry.mode
    {
        let detail = format!("the mode of {path} should be {mode:04o}; it is {:04o}", entry.mode);
        mismatches.push(wrong(Some(place), detail));
    }
    let user = host.user_by_id(entry.uid).ok().flatten().map(|user| user.name);
    let group = host.group_by_id(entry.gid).ok().flatten().map(|group| group.name);
    let sides = [("owner", &expected.owner, user, entry.uid), ("group", &expected.group, group, entry.gid)];
    for (what, wanted, name, id) in sides {
        let Some((wanted, place)) = wanted else { continue };
        let name = name.unwrap_or_else(|| id.to_string());
        if *wanted != name && *wanted != id.to_string() {
            mismatches
                .push(wrong(Some(*place), format!("the {what} of {path} should be {wanted}; it is {name}")));
        }
    }
    mismatches
}

fn content(expected: &ExpectedEntry, hidden: bool, host: &MemoryHost) -> Vec<Mismatch> {
    let ExpectedKind::File { content, contains, secret } = &expected.what else { return Vec::new() };
    let (hidden, path) = (hidden || *secret, expected.path.display());
    let found = match host.read(&expected.path, 0) {
        Ok(found) => String::from_utf8_lossy(&found).into_owned(),
        Err(error) => return vec![wrong(expected.place, error.chain())],
    };
    let mut mismatches = Vec::new();
    if let Some((content, place)) = content
        && *content != found
    {
        let mismatch = wrong(Some(*place), format!("{path} has other content"));
        mismatches.push(Mismatch { texts: (!hidden).then(|| (content.clone(), found.clone())), ..mismatch });
    }
    for (part, place) in contains.iter().filter(|(part, _)| !found.contains(part)) {
        let part = if hidden { SENSITIVE.to_owned() } else { format!("{part:?}") };
        let mismatch = wrong(Some(*place), format!("{path} does not contain {part}"));
        mismatches.push(Mismatch { texts: (!hidden).then(|| (String::new(), found.clone())), ..mismatch });
    }
    mismatches
}
