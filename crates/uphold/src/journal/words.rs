//! Facts of a run in the words and types of the journal.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use uphold_engine::{Cause, ChangeKind, Summary, Verdict, Wake};
use uphold_journal::{Difference as StoredDifference, ResourceKey, Side as StoredSide, Time};
use uphold_model::{Action, Difference, DifferenceCause, PropertySchema, ResourceId, Role, Side, Value};
use uphold_resource::Instance;

use super::applied_record::is_named_by_path;

/// The action as users know it: `create`, `update`, `remove`, or the verb.
pub(super) fn action(kind: ChangeKind, action: &Action) -> &str {
    match (kind, action) {
        (ChangeKind::Create, _) => "create",
        (ChangeKind::Update, _) => "update",
        (ChangeKind::Remove, _) => "remove",
        (ChangeKind::Run, Action::Converge | Action::Remove) => "run",
        (ChangeKind::Run, Action::Verb(verb)) => verb,
    }
}

/// The verdict of a change that the failed verification of its group put back.
pub(super) const PUT_BACK: &str = "put_back";

/// The verdict, as in the JSON stream.
pub(super) fn verdict(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unchanged => "unchanged",
        Verdict::Changed(_) => "changed",
        Verdict::PutBack(_) => PUT_BACK,
        Verdict::WouldChange(_) => "would_change",
        Verdict::MayChange { .. } => "may_change",
        Verdict::Differs(_) => "differs",
        Verdict::Paused(..) => "paused",
        Verdict::Failed(_) => "failed",
        Verdict::Ignored(_) => "ignored",
        Verdict::Skipped(_) | Verdict::NotWanted(_) => "skipped",
    }
}

/// The error of a failed action, with the first line of each of its causes.
pub(super) fn error(verdict: &Verdict) -> Option<String> {
    let (Verdict::Failed(failure) | Verdict::Ignored(failure)) = verdict else { return None };
    let causes = failure.causes.iter().filter_map(|cause| cause.lines().find(|line| !line.trim().is_empty()));
    let parts: Vec<&str> = std::iter::once(&*failure.message).chain(causes).collect();
    Some(parts.join(": "))
}

/// Why an action was done: a clause after `because`. None if it only differed.
pub(super) fn why(cause: &Cause) -> Option<String> {
    match cause {
        Cause::Written => None,
        Cause::Notified { by, .. } => Some(format!("{by} changed")),
        Cause::Pending { by, .. } => Some(format!("{by} changed in an earlier run")),
        Cause::Woken(wake) => Some(match wake {
            Wake::Reported(_) => "the machine reported a change".to_owned(),
            Wake::Received(id) | Wake::Subscribed(id) => format!("{id} changed"),
            Wake::Freed(id) => format!("{id} recovered"),
            Wake::Retried => "it had failed".to_owned(),
            Wake::Resumed => "its pause had ended".to_owned(),
            Wake::WindowOpened => "the maintenance window had opened".to_owned(),
            _ => "the watch checked it".to_owned(),
        }),
    }
}

/// The numbers of a summary that are not zero.
pub(super) fn counts(summary: &Summary) -> BTreeMap<String, u64> {
    let Summary { ok, failed, ignored, skipped, paused, created, updated, removed, ran, .. } = *summary;
    let all = [
        ("created", created),
        ("updated", updated),
        ("removed", removed),
        ("ran", ran),
        ("ok", ok),
        ("failed", failed),
        ("ignored", ignored),
        ("skipped", skipped),
        ("paused", paused),
    ];
    all.into_iter()
        .filter(|(_, number)| *number > 0)
        .map(|(word, number)| (word.to_owned(), number as u64))
        .collect()
}

/// A difference without secrets. `is_secret`: its previous value is one.
pub(super) fn difference(
    difference: &Difference,
    cause: DifferenceCause,
    is_secret: bool,
) -> StoredDifference {
    let is_secret = is_secret || difference.is_sensitive();
    let side = |side: &Side| match side.value() {
        None => StoredSide::Absent,
        Some(_) if is_secret => StoredSide::Secret(String::new()),
        Some(value) => self::side(value),
    };
    StoredDifference {
        property: difference.property.to_string(),
        from: side(&difference.from),
        to: side(&difference.to),
        cause: cause.word().map(str::to_owned),
    }
}

/// One side of a difference that is no secret.
pub(super) fn side(value: &Value) -> StoredSide {
    match value {
        Value::Text(text) => StoredSide::of(text),
        value => StoredSide::json(&uphold_wire::line(&uphold_wire::Value::from(value))),
    }
}

/// The key of a resource for its last applied values. Its address takes the place of an identity that may not be stored.
pub(super) fn applied_key(
    configuration: &str,
    resource: &ResourceId,
    instance: &dyn Instance,
    sensitive: bool,
) -> ResourceKey {
    if sensitive || has_secret_identity(instance) {
        return ResourceKey::new(configuration, resource.kind.to_string(), resource.to_string());
    }
    key(configuration, resource, instance)
}

/// Whether a name or another identifying value was computed from a secret.
pub(super) fn has_secret_identity(instance: &dyn Instance) -> bool {
    let is_secret = |property: &PropertySchema| {
        let is_identifying = matches!(property.role, Role::Name | Role::Identity);
        is_identifying && instance.value(property.name, None).is_some_and(|value| value.is_sensitive())
    };
    instance.is_tainted() && instance.schema().find(&is_secret).is_some()
}

/// The address of a resource: most need no more memory than the first allocation.
pub(super) fn address(resource: &ResourceId) -> String {
    const USUAL: usize = 64;
    let mut address = String::with_capacity(USUAL);
    _ = write!(address, "{resource}");
    address
}

/// The key of a resource: its name and other identifying values, as declared; its address, if its name is only a label.
pub(super) fn key(configuration: &str, resource: &ResourceId, instance: &dyn Instance) -> ResourceKey {
    let kind = String::from(&*resource.kind);
    if !is_named_by_path(instance.schema()) && instance.claims().only_labelled {
        return ResourceKey::new(configuration, kind, resource.to_string());
    }
    let text = |property: &PropertySchema| match instance.value(property.name, None)? {
        Value::Null => None,
        Value::Text(text) => Some(String::from(&*text)),
        value => Some(value.to_string()),
    };
    let schema = instance.schema();
    let name = schema.find(&|property| property.role == Role::Name).and_then(text);
    let mut identity = name.unwrap_or_else(|| resource.label().to_string());
    let is_identity = |property: &PropertySchema| property.role == Role::Identity;
    if schema.find(&is_identity).is_some() {
        let others = schema.all().into_iter().filter(|property| is_identity(property));
        identity.extend(others.filter_map(|one| Some(format!(" {}={}", one.name, text(one)?))));
    }
    ResourceKey::new(configuration, kind, identity)
}

/// A time as the journal stores it.
pub fn time(time: SystemTime) -> Time {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    Time(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// A time of the journal.
pub fn system_time(time: Time) -> SystemTime {
    UNIX_EPOCH + Duration::from_millis(u64::try_from(time.0).unwrap_or_default())
}
