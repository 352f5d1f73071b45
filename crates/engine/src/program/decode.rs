//! From a declaration to an instance: evaluate, decode, and put problems at their places.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;

use uphold_model::{
    Action, Code, Declaration, Diagnostic, Diagnostics, Name, Need, Place, Problem, ProblemKind,
    PropertySchema, Role, SENSITIVE, Schema, Scope, Value, closest, foreign_action, foreign_kind,
    foreign_property,
};
use uphold_resource::{Context, Fields, Findings, Instance, Kind, Reading, Registry, UnusableKind, home};

use crate::program::list::{ActionEntry, ActionList};
use crate::program::set::{ResourceIndex, ResourceSet};

/// Decodes the entries of a list.
pub(crate) struct Decoder<'a> {
    pub(crate) set: &'a ResourceSet,
    pub(crate) list: &'a ActionList,
    pub(crate) registry: &'a Registry,
    pub(crate) observe: &'a Reading<'a>,
}

/// The parts of a decoder besides the set, which may change between one resource and the next.
pub(crate) struct Tools<'a> {
    pub(crate) list: &'a ActionList,
    pub(crate) registry: &'a Registry,
    pub(crate) observe: &'a Reading<'a>,
    /// The number of threads that decode.
    pub(crate) threads: NonZeroUsize,
}

impl<'a> Tools<'a> {
    /// Decodes resources of this set.
    pub(crate) fn decoder(&self, set: &'a ResourceSet) -> Decoder<'a> {
        Decoder { set, list: self.list, registry: self.registry, observe: self.observe }
    }
}

/// The result of decoding a declaration.
#[derive(Default)]
pub(crate) struct Decoded {
    /// The resource; none if it has problems, or waits for a value.
    pub(crate) instance: Option<Box<dyn Instance>>,
    /// Problems and warnings, at their places.
    pub(crate) diagnostics: Diagnostics,
    /// The value that it waits for before it can be loaded: part of its identity or a setting is unknown.
    pub(crate) waits_for: Option<Name>,
    /// The first unknown value of any property.
    pub(crate) unknown: Option<Name>,
    /// The values that are set and known, if they are recorded.
    pub(crate) known: Vec<(&'static str, Value)>,
}

impl Decoded {
    /// No resource, for this reason unless it was reported already.
    fn refused(diagnostic: Option<Diagnostic>) -> Self {
        let mut outcome = Self::default();
        outcome.diagnostics.extend(diagnostic);
        outcome
    }
}

impl Decoder<'_> {
    /// Decodes the resource of an entry for the entry's action.
    pub(crate) fn decode(&self, entry: &ActionEntry, scope: &dyn Scope) -> Decoded {
        let declaration = &self.set.entry(entry.resource).declaration;
        let (kind, action) = match self.kind(declaration) {
            Ok(kind) => (kind, entry.action()),
            Err(diagnostic) => return Decoded::refused(diagnostic),
        };
        let mut outcome = self.decode_as(kind, declaration, Some(action), scope, false);
        if let Some(refused) = check_action_or(kind.schema(), action, entry.place, Some("nothing")) {
            // Another action may need other properties.
            let found = std::mem::take(&mut outcome.diagnostics).into_iter();
            outcome.diagnostics.extend(found.filter(|one| one.code != Code::MissingProperty));
            outcome.diagnostics.push(refused);
        }
        outcome
    }

    /// Decodes a resource that no action uses.
    pub(crate) fn decode_unused(&self, resource: ResourceIndex, scope: &dyn Scope) -> Decoded {
        self.decode_declaration(&self.set.entry(resource).declaration, None, scope, false)
    }

    /// The values of an entry's resource that are set and known, even if others are not.
    pub(crate) fn known_values(&self, entry: &ActionEntry, scope: &dyn Scope) -> Vec<(&'static str, Value)> {
        let declaration = &self.set.entry(entry.resource).declaration;
        self.decode_declaration(declaration, Some(entry.action()), scope, true).known
    }

    /// The kind of a declaration; none if there is no such kind, with a diagnostic unless the reason was reported already.
    fn kind(&self, declaration: &Declaration) -> Result<&Kind, Option<Diagnostic>> {
        let name = &declaration.id.kind;
        self.registry
            .get(name)
            .ok_or_else(|| self.missing_kind(name).map(|missing| missing.at(declaration.place)))
    }

    fn missing_kind(&self, name: &str) -> Option<Diagnostic> {
        if let Some(UnusableKind { reason, fix }) = self.registry.unusable(name) {
            let detail = format!("the kind `{name}` cannot be used: {reason}");
            return Some(Diagnostic::new(Code::UnusableKind, detail).fix(fix.clone()));
        }
        let fix = match (foreign_kind(name), self.registry.suggest(name)) {
            (Some(hint), _) => hint.to_owned(),
            (None, Some(near)) => format!("did you mean `{near}`?"),
            (None, None) => "`uphold explain` lists the kinds: those that are built in, and those of files in `kinds` beside the \
                 configuration, in `--kinds DIRECTORY` and in UPHOLD_KINDS_PATH"
                    .to_owned(),
        };
        let unknown = Diagnostic::new(Code::UnknownKind, format!("there is no kind `{name}`")).fix(fix);
        (!self.registry.is_broken(name)).then_some(unknown)
    }

    fn decode_declaration(
        &self,
        declaration: &Declaration,
        action: Option<&Action>,
        scope: &dyn Scope,
        records: bool,
    ) -> Decoded {
        match self.kind(declaration) {
            Ok(kind) => self.decode_as(kind, declaration, action, scope, records),
            Err(diagnostic) => Decoded::refused(diagnostic),
        }
    }

    fn decode_as(
        &self,
        kind: &Kind,
        declaration: &Declaration,
        action: Option<&Action>,
        scope: &dyn Scope,
        records: bool,
    ) -> Decoded {
        let (values, failed) = evaluate(declaration, scope);
        let home = |user: &str| home(self.observe, user);
        let context = Context { home: &home, base: None };
        let label = declaration.id.label();
        let fields = match action {
            Some(action) => Fields::new(label, values, action, context),
            None => Fields::for_reading(label, values, context),
        };
        let fields = if records { fields.recording() } else { fields };
        let (instance, findings) = kind.decode(fields.sharing(label));
        let mut diagnostics = Diagnostics::default();
        // The value of an unknown property is often wrong for the same reason: one mistake is reported once.
        let is_known = |name: &Name| {
            let mut unknown = findings.problems.iter().filter(|one| one.sort == ProblemKind::Unknown);
            unknown.all(|problem| *problem.property != **name)
        };
        diagnostics.extend(failed.into_iter().filter(|(name, _)| is_known(name)).map(|(_, why)| why));
        diagnostics.extend(describe(&findings, declaration, kind.schema()));
        Decoded {
            instance: instance.filter(|_| !diagnostics.has_errors()),
            diagnostics,
            waits_for: findings.waits_for(kind.schema()).cloned(),
            unknown: findings.unknown.first().map(|(_, waits_for)| waits_for.clone()),
            known: findings.known,
        }
    }
}

/// Values or problems of attributes, by name.
type ByName<T> = Vec<(Name, T)>;

/// The value of every attribute that is set, and the attributes that cannot be evaluated. Those count as unknown, so that
/// they are not also reported as missing.
fn evaluate(declaration: &Declaration, scope: &dyn Scope) -> (ByName<Value>, ByName<Diagnostic>) {
    let mut failed = Vec::new();
    let evaluate = |attribute: &uphold_model::Attribute| {
        let value = attribute.evaluate(scope).unwrap_or_else(|diagnostic| {
            failed.push((attribute.name.clone(), diagnostic));
            Some(Value::unknown("an expression that failed"))
        });
        Some((attribute.name.clone(), value?))
    };
    (declaration.attributes.iter().filter_map(evaluate).collect(), failed)
}

fn describe(findings: &Findings, declaration: &Declaration, schema: &Schema) -> Vec<Diagnostic> {
    let all = findings.problems.iter().chain(&findings.warnings);
    all.map(|problem| diagnose(problem, declaration, schema)).collect()
}

/// Puts a problem where the property was written, or else at the block.
fn diagnose(problem: &Problem, declaration: &Declaration, schema: &Schema) -> Diagnostic {
    let top = problem.property.split(['.', '[']).next().unwrap_or_default();
    let attribute = declaration.attributes.iter().find(|attribute| *attribute.name == *top);
    let of_value = problem.value.is_some() && problem.sort == ProblemKind::Invalid;
    let place = match attribute {
        Some(attribute) if of_value => attribute.value_place,
        Some(attribute) => attribute.place,
        None => declaration.place,
    };
    let code = match problem.sort {
        ProblemKind::Deprecated => Code::DeprecatedProperty,
        ProblemKind::Unknown => Code::UnknownProperty,
        ProblemKind::Missing => Code::MissingProperty,
        ProblemKind::Invalid => Code::InvalidProperty,
    };
    let secret = declaration.meta.sensitive;
    let place = if secret { declaration.place } else { place };
    let shown = |value: &Value| if secret { SENSITIVE.to_owned() } else { shorten(&value.to_string()) };
    let value = problem.shown_value().map(|value| format!(" = {}", shown(value))).unwrap_or_default();
    let whole = of_value && problem.property == top;
    let property = schema.property(top).filter(|_| whole);
    let is_key = attribute.is_none() && declaration.id.key().is_some();
    let key_fix =
        format!("the key of `for_each` is the name; to use another, set `{top}`, with `each.key` in it");
    let (rule, fix) = match (&problem.value, property) {
        (_, Some(property)) if is_key && property.role == Role::Name => (&*problem.rule, &*key_fix),
        (Some(Value::Null), Some(property)) => ("cannot be null", null_fix(property)),
        (Some(Value::List(_)), Some(property)) if property.role == Role::Name => {
            (&*problem.rule, "for one resource each, write `for_each = […]` and `each.value`")
        }
        _ => (&*problem.rule, &*problem.fix),
    };
    let detail = format!("{}: `{}`{value} {rule}", declaration.id, problem.property);
    Diagnostic::new(code, detail).at(place.or(declaration.place)).fix(fix)
}

fn null_fix(property: &PropertySchema) -> &'static str {
    if property.need == Need::Optional {
        "write `optional(…)` around the value, which leaves it unset if it is null; or leave the line out"
    } else {
        "it is required: give it a value, or leave out the block: `when = param.name != null`"
    }
}

/// Enough of a long value to recognise it.
fn shorten(text: &str) -> String {
    const ENOUGH: usize = 60;
    match text.char_indices().nth(ENOUGH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// An action of a notification that the kind does not know.
pub(crate) fn check_action(schema: &Schema, action: &Action, place: Option<Place>) -> Option<Diagnostic> {
    check_action_or(schema, action, place, None)
}

/// An action that the kind does not know. `besides` is another valid word.
fn check_action_or(
    schema: &Schema,
    action: &Action,
    place: Option<Place>,
    besides: Option<&'static str>,
) -> Option<Diagnostic> {
    let fine = match action {
        Action::Converge => true,
        Action::Remove => schema.removable,
        Action::Verb(verb) => schema.verbs.iter().any(|known| *known.name == **verb),
    };
    if fine {
        return None;
    }
    let mut known = vec!["converge"];
    known.extend(schema.removable.then_some("remove"));
    known.extend(schema.verbs.iter().map(|verb| verb.name));
    known.extend(besides);
    let word = action.word();
    let ours = foreign_action(word).filter(|ours| known.contains(ours));
    let fix = match ours.or_else(|| closest(word, known.iter().copied())) {
        Some("converge") if ours.is_some() && besides.is_some() => {
            "leave `action` out: declared resources are created and updated".to_owned()
        }
        Some(near) => format!("did you mean {near:?}?"),
        None => foreign_property(schema.kind, word, &Value::Null)
            .filter(|_| *action != Action::Remove)
            .map_or_else(|| format!("choose one of {}", known.join(", ")), str::to_owned),
    };
    let detail = format!("`{}` has no action `{action}`", schema.kind);
    Some(Diagnostic::new(Code::UnknownAction, detail).at(place).fix(fix))
}

/// Warns once for each kind of which only the outline is known, at its first block: such blocks cannot be checked.
pub(crate) fn warn_of_outlines(set: &ResourceSet, registry: &Registry, diagnostics: &mut Diagnostics) {
    let outlines = registry.iter().filter(|kind| kind.is_outline());
    let mut left: BTreeSet<&str> = outlines.map(|kind: &Kind| kind.schema().kind).collect();
    for (_, declared) in set.iter() {
        if left.is_empty() {
            return;
        }
        let id = &declared.declaration.id;
        if left.remove(&*id.kind) && registry.get(&id.kind).is_some_and(Kind::is_outline) {
            let detail =
                format!("a program prints the properties of `{}`, and no program is run here", id.kind);
            let warning = Diagnostic::new(Code::UncheckedProperties, detail);
            diagnostics.push(warning.at(declared.declaration.place).fix("`uphold plan` checks them"));
        }
    }
}

/// Adds a second place to a diagnostic, if it is known.
pub(crate) fn also_at(diagnostic: Diagnostic, place: Option<Place>, label: &str) -> Diagnostic {
    match place {
        Some(place) => diagnostic.and_at(place, label),
        None => diagnostic,
    }
}
