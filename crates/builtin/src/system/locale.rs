//! The kind `locale`.

mod available;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use available::{GENERATED, has_all, must_be_possible};
use uphold_kit::edited_file::EditedFile;
use uphold_kit::machine;
use uphold_resource::{
    Act, Claim, Claiming, Claims, Context, EntryKind, Found, Interest, Look, Previous, Problem, Property,
    Reading, Resource, Result, Step, Type, Value, Want, Watching, Wish,
};

use super::assignments;
use super::assignments::Assignments;

/// The file of most systems.
const USUAL: &str = "/etc/locale.conf";
/// The file of Debian.
const DEBIAN: &str = "/etc/default/locale";
/// The directory of generated locales.
const LOCALES: &str = "/usr/lib/locale";
/// The archive of generated locales.
const ARCHIVE: &str = "/usr/lib/locale/locale-archive";

/// The system locale.
///
/// The label is the locale. Manages `/etc/default/locale` on Debian, and `/etc/locale.conf` elsewhere; other lines
/// of the file are kept. A missing locale is generated if `/etc/locale.gen` exists. A machine has one system
/// locale: a second `locale` is refused, and it cannot be removed.
///
/// ```hcl
/// locale "en_US.UTF-8" {
///   lc = {
///     LC_TIME  = "de_AT.UTF-8"
///     LC_PAPER = "de_AT.UTF-8"
///   }
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "locale", claims, interests, permanent)]
pub struct Locale {
    /// Locale; defaults to the block's label.
    #[name]
    pub name: LocaleName,
    /// Value of `LANG`. Defaults to `name`.
    pub lang: Want<LocaleName>,
    /// Value of `LANGUAGE`: languages for messages by preference, separated by colons. Null for none.
    #[pattern("^[A-Za-z0-9_.@:-]+$")]
    pub language: Want<Option<String>>,
    /// Complete set of `LC_*` variables, such as `LC_TIME`; others are removed.
    #[also("lc_env", "lc_all")]
    #[check(are_parts, "must have only names such as LC_TIME")]
    pub lc: Want<BTreeMap<String, LocaleName>>,
    /// Whether the system has all of these locales.
    #[also("state")]
    #[enforce(true)]
    pub generated: Want<bool>,
}

fn are_parts(value: &Value) -> bool {
    let is_letter = |c: char| c.is_ascii_uppercase();
    let is_part = |name: &str| {
        name.strip_prefix("LC_").is_some_and(|rest| !rest.is_empty() && rest.chars().all(is_letter))
    };
    matches!(value, Value::Map(map) if map.keys().all(|name| is_part(name)))
}

impl Resource for Locale {
    fn prepare(&self, look: &Look<'_>) -> Result<LocaleWishes> {
        self.declared().into_iter().try_for_each(|name| must_be_possible(name, look))?;
        let lang = if self.lang.is_set() { Wish::Declared } else { Wish::Set(self.name.clone()) };
        Ok(LocaleWishes { lang, ..LocaleWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let file = look.parsed::<Assignments>(file(look)?)?.unwrap_or_default();
        let lc = file.beginning_with("LC_").into_iter();
        Ok(Found::This(LocaleState {
            lang: LocaleName::found(file.get("LANG").unwrap_or_default()),
            language: file.get("LANGUAGE").map(ToOwned::to_owned),
            lc: lc.map(|(name, value)| (name, LocaleName::found(&value))).collect(),
            generated: has_all(&self.declared(), look)?,
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else { return Ok(()) };
        if change.generated.as_ref().is_some_and(|delta| delta.to) {
            available::generate(&self.declared(), host)?;
        }
        let values = assigned(change);
        if values.is_empty() {
            return Ok(());
        }
        EditedFile::of_system(file(host)?).rewrite_lines(host, |file| {
            values.iter().for_each(|(name, value)| assignments::assign(file, name, value.as_deref()));
        })
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { current, .. } if current.lang.to_value() == Value::text("") => {
                Previous::none("no locale was set before")
            }
            _ => Previous::VALUES,
        }
    }
}

/// The assignments to change; none removes one.
fn assigned(change: &LocaleChange) -> BTreeMap<String, Option<String>> {
    let mut values = BTreeMap::new();
    if let Some(delta) = &change.lang {
        values.insert("LANG".to_owned(), Some(delta.to.to_string()));
    }
    if let Some(delta) = &change.language {
        values.insert("LANGUAGE".to_owned(), delta.to.clone());
    }
    if let Some(delta) = &change.lc {
        values.extend(delta.from.keys().map(|name| (name.clone(), None)));
        values.extend(delta.to.iter().map(|(name, value)| (name.clone(), Some(value.to_string()))));
    }
    values
}

impl Claiming for Locale {
    /// A machine has only one system locale.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("the", "locale".into()));
        claims.need(Claim::Package("locales".into()));
        claims.own(LOCALES);
        [USUAL, DEBIAN, GENERATED].iter().for_each(|path| claims.edit(Claim::Path(PathBuf::from(path))));
    }
}

impl Watching for Locale {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        let files = [USUAL, DEBIAN, GENERATED, ARCHIVE];
        interests.extend(files.map(|path| Interest::Path(PathBuf::from(path))));
    }
}

impl Locale {
    /// All declared locales.
    fn declared(&self) -> Vec<&LocaleName> {
        let parts = self.lc.get().into_iter().flat_map(BTreeMap::values);
        [self.lang.get().unwrap_or(&self.name)].into_iter().chain(parts).collect()
    }
}

/// On newer Debian systems the file is a link to the usual one.
fn file(host: &Reading<'_>) -> Result<&'static Path> {
    let is_link = |path: &str| -> Result<bool> {
        let found = host.files().look(Path::new(path))?;
        Ok(matches!(found, Some(entry) if matches!(entry.kind, EntryKind::Link(_))))
    };
    let is_debian = machine::is_debian(host)? && !is_link(DEBIAN)?;
    Ok(Path::new(if is_debian { DEBIAN } else { USUAL }))
}

// Names of locales.

/// The locales that every system has.
const BUILTIN: [&str; 3] = ["C", "POSIX", "C.utf8"];

/// The name of a locale: `de_AT.UTF-8`. The spelling of its encoding does not matter.
#[derive(Clone, Debug)]
pub struct LocaleName(String);

impl LocaleName {
    /// An existing name, valid or not.
    fn found(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    fn as_str(&self) -> &str {
        &self.0
    }

    /// The spelling of the C library: `de_AT.utf8`.
    fn normalised(&self) -> String {
        let (name, modifier) = match self.0.split_once('@') {
            Some((name, modifier)) => (name, format!("@{modifier}")),
            None => (self.0.as_str(), String::new()),
        };
        match name.split_once('.') {
            Some((language, encoding)) => {
                let encoding = encoding.to_ascii_lowercase().replace('-', "");
                format!("{language}.{encoding}{modifier}")
            }
            None => format!("{name}{modifier}"),
        }
    }

    /// Whether every system has it without generation.
    fn is_builtin(&self) -> bool {
        BUILTIN.contains(&self.normalised().as_str())
    }
}

impl PartialEq for LocaleName {
    fn eq(&self, other: &Self) -> bool {
        self.normalised() == other.normalised()
    }
}

impl Eq for LocaleName {}

impl fmt::Display for LocaleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for LocaleName {
    const TYPE: &'static Type =
        &Type::Named { name: "locale", doc: "the name of a locale", example: r#""de_AT.UTF-8""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.@-".contains(c);
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_letter) {
            return Ok(Self(text));
        }
        let fix = "use a name such as \"de_AT.UTF-8\" or \"C.UTF-8\"";
        Err(Problem::new(Some(value), "is not the name of a locale", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ignores_the_spelling_of_an_encoding() {
        let check = |one: &str, other: &str, equal: bool| {
            assert_eq!(LocaleName::found(one) == LocaleName::found(other), equal, "{one} {other}");
        };
        check("de_AT.UTF-8", "de_AT.utf8", true);
        check("de_AT.ISO-8859-1", "de_AT.iso88591", true);
        check("de_AT.UTF-8@euro", "de_AT.utf8@euro", true);
        check("de_AT", "de_AT.UTF-8", false);
        check("de_AT.UTF-8", "de_DE.UTF-8", false);
        assert!(LocaleName::found("C.UTF-8").is_builtin());
        assert!(!LocaleName::found("de_AT.UTF-8").is_builtin());
    }
}
