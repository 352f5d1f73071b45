//! The schema: static data for documentation, editors and checks.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, LitStr, Type};

use crate::attribute::{PartChange, PropertyChange, Required, Rule};
use crate::container::Container;
use crate::field::Field;
use crate::role::{Goal, Part, Role, Setting};

pub(crate) fn constant(container: &Container) -> TokenStream {
    let doc = &container.doc;
    let kind = container.options.kind.as_ref().map_or_else(|| container.ident.to_string(), LitStr::value);
    let properties = properties(&container.fields);
    let removable = !container.options.permanent;
    let also = &container.options.also;
    let groups = container.options.groups.iter().map(|group| {
        let rule = syn::Ident::new(group.rule, proc_macro2::Span::call_site());
        let members =
            group.members.iter().map(|member| member.to_string().trim_start_matches("r#").to_owned());
        let fix = match &group.fix {
            Some(fix) => quote! { ::core::option::Option::Some(#fix) },
            None => quote! { ::core::option::Option::None },
        };
        quote! {
            ::uphold_resource::private::Group {
                rule: ::uphold_resource::private::GroupRule::#rule,
                properties: &[#(#members),*],
                fix: #fix,
            }
        }
    });
    let verbs = container.options.verbs.iter().map(|(name, doc)| {
        let name = name.to_string();
        quote! { ::uphold_resource::private::VerbSchema { name: #name, doc: #doc } }
    });
    quote! {
        const SCHEMA: &'static ::uphold_resource::private::Schema = &::uphold_resource::private::Schema {
            kind: #kind,
            doc: #doc,
            properties: #properties,
            groups: &[#(#groups),*],
            verbs: &[#(#verbs),*],
            removable: #removable,
            also: &[#(#also),*],
        };
    }
}

/// The array of property schemas of these fields.
pub(crate) fn properties(fields: &[Field]) -> TokenStream {
    let properties = fields.iter().map(property);
    quote! { &[#(#properties),*] }
}

fn property(field: &Field) -> TokenStream {
    let (name, doc, ty) = (&field.name, &field.attributes.doc, &field.ty);
    let (role, flatten) = (role(&field.role), flatten(field));
    let type_of = match field.role {
        Role::Flatten(_) | Role::Settings => quote! { &::uphold_resource::private::Type::Any },
        // Spanned at the type, so that the compiler points there if it is not a `Property`.
        _ => quote_spanned! { ty.span() => <#ty as ::uphold_resource::Property>::TYPE },
    };
    let (need, default, rules) = (need(field), default(field), rules(&field.attributes.rules));
    let (aliases, also) = (&field.attributes.aliases, &field.attributes.also);
    let replaced_by = match &field.attributes.replaced_by {
        Some((new, why)) => quote! { ::core::option::Option::Some((#new, #why)) },
        None => quote! { ::core::option::Option::None },
    };
    quote! {
        ::uphold_resource::private::PropertySchema {
            name: #name,
            doc: #doc,
            role: ::uphold_resource::private::Role::#role,
            ty: #type_of,
            need: #need,
            default: #default,
            rules: #rules,
            aliases: &[#(#aliases),*],
            also: &[#(#also),*],
            replaced_by: #replaced_by,
            flatten: #flatten,
        }
    }
}

fn role(role: &Role) -> TokenStream {
    match role {
        Role::Name => quote! { Name },
        Role::Identity { .. } => quote! { Identity },
        Role::State { goal: Goal::Enforce(_) } => quote! { EnforcedState },
        Role::State { .. } => quote! { State },
        Role::Setting(_) | Role::Flatten(_) | Role::Settings => quote! { Setting },
        Role::Export => quote! { Export },
    }
}

fn flatten(field: &Field) -> TokenStream {
    let ty = &field.ty;
    match &field.role {
        // Spanned at the type, so that the compiler points there if it has no properties.
        Role::Flatten(part) if part.changes().is_empty() => {
            quote_spanned! { ty.span() => ::core::option::Option::Some(<#ty as ::uphold_resource::Properties>::SCHEMA) }
        }
        Role::Flatten(part) => changed_part(ty, part),
        // Spanned at the type, so that the compiler points there if it is not `Settings`.
        Role::Settings => {
            quote_spanned! { ty.span() => ::core::option::Option::Some(<#ty as ::uphold_resource::Settings>::SCHEMA) }
        }
        _ => quote! { ::core::option::Option::None },
    }
}

/// The schema of an embedded struct with the changes of the place of use.
fn changed_part(ty: &Type, part: &Part) -> TokenStream {
    let changes = part.changes().iter().map(|PartChange { property, change }| {
        let name = property.to_string();
        let default = |role: &str, expr: &Expr| {
            let role = syn::Ident::new(role, property.span());
            quote! {
                ::uphold_resource::private::PropertyChange::Default(
                    ::uphold_resource::private::Role::#role,
                    ::uphold_resource::private::DefaultValue::Made(|| {
                        ::uphold_resource::private::default_of_field(|part: &#ty| &part.#property, || #expr)
                    }),
                )
            }
        };
        let change = match change {
            PropertyChange::OnCreate(expr) => default("State", expr),
            PropertyChange::Enforce(expr) => default("EnforcedState", expr),
            PropertyChange::Doc(doc) => quote! { ::uphold_resource::private::PropertyChange::Doc(#doc) },
        };
        quote! { (#name, #change) }
    });
    let changes = quote! { &[#(#changes),*] };
    let checks = part.changes().iter().map(|PartChange { property, .. }| {
        let name = property.to_string();
        let sentence = format!("`{}` has no property `{name}`", quote!(#ty));
        quote_spanned! { property.span() =>
            ::core::assert!(::uphold_resource::private::has_property(PART, #name), #sentence);
        }
    });
    quote! {
        ::core::option::Option::Some({
            const PART: &::uphold_resource::private::Schema = <#ty as ::uphold_resource::Properties>::SCHEMA;
            const _: () = { #(#checks)* };
            const PROPERTIES: [::uphold_resource::private::PropertySchema; PART.properties.len()] =
                ::uphold_resource::private::changed_properties(PART, #changes);
            const CHANGED: &::uphold_resource::private::Schema =
                &::uphold_resource::private::Schema { properties: &PROPERTIES, ..*PART };
            CHANGED
        })
    }
}

fn need(field: &Field) -> TokenStream {
    let need = quote! { ::uphold_resource::private::Need };
    match (&field.role, &field.attributes.required) {
        (_, Some(Required { actions })) if !actions.is_empty() => {
            let actions = actions.iter().map(ToString::to_string);
            quote! { #need::RequiredFor(&[#(#actions),*]) }
        }
        (Role::State { goal: Goal::Required } | Role::Setting(Setting::Required), _)
        | (Role::Identity { default: None, .. }, _) => quote! { #need::Required },
        _ => quote! { #need::Optional },
    }
}

/// The default of a field, whatever its role.
pub(crate) fn default_of(field: &Field) -> Option<&Expr> {
    match &field.role {
        Role::State { goal: Goal::OnCreate(expr) | Goal::Enforce(expr) }
        | Role::Setting(Setting::Default(expr))
        | Role::Identity { default: Some(expr), .. } => Some(expr),
        _ => None,
    }
}

fn default(field: &Field) -> TokenStream {
    let Some(expr) = default_of(field) else { return quote! { ::core::option::Option::None } };
    let ty = &field.ty;
    let base = match &field.attributes.relative_to {
        Some(base) => {
            let base = base.to_string();
            quote! { ::core::option::Option::Some(#base) }
        }
        None => quote! { ::core::option::Option::None },
    };
    quote! {
        ::core::option::Option::Some(::uphold_resource::private::DefaultValue::Made(|| {
            ::uphold_resource::private::default_value::<#ty, _>(|| #expr, #base)
        }))
    }
}

/// The rules as data.
pub(crate) fn rules(rules: &[Rule]) -> TokenStream {
    let rule = quote! { ::uphold_resource::private::Rule };
    let rules = rules.iter().map(|one| match one {
        Rule::OneOf(words) => quote! { #rule::OneOf(&[#(#words),*]) },
        Rule::Range(min, max) => quote! { #rule::Range((#min) as f64, (#max) as f64) },
        Rule::Pattern(pattern) => quote! { #rule::Pattern(#pattern) },
        Rule::Check(test, message) => check(&rule, test, message),
    });
    quote! { &[#(#rules),*] }
}

fn check(rule: &TokenStream, test: &syn::Path, message: &LitStr) -> TokenStream {
    quote! { #rule::Check(#test, #message) }
}
