//! One key of an INI file that something else owns.

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Reading, Resource, Result, Step, Value, Want,
};

use super::edit::Place;
use super::values::IniValue;
use crate::edited_file::EditedFile;

/// One key of an INI file that something else owns: systemd, Git, PHP, MySQL and their like.
///
/// The rest of the file stays to the byte: order, comments, line ends, and how the line itself is written up to its
/// value. A value is all that follows in its line, quotes and comments included, and goes on behind a backslash at the
/// end. A new key goes behind a line that has it in a comment, else to the end of its section, which is made if it is
/// missing. What a `line` resource keeps between its markers is left alone. Several of them can stand on one file; they are applied in written order, and two for one key are refused.
///
/// Removing it removes every line of the key in its section. The section stays.
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
/// With `separator = " "` it also edits the files of ssh. There, lines such as `Match User ann` and `Host *` begin
/// sections, which are named by the whole line: a key without a section goes before the first of them.
///
/// ```hcl
/// ini "no passwords" {
///   file      = "/etc/ssh/sshd_config"
///   key       = "PasswordAuthentication"
///   value     = "no"
///   separator = " "
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "ini", also("ini_file", "ini_setting", "inifile"), claims)]
pub struct Ini {
    /// What it is called.
    #[name]
    pub name: String,
    /// The file that it is in.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// The section that it is in, without brackets; what stands before all sections unless set. In a file of ssh the line that
    /// begins it, such as "Match User ann".
    #[check(is_section, "must be a name without brackets around it")]
    pub section: Option<String>,
    /// The key.
    #[also("option", "setting")]
    #[check(is_key, "must be a key: one line, without `=`, and no comment or header")]
    #[required]
    pub key: String,
    /// The value: text, a number or a bool. A list for a key that stands in several lines; null for one that stands alone.
    #[also("values")]
    #[required]
    pub value: Want<IniValue>,
    /// What is put between a new key and its value; as the neighbours have it unless set, else ` = `. Keys are told from
    /// values by its sign: `=`, `:`, or white space if it is nothing else.
    #[also("key_val_separator")]
    #[check(is_separator, "must be `=`, `:` or white space, with or without white space around it")]
    pub separator: Option<String>,
    /// Whether the file is created if it does not exist: with mode 0644, or 0600 if a secret is put into it. If packages
    /// are still to be installed, they come first: one of them may bring the file.
    #[default(false)]
    pub create: bool,
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
        EditedFile::named(&self.file, self.create)
    }

    fn place(&self) -> Place<'_> {
        Place { section: self.section.as_deref(), key: &self.key, separator: self.separator.as_deref() }
    }
}

impl Claiming for Ini {
    /// It changes a part of its file, as others may do, and holds one key of it alone.
    fn add_claims(&self, claims: &mut Claims) {
        self.target().claim(claims);
        let section = self.section.as_ref().map_or(String::new(), |section| format!("[{section}] "));
        claims.hold(Claim::Other("key", format!("{section}{} of {}", self.key, self.file).into()));
    }
}

impl Resource for Ini {
    fn load(&self, host: &Reading<'_>) -> Result<Option<IniState>> {
        let Some(table) = self.target().parsed(host)? else { return Ok(None) };
        let lines = self.place().look(&table);
        Ok((!lines.is_empty()).then_some(IniState { value: IniValue(lines) }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let values: &[Option<String>] = match step {
            Step::Create { goal } | Step::Update { goal, .. } => goal.value.lines(),
            Step::Remove { .. } => &[],
        };
        self.target().rewrite(host, |old| self.place().put(old, values))
    }
}
