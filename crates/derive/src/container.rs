//! The parsed struct.

use syn::punctuated::Punctuated;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Token, Visibility};

use crate::attribute::{doc, refuse_examples};
use crate::check;
use crate::field::Field;
use crate::mistakes::Mistakes;

/// A kind, or a struct of state.
pub(crate) struct Container {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) doc: String,
    pub(crate) options: Options,
    pub(crate) fields: Vec<Field>,
}

/// The options of `#[resource(…)]`.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) kind: Option<LitStr>,
    pub(crate) verbs: Vec<(Ident, LitStr)>,
    pub(crate) claims: bool,
    pub(crate) interests: bool,
    pub(crate) batch: bool,
    pub(crate) permanent: bool,
    pub(crate) groups: Vec<Group>,
    pub(crate) also: Vec<LitStr>,
}

/// A rule for several fields.
pub(crate) struct Group {
    pub(crate) rule: &'static str,
    pub(crate) members: Vec<Ident>,
    pub(crate) fix: Option<LitStr>,
}

impl Container {
    /// Parses a kind, or reports all mistakes in it.
    pub(crate) fn kind(input: &DeriveInput) -> syn::Result<Self> {
        Self::read(input, check::kind)
    }

    /// Parses a struct of state, or reports all mistakes in it.
    pub(crate) fn state(input: &DeriveInput) -> syn::Result<Self> {
        Self::read(input, check::state)
    }

    fn read(input: &DeriveInput, check: fn(&DeriveInput, &Self, &mut Mistakes)) -> syn::Result<Self> {
        let mut mistakes = Mistakes::default();
        refuse_examples(&input.attrs, &mut mistakes);
        let options = Options::read(input, &mut mistakes);
        let fields = fields(input, &mut mistakes);
        let container = Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            doc: doc(&input.attrs),
            options,
            fields,
        };
        check(input, &container, &mut mistakes);
        mistakes.finish().map(|()| container)
    }
}

fn fields(input: &DeriveInput, mistakes: &mut Mistakes) -> Vec<Field> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => {
                named.named.iter().filter_map(|field| Field::read(field, mistakes)).collect()
            }
            _ => {
                mistakes.add(&input.ident, "a resource is a struct with named fields: each is a property");
                Vec::new()
            }
        },
        _ => {
            mistakes.add(&input.ident, "a resource is a struct; `#[derive(Property)]` is for enums");
            Vec::new()
        }
    }
}

impl Options {
    fn read(input: &DeriveInput, mistakes: &mut Mistakes) -> Self {
        let mut options = Self::default();
        for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("resource")) {
            if let Err(error) = attribute.parse_nested_meta(|meta| options.add(&meta)) {
                mistakes.take(error);
            }
        }
        options
    }

    fn add(&mut self, meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<()> {
        let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match word.as_str() {
            "kind" => self.kind = Some(meta.value()?.parse()?),
            "verbs" => meta.parse_nested_meta(|verb| {
                let name = verb.path.require_ident()?.clone();
                self.verbs.push((name, verb.value()?.parse()?));
                Ok(())
            })?,
            "claims" => self.claims = true,
            "interests" => self.interests = true,
            "batch" => self.batch = true,
            "permanent" => self.permanent = true,
            "also" => self.also = words(meta)?,
            "exclusive" => self.groups.push(group("Exclusive", meta)?),
            "any_of" => self.groups.push(group("AnyOf", meta)?),
            "together" => self.groups.push(group("Together", meta)?),
            "requires" => self.groups.push(group("Requires", meta)?),
            other => {
                return Err(meta.error(format!(
                    "`{other}` is not an option of a resource; the options are kind, verbs, claims, interests, \
                     batch, \
                     permanent, also, exclusive, any_of, together and requires"
                )));
            }
        }
        Ok(())
    }
}

/// The strings in the parentheses of an option.
fn words(meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    syn::parenthesized!(content in meta.input);
    Ok(Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?.into_iter().collect())
}

fn group(rule: &'static str, meta: &syn::meta::ParseNestedMeta<'_>) -> syn::Result<Group> {
    let mut group = Group { rule, members: Vec::new(), fix: None };
    meta.parse_nested_meta(|member| {
        let ident = member.path.require_ident()?.clone();
        if ident == "fix" && member.input.peek(syn::Token![=]) {
            group.fix = Some(member.value()?.parse()?);
        } else {
            group.members.push(ident);
        }
        Ok(())
    })?;
    Ok(group)
}
