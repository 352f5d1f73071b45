//! The attributes of a field.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, LitStr, Meta, Path, Token};

use crate::mistakes::Mistakes;

/// The parsed attributes of one field.
#[derive(Default)]
pub(crate) struct Attributes {
    pub(crate) doc: String,
    pub(crate) name: bool,
    pub(crate) identity: Option<Identity>,
    pub(crate) flatten: Option<Flatten>,
    pub(crate) required: Option<Required>,
    pub(crate) default: Option<Expr>,
    pub(crate) on_create: Option<Expr>,
    pub(crate) enforce: Option<Expr>,
    pub(crate) relative_to: Option<Ident>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) also: Vec<LitStr>,
    pub(crate) replaced_by: Option<(LitStr, LitStr)>,
    pub(crate) rules: Vec<Rule>,
    /// `#[load(Self::digest)]`: the function that loads it, if it is needed.
    pub(crate) load: Option<Path>,
    pub(crate) claim: Option<ClaimRule>,
    /// `#[interest(none)]`.
    pub(crate) unwatched: bool,
}

/// `#[claim(…)]`: a change of the claims that follow from the type.
#[derive(Clone, Copy)]
pub(crate) enum ClaimRule {
    /// No claims.
    None,
    /// The resource provides what it would depend on.
    Provides,
}

/// `#[identity]`, or `#[identity(loaded)]`: compared, because `load` may return another value.
pub(crate) struct Identity {
    pub(crate) loaded: bool,
}

/// The struct that `#[flatten]` embeds.
#[derive(Clone)]
pub(crate) enum Flatten {
    /// `#[flatten]`: a kind.
    Kind,
    /// `#[flatten(settings)]`: a struct of settings.
    Settings,
    /// `#[flatten(state, on_create(mode = "0755"))]`: a struct of state, with changes of its properties.
    State(Vec<PartChange>),
}

/// A change of an embedded property at the place of use.
#[derive(Clone)]
pub(crate) struct PartChange {
    pub(crate) property: Ident,
    pub(crate) change: PropertyChange,
}

/// The options of `#[flatten(state, …)]`.
#[derive(Clone)]
pub(crate) enum PropertyChange {
    OnCreate(Expr),
    Enforce(Expr),
    Doc(Expr),
}

/// `#[required]`, or `#[required(remove, restart)]`: only for these actions.
pub(crate) struct Required {
    pub(crate) actions: Vec<Ident>,
}

/// A rule for the value.
pub(crate) enum Rule {
    OneOf(Vec<LitStr>),
    Range(Box<Expr>, Box<Expr>),
    Pattern(LitStr),
    Check(Path, LitStr),
}

impl Attributes {
    /// Parses all attributes of a field.
    pub(crate) fn read(attributes: &[Attribute], mistakes: &mut Mistakes) -> Self {
        refuse_examples(attributes, mistakes);
        let mut read = Self { doc: doc(attributes), ..Self::default() };
        for attribute in attributes {
            if let Err(error) = read.add(attribute) {
                mistakes.take(error);
            }
        }
        read
    }

    fn add(&mut self, attribute: &Attribute) -> syn::Result<()> {
        let Some(word) = attribute.path().get_ident().map(ToString::to_string) else { return Ok(()) };
        match word.as_str() {
            "name" => self.name = true,
            "identity" => {
                // Set first, so that a misspelt word inside is reported once, and not as a missing role too.
                self.identity = Some(Identity { loaded: false });
                self.identity = Some(identity(attribute)?);
            }
            "flatten" => {
                self.flatten = Some(Flatten::Kind);
                self.flatten = Some(flatten(attribute)?);
            }
            "required" => self.required = Some(Required { actions: words(attribute)? }),
            "default" => self.default = Some(attribute.parse_args()?),
            "on_create" => self.on_create = Some(attribute.parse_args()?),
            "enforce" => self.enforce = Some(attribute.parse_args()?),
            "relative_to" => self.relative_to = Some(attribute.parse_args()?),
            "alias" => self.aliases.extend(texts(attribute)?),
            "also" => self.also.extend(texts(attribute)?),
            "replaced_by" => {
                let pair: Pair<LitStr> = attribute.parse_args()?;
                self.replaced_by = Some((pair.first, pair.second));
            }
            "one_of" => self.rules.push(Rule::OneOf(texts(attribute)?)),
            "range" => self.rules.push(range(attribute)?),
            "pattern" => self.rules.push(Rule::Pattern(attribute.parse_args()?)),
            "check" => {
                let pair: Pair<Path> = attribute.parse_args()?;
                self.rules.push(Rule::Check(pair.first, pair.second));
            }
            "load" => {
                let sentence = "name a function of the kind, as in `#[load(Self::digest)]`";
                let path =
                    attribute.parse_args().map_err(|_| syn::Error::new_spanned(attribute, sentence))?;
                self.load = Some(path);
            }
            "claim" => self.claim = Some(claim(attribute)?),
            "interest" => self.unwatched = interest(attribute)?,
            _ => {}
        }
        Ok(())
    }
}

/// Reports `#[example(…)]` on a field: only a newtype has examples, and removes them before.
pub(crate) fn refuse_examples(attributes: &[Attribute], mistakes: &mut Mistakes) {
    for shown in attributes.iter().filter(|attribute| attribute.path().is_ident("example")) {
        mistakes.add(shown, "`#[example(…)]` belongs on a newtype: it shows an example value");
    }
}

/// `first, "second"`.
struct Pair<T> {
    first: T,
    second: LitStr,
}

impl<T: Parse> Parse for Pair<T> {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let first = input.parse()?;
        input.parse::<Token![,]>()?;
        Ok(Self { first, second: input.parse()? })
    }
}

/// The words in the parentheses of an attribute.
fn words(attribute: &Attribute) -> syn::Result<Vec<Ident>> {
    match &attribute.meta {
        Meta::Path(_) => Ok(Vec::new()),
        _ => {
            let words = attribute.parse_args_with(Punctuated::<Ident, Token![,]>::parse_terminated)?;
            Ok(words.into_iter().collect())
        }
    }
}

fn identity(attribute: &Attribute) -> syn::Result<Identity> {
    let words = words(attribute)?;
    match words.iter().find(|word| *word != "loaded") {
        Some(other) => {
            let sentence = "write `#[identity]`, or `#[identity(loaded)]` if `load` may return another value";
            Err(syn::Error::new_spanned(other, sentence))
        }
        None => Ok(Identity { loaded: !words.is_empty() }),
    }
}

fn claim(attribute: &Attribute) -> syn::Result<ClaimRule> {
    match &words(attribute)?[..] {
        [word] if word == "none" => Ok(ClaimRule::None),
        [word] if word == "provides" => Ok(ClaimRule::Provides),
        _ => {
            let sentence = "write `#[claim(none)]` if nothing depends on this property, or `#[claim(provides)]` if \
                            the resource makes what it names";
            Err(syn::Error::new_spanned(attribute, sentence))
        }
    }
}

fn interest(attribute: &Attribute) -> syn::Result<bool> {
    match &words(attribute)?[..] {
        [word] if word == "none" => Ok(true),
        _ => {
            let sentence = "write `#[interest(none)]` if a change of what this property names needs no visit; others \
                            are added by `impl Watching`";
            Err(syn::Error::new_spanned(attribute, sentence))
        }
    }
}

fn flatten(attribute: &Attribute) -> syn::Result<Flatten> {
    if matches!(attribute.meta, Meta::Path(_)) {
        return Ok(Flatten::Kind);
    }
    let (mut settings, mut changes) = (false, None);
    attribute.parse_nested_meta(|meta| {
        let word = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
        match (word.as_str(), &mut changes) {
            ("settings", None) => settings = true,
            ("state", None) if !settings => changes = Some(Vec::new()),
            ("on_create", Some(changes)) => part_changes(&meta, PropertyChange::OnCreate, changes)?,
            ("enforce", Some(changes)) => part_changes(&meta, PropertyChange::Enforce, changes)?,
            ("doc", Some(changes)) => part_changes(&meta, PropertyChange::Doc, changes)?,
            _ => return Err(meta.error(
                "write `#[flatten]` for a kind, `#[flatten(settings)]` for a struct of settings, or \
                 `#[flatten(state)]` for a struct of state, which may be followed by `on_create(mode = \"0755\")`, \
                 `enforce(…)` and `doc(…)`",
            )),
        }
        Ok(())
    })?;
    Ok(changes.map_or(Flatten::Settings, Flatten::State))
}

/// `(mode = "0755", owner = "root")`.
fn part_changes(
    meta: &syn::meta::ParseNestedMeta<'_>,
    change: fn(Expr) -> PropertyChange,
    changes: &mut Vec<PartChange>,
) -> syn::Result<()> {
    meta.parse_nested_meta(|property| {
        let name = property.path.require_ident()?.clone();
        changes.push(PartChange { property: name, change: change(property.value()?.parse()?) });
        Ok(())
    })
}

fn texts(attribute: &Attribute) -> syn::Result<Vec<LitStr>> {
    let texts = attribute.parse_args_with(Punctuated::<LitStr, Token![,]>::parse_terminated)?;
    Ok(texts.into_iter().collect())
}

fn range(attribute: &Attribute) -> syn::Result<Rule> {
    let sentence = "write both ends, as in `#[range(1..=10)]`";
    match attribute.parse_args()? {
        Expr::Range(syn::ExprRange {
            start: Some(start),
            end: Some(end),
            limits: syn::RangeLimits::Closed(_),
            ..
        }) => Ok(Rule::Range(start, end)),
        other => Err(syn::Error::new_spanned(other, sentence)),
    }
}

/// The doc comment, with lines joined and without leading spaces.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    });
    let lines: Vec<String> = lines.map(|line| line.strip_prefix(' ').unwrap_or(&line).to_owned()).collect();
    lines.join("\n").trim().to_owned()
}
