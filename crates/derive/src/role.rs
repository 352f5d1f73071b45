//! The role of a field: inferred from its type and attributes, or else a mistake.

use syn::{Expr, GenericArgument, PathArguments, Type};

use crate::attribute::{Attributes, Flatten, PartChange};

/// The role of a field, with the data that the expansion needs.
pub(crate) enum Role {
    Name,
    Identity {
        loaded: bool,
        default: Option<Expr>,
    },
    State {
        goal: Goal,
    },
    Setting(Setting),
    Export,
    /// An embedded kind or struct of state, with all its roles.
    Flatten(Part),
    /// An embedded struct of settings.
    Settings,
}

/// An embedded struct that has a state.
pub(crate) enum Part {
    Kind,
    State(Vec<PartChange>),
}

impl Part {
    /// The changes of its properties at the place of use.
    pub(crate) fn changes(&self) -> &[PartChange] {
        match self {
            Part::Kind => &[],
            Part::State(changes) => changes,
        }
    }
}

/// The goal of a state property that the user did not set.
pub(crate) enum Goal {
    /// The current value, else none.
    Keep,
    /// The current value, else null.
    Nullable,
    /// The current value; the user must set it to create the resource.
    Required,
    /// The current value, else this one.
    OnCreate(Expr),
    /// Always this value.
    Enforce(Expr),
}

/// Whether a setting can be left out.
pub(crate) enum Setting {
    Required,
    Optional,
    Default(Expr),
}

/// The role, and the type without its wrapper. Otherwise a sentence that says what to write.
pub(crate) fn infer(ty: &Type, attributes: &mut Attributes) -> Result<(Role, Type), String> {
    let (wrapper, inner) = unwrap(ty);
    refuse_nested(wrapper, inner, ty)?;
    refuse_two_roles(attributes)?;
    match (wrapper, inner) {
        _ if let Some(flatten) = &attributes.flatten => {
            let (role, why) = match flatten {
                Flatten::Kind => (Role::Flatten(Part::Kind), "it embeds a resource"),
                Flatten::Settings => (Role::Settings, "it embeds settings"),
                Flatten::State(changes) => (Role::Flatten(Part::State(changes.clone())), "it embeds state"),
            };
            plain(wrapper, ty, "`#[flatten]`", why).map(|()| (role, ty.clone()))
        }
        _ if attributes.name => {
            plain(wrapper, ty, "`#[name]`", "the name is always known")?;
            refuse_default(attributes, "a name defaults to the block's label")?;
            Ok((Role::Name, ty.clone()))
        }
        _ if attributes.identity.is_some() => {
            plain(wrapper, ty, "`#[identity]`", "the identity is always known")?;
            refuse_state_default(attributes)?;
            let loaded = attributes.identity.as_ref().is_some_and(|identity| identity.loaded);
            Ok((Role::Identity { loaded, default: attributes.default.take() }, ty.clone()))
        }
        (Wrapper::Want, Some(inner)) => Ok((Role::State { goal: goal(inner, attributes)? }, inner.clone())),
        (Wrapper::Seen, Some(inner)) => export(attributes).map(|()| (Role::Export, inner.clone())),
        (Wrapper::Option, Some(inner)) => optional(attributes).map(|role| (role, inner.clone())),
        _ => setting(attributes, ty).map(|role| (role, ty.clone())),
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrapper {
    Want,
    Seen,
    Option,
    None,
}

/// The outermost wrapper of a type, and its content.
pub(crate) fn unwrap(ty: &Type) -> (Wrapper, Option<&Type>) {
    let Type::Path(path) = ty else { return (Wrapper::None, None) };
    let Some(last) = path.path.segments.last() else { return (Wrapper::None, None) };
    let wrapper = match last.ident.to_string().as_str() {
        "Want" => Wrapper::Want,
        "Seen" | "Produced" => Wrapper::Seen,
        "Option" => Wrapper::Option,
        _ => return (Wrapper::None, None),
    };
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return (Wrapper::None, None) };
    let inner = arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(inner) => Some(inner),
        _ => None,
    });
    (wrapper, inner)
}

fn refuse_nested(wrapper: Wrapper, inner: Option<&Type>, ty: &Type) -> Result<(), String> {
    let nested = inner.map_or(Wrapper::None, |inner| unwrap(inner).0);
    match (wrapper, nested) {
        (Wrapper::Option, Wrapper::Want) => {
            Err("a `Want` is unset by itself: write `Want<T>`, or `Want<Option<T>>` if null is a value"
                .into())
        }
        (Wrapper::Want | Wrapper::Seen | Wrapper::Option, _) if inner.is_some_and(mentions_role) => {
            Err(format!(
                "`{}` has two roles: `Want<T>` is state that the user may set, `Seen<T>` is an export that `load` fills; \
             write one of them, outermost",
                written(ty)
            ))
        }
        (Wrapper::None, _) if mentions_role(ty) => Err(format!(
            "the role of `{}` is given inside: write `Want` or `Seen` once, outermost",
            written(ty)
        )),
        _ => Ok(()),
    }
}

/// Whether `Want` or `Seen` occurs anywhere in the type.
fn mentions_role(ty: &Type) -> bool {
    if matches!(unwrap(ty).0, Wrapper::Want | Wrapper::Seen) {
        return true;
    }
    let Type::Path(path) = ty else { return false };
    path.path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.iter().any(|argument| match argument {
            GenericArgument::Type(inner) => mentions_role(inner),
            _ => false,
        }),
        _ => false,
    })
}

/// The type as it is written in the source.
fn written(ty: &Type) -> String {
    quote::quote!(#ty).to_string().replace(' ', "")
}

fn refuse_two_roles(attributes: &Attributes) -> Result<(), String> {
    let roles = [attributes.name, attributes.identity.is_some(), attributes.flatten.is_some()];
    if roles.iter().filter(|role| **role).count() > 1 {
        return Err("one field has one role: keep one of `#[name]`, `#[identity]` and `#[flatten]`".into());
    }
    Ok(())
}

fn plain(wrapper: Wrapper, ty: &Type, attribute: &str, why: &str) -> Result<(), String> {
    if wrapper == Wrapper::None {
        return Ok(());
    }
    Err(format!("{attribute} goes with a plain type, not with `{}`: {why}", written(ty)))
}

fn refuse_default(attributes: &Attributes, why: &str) -> Result<(), String> {
    let defaults = [&attributes.default, &attributes.on_create, &attributes.enforce];
    if defaults.iter().any(|default| default.is_some()) {
        return Err(format!("no default here: {why}"));
    }
    Ok(())
}

fn goal(inner: &Type, attributes: &mut Attributes) -> Result<Goal, String> {
    if attributes.default.is_some() {
        return Err(
            "a state property has no `#[default(…)]`: write `#[on_create(…)]` if it is only used when the \
                    thing is created, or `#[enforce(…)]` if it is enforced even if the user does not set it"
                .into(),
        );
    }
    if attributes.relative_to.is_some() && (attributes.on_create.is_some() || attributes.enforce.is_some()) {
        return Err("a default of state is not relative: write the whole value, and remove \
                    `#[relative_to(…)]`"
            .into());
    }
    let nullable = unwrap(inner).0 == Wrapper::Option;
    let always = attributes.required.as_ref().is_some_and(|required| required.actions.is_empty());
    match (attributes.on_create.take(), attributes.enforce.take()) {
        (Some(_), Some(_)) => Err("keep one of `#[on_create(…)]` and `#[enforce(…)]`".into()),
        (Some(_), None) | (None, Some(_)) if always => {
            Err("a `#[required]` field needs no default: keep one of them".into())
        }
        (Some(expr), None) => Ok(Goal::OnCreate(expr)),
        (None, Some(expr)) => Ok(Goal::Enforce(expr)),
        (None, None) if always => Ok(Goal::Required),
        (None, None) if nullable => Ok(Goal::Nullable),
        (None, None) => Ok(Goal::Keep),
    }
}

fn export(attributes: &Attributes) -> Result<(), String> {
    refuse_default(attributes, "an export is filled by `load`")?;
    if attributes.required.is_some() || !attributes.rules.is_empty() {
        return Err("users cannot set an export, so it cannot be required and needs no rule".into());
    }
    if attributes.relative_to.is_some() {
        return Err("an export is filled by `load`: it cannot be relative".into());
    }
    Ok(())
}

fn optional(attributes: &Attributes) -> Result<Role, String> {
    refuse_state_default(attributes)?;
    if attributes.default.is_some() {
        return Err("a setting with a default is never absent: write `T` instead of `Option<T>`".into());
    }
    if attributes.required.as_ref().is_some_and(|required| required.actions.is_empty()) {
        return Err("a required setting is never absent: write `T` instead of `Option<T>`".into());
    }
    Ok(Role::Setting(Setting::Optional))
}

fn setting(attributes: &mut Attributes, ty: &Type) -> Result<Role, String> {
    refuse_state_default(attributes)?;
    match (attributes.default.take(), &attributes.required) {
        (_, Some(required)) if !required.actions.is_empty() => {
            Err("a field that only some actions require is absent for the others: write `Option<T>`".into())
        }
        (Some(_), Some(_)) => Err("a `#[required]` field needs no default: keep one of them".into()),
        (Some(expr), None) => Ok(Role::Setting(Setting::Default(expr))),
        (None, Some(_)) => Ok(Role::Setting(Setting::Required)),
        (None, None) => Err(unclear(ty)),
    }
}

fn refuse_state_default(attributes: &Attributes) -> Result<(), String> {
    if attributes.on_create.is_some() || attributes.enforce.is_some() {
        return Err(
            "only state has `#[on_create(…)]` and `#[enforce(…)]`: write `Want<T>` if this is state, or \
                    `#[default(…)]` if it is a setting"
                .into(),
        );
    }
    Ok(())
}

fn unclear(ty: &Type) -> String {
    let ty = written(ty);
    format!(
        "this field has no role: write `Want<{ty}>` if it is state to compare and converge, `Seen<{ty}>` if \
         `load` fills it; for a setting write `Option<{ty}>`, `#[default(…)]` or `#[required]`"
    )
}
