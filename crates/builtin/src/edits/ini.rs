//! The kind `ini`.

mod edit;
mod layout;
mod ssh_block;

use edit::Place;
use ssh_block::{begins_block, is_of_ssh, meant_line, section_spelling};
use uphold_kit::edited_file::EditedFile;
use uphold_kit::verification::Verification;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Context, Found, Look, Previous, Problem, Property, Resource,
    Result, Step, Type, Value, Want,
};

use super::goal;

/// One key of an INI file, such as those of systemd, Git, PHP and MySQL.
///
/// The rest of the file is kept byte for byte: order, comments, line endings, and the line itself up to its value.
/// The value is the rest of the line, including quotes and comments, and continues after a backslash at the end. A
/// new key is added after a commented-out example of it, otherwise at the end of its section, which is created if
/// it is missing. Lines between the markers of a `line` resource are not changed. Several resources can edit one
/// file; they are applied in the order in which they are written, and two for the same key are refused.
///
/// Removing it removes all lines of the key in its section. The section is kept.
///
/// ```hcl
/// ini "longer logs" {
///   file    = "/etc/systemd/journald.conf"
///   section = "Journal"
///   key     = "SystemMaxUse"
///   value   = "1G"
/// }
/// ```
///
/// ```hcl
/// ini "no network" {
///   file    = "/etc/mysql/my.cnf"
///   section = "mysqld"
///   key     = "skip-networking"
///   value   = null
///   create  = true
/// }
/// ```
///
/// It also edits the files of ssh, where a space separates key and value. There, lines such as `Match User ann` and
/// `Host *` begin sections, and the whole line is the section's name. A key without a section goes before the first
/// of them. As ssh does, it finds `passwordauthentication` as the key `PasswordAuthentication`, and `match user ann` as
/// the section `Match User ann`: see `ignore_case`.
///
/// ```hcl
/// ini "no passwords" {
///   file   = "/etc/ssh/sshd_config"
///   key    = "PasswordAuthentication"
///   value  = "no"
///   verify = "mkdir -p /run/sshd && /usr/sbin/sshd -t -f {}"
/// }
/// ```
///
/// Put several settings that belong together into a `sequence` with `verify`: if the check fails, all of them are put
/// back.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "ini", also("ini_file", "ini_setting", "inifile"), claims)]
pub struct Ini {
    /// Name of the edit; defaults to the block's label.
    #[name]
    pub name: String,
    /// Path of the file.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// Section, without brackets. If it is not set, the key is before all sections. In a file of ssh, the line that
    /// begins the section, such as `"Match User ann"`.
    #[check(is_section, "must be a name without brackets")]
    pub section: Option<String>,
    /// Key.
    #[also("option", "setting")]
    #[check(is_key, "must be a single line without `=`, and not a comment or header")]
    #[required]
    pub key: String,
    /// Value: a string, number or bool, which is written as `true` or `false`; a bool is refused in the files of ssh,
    /// which need `"yes"` or `"no"`. A list for a key that occurs on several lines; null for a key without a value.
    #[also("values")]
    #[required]
    pub value: Want<IniValue>,
    /// Text between a new key and its value. It also determines how keys and values are separated: by `=`, by `:`, or
    /// by white space if it has neither. If it is not set: a space in the files of ssh, which are known by their names
    /// (see `ignore_case`); otherwise as at other keys in the file that have `=` or `:`, or ` = ` if there are none. For
    /// a file of ssh with another name, such as a copy, set `separator = " "` and `ignore_case = true`.
    #[also("key_val_separator")]
    #[check(is_separator, "must be `=`, `:` or white space, optionally with white space around it")]
    pub separator: Option<String>,
    /// Treat keys that differ only in case as the same key, and so the words of `Match` and `Host` lines, but not the
    /// names in them; existing lines keep their spelling. If it is not set:
    /// true for the files of ssh (`sshd_config`, `ssh_config`, `.ssh/config`, and files in `sshd_config.d` and
    /// `ssh_config.d`), otherwise false.
    pub ignore_case: Option<bool>,
    /// Create the file if it does not exist: with mode 0644, or 0600 if the value is a secret. Pending packages are
    /// installed first, because one of them may provide the file.
    #[default(false)]
    pub create: bool,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
}

fn is_section(value: &Value) -> bool {
    matches!(value, Value::Text(text)
        if !text.is_empty() && text.trim() == &**text && !text.contains(['\n', '\r', ']']))
}

fn is_key(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.is_empty() && text.trim() == &**text
        && !text.contains(['\n', '\r', '=']) && !text.starts_with(['#', ';', '[']) && !text.ends_with('\\'))
}

fn is_separator(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.is_empty()
        && !text.contains(['\n', '\r']) && matches!(text.trim(), "=" | ":" | ""))
}

impl Ini {
    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create).verified(&self.verification)
    }

    fn place(&self) -> Place<'_> {
        Place {
            section: self.section.as_deref(),
            key: &self.key,
            separator: self.separator.as_deref().or(is_of_ssh(&self.file).then_some(" ")),
            ignore_case: self.ignores_case(),
        }
    }

    fn ignores_case(&self) -> bool {
        self.ignore_case.unwrap_or_else(|| is_of_ssh(&self.file))
    }
}

impl Claiming for Ini {
    /// Other keys may be edited in the same file, but only one resource may manage each key.
    fn add_claims(&self, claims: &mut Claims) {
        self.target().claim(claims);
        let spelled = |section| format!("[{}] ", section_spelling(section, self.ignores_case()));
        let section = self.section.as_deref().map(spelled).unwrap_or_default();
        let key = if self.ignores_case() { self.key.to_ascii_lowercase() } else { self.key.clone() };
        claims.hold(Claim::Other("key", format!("{section}{key} of {}", self.file).into()));
    }
}

impl Resource for Ini {
    /// White space would separate the key from a part of it, and sshd refuses `true` and `false`.
    fn validate(&self) -> Result<(), Problem> {
        let by_space = self.place().separator.is_some_and(|separator| separator.trim().is_empty());
        if let Some((key, _)) = self.key.split_once(char::is_whitespace).filter(|_| by_space) {
            let rule = format!("is `{}`, but white space separates key and value in this file", self.key);
            let fix = if is_of_ssh(&self.file) && begins_block(&self.key) {
                format!("write `section = {:?}`, and a key of this section as `key`", self.key)
            } else {
                format!("write `key = {key:?}`, and the rest in `value`")
            };
            return Err(Problem::new(None, rule, fix).inside("key"));
        }
        if !is_of_ssh(&self.file) {
            return Ok(());
        }
        let meant = |section| meant_line(section, self.file.as_ref()).map(|line| (section, line));
        if let Some((section, line)) = self.section.as_deref().and_then(meant) {
            let missing = if begins_block(section) {
                "`Match` needs a criterion"
            } else {
                "a section of this file is a whole line"
            };
            let rule = format!("is `{section}`, but {missing}");
            let fix = format!("write `section = {line:?}`");
            return Err(Problem::new(None, rule, fix).inside("section"));
        }
        let Some(declared) = self.value.get().and_then(IniValue::declared_bool) else { return Ok(()) };
        let word = if declared { "yes" } else { "no" };
        let rule = format!("is {declared}, which sshd does not read as a bool");
        Err(Problem::new(None, rule, format!("write `value = \"{word}\"`")).inside("value"))
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(table) = self.target().parsed(look)? else { return Ok(Found::Absent) };
        let lines = self.place().look(&table);
        Ok((!lines.is_empty()).then_some(IniState { value: IniValue::of_lines(lines) }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let values = goal(step).map_or(&[][..], |goal| goal.value.lines());
        self.target().rewrite(host, |old| self.place().put(old, values))
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target().previous(true)
    }
}

// The value of a key in an INI file.

/// The values of a key: one, several on lines of their own, or none.
#[derive(Clone, Debug)]
pub struct IniValue {
    lines: Vec<Option<String>>,
    /// A bool among the declared values, which not every program reads as such.
    declared_bool: Option<bool>,
}

impl IniValue {
    /// The values of a file.
    pub(crate) fn of_lines(lines: Vec<Option<String>>) -> Self {
        Self { lines, declared_bool: None }
    }

    /// The value of each line; none for a key without a value.
    pub(crate) fn lines(&self) -> &[Option<String>] {
        &self.lines
    }

    /// The first bool that was declared.
    pub(crate) fn declared_bool(&self) -> Option<bool> {
        self.declared_bool
    }
}

/// Equal lines: a file has no types.
impl PartialEq for IniValue {
    fn eq(&self, other: &Self) -> bool {
        self.lines == other.lines
    }
}

impl Eq for IniValue {}

impl Property for IniValue {
    const TYPE: &'static Type = &Type::Named {
        name: "INI value",
        doc: "a string, number or bool; a list for a key on several lines; null for a key without a value",
        example: r#""no""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let lines = match value {
            Value::Null => vec![None],
            Value::List(items) if items.is_empty() => {
                let fix = "to remove the key, set `action = \"remove\"`";
                return Err(Problem::new(Some(value), "must have at least one item", fix));
            }
            Value::List(items) => items.iter().map(|item| line(item).map(Some)).collect::<Result<_, _>>()?,
            one => vec![Some(line(one)?)],
        };
        let items = match value {
            Value::List(items) => &items[..],
            one => std::slice::from_ref(one),
        };
        let declared_bool =
            items.iter().find_map(|item| if let Value::Bool(bool) = item { Some(*bool) } else { None });
        Ok(IniValue { lines, declared_bool })
    }

    fn to_value(&self) -> Value {
        let text = |line: &Option<String>| Value::text(line.as_deref().unwrap_or_default());
        match &*self.lines {
            [None] => Value::Null,
            [one] => text(one),
            several => Value::list(several.iter().map(text)),
        }
    }
}

fn line(value: &Value) -> Result<String, Problem> {
    let text = match value {
        Value::Text(text) => text.to_string(),
        Value::Bool(bool) => bool.to_string(),
        Value::Int(int) => int.to_string(),
        Value::Float(float) => float.to_string(),
        other => {
            let rule = format!("must be a string, a number or a bool, not {}", other.type_name());
            return Err(Problem::new(Some(value), rule, "write it as a string"));
        }
    };
    let fault = match &*text {
        text if text.contains(['\n', '\r']) => "must be a single line",
        text if text.trim() != text => "must not begin or end with white space, which would be lost",
        text if text.ends_with('\\') => {
            "must not end with a backslash, which would continue on the next line"
        }
        _ => return Ok(text),
    };
    Err(Problem::new(Some(value), fault, "change it, or put it in quotes if the program supports them"))
}
