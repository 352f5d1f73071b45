//! Checks that need the whole struct.

use syn::DeriveInput;

use crate::container::Container;
use crate::field::Field;
use crate::mistakes::Mistakes;
use crate::role::Role;

/// Looks at everything that no single field can tell.
pub(crate) fn whole(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    kind(input, container, mistakes);
    generics(input, mistakes);
    names(input, container, mistakes);
    groups(container, mistakes);
    bases(&container.fields, mistakes);
    rules(&container.fields, mistakes);
}

fn kind(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    let Some(kind) = &container.options.kind else {
        mistakes.add(&input.ident, "say what a block of it is called: `#[resource(kind = \"…\")]`");
        return;
    };
    let text = kind.value();
    let fine = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !fine {
        mistakes.add(kind, "a kind is written in lower case, with `_` between words");
    }
}

fn generics(input: &DeriveInput, mistakes: &mut Mistakes) {
    if !input.generics.params.is_empty() {
        mistakes.add(&input.generics, "a resource has no generic parameters: its kind is one type");
    }
}

fn names(input: &DeriveInput, container: &Container, mistakes: &mut Mistakes) {
    let mut named = container.fields.iter().filter(|field| matches!(field.role, Role::Name));
    let first = named.next();
    for second in named {
        mistakes.add(&second.ident, "only one field takes the block's label: make this one `#[identity]`");
    }
    let embeds = container.fields.iter().any(|field| matches!(field.role, Role::Flatten));
    if first.is_none() && !embeds && !container.fields.is_empty() {
        mistakes.add(&input.ident, "one field must take the block's label: mark it `#[name]`");
    }
}

fn groups(container: &Container, mistakes: &mut Mistakes) {
    let embeds = container.fields.iter().any(|field| matches!(field.role, Role::Flatten));
    for group in &container.options.groups {
        if group.members.len() < 2 {
            mistakes.take(syn::Error::new_spanned(&container.ident, "a group has two members or more"));
        }
        for member in &group.members {
            if !embeds && !container.fields.iter().any(|field| field.ident == *member) {
                mistakes.add(member, format!("there is no field `{member}`"));
            }
        }
    }
}

/// A base must be another field, and there must be an order in which bases come first.
fn bases(fields: &[Field], mistakes: &mut Mistakes) {
    for field in fields {
        let Some(base) = &field.attributes.relative_to else { continue };
        match fields.iter().find(|other| other.ident == *base) {
            None => mistakes.add(base, format!("there is no field `{base}`")),
            Some(other) if depth(other, fields) >= fields.len() => {
                mistakes.add(base, format!("`{}` and `{base}` are relative to each other", field.ident));
            }
            Some(_) => {}
        }
    }
}

/// How many bases a field stands on; as many as there are fields if they form a loop.
pub(crate) fn depth(field: &Field, fields: &[Field]) -> usize {
    let mut depth = 0;
    let mut at = field;
    while let Some(base) = &at.attributes.relative_to {
        let Some(next) = fields.iter().find(|other| other.ident == *base) else { break };
        depth += 1;
        if depth >= fields.len() {
            break;
        }
        at = next;
    }
    depth
}

fn rules(fields: &[Field], mistakes: &mut Mistakes) {
    for field in fields {
        if matches!(field.role, Role::Flatten) && !field.attributes.rules.is_empty() {
            mistakes.add(&field.ident, "an embedded resource brings its own rules");
        }
    }
}
