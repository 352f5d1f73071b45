//! The kind `hostname`.

use std::fmt;
use std::path::{Path, PathBuf};

use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::{machine, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, Context, ErrorKind, Found, Interest, Look, Parsed, Previous, Problem,
    Property, Reading, Resource, Result, Step, Type, Value, Want, Watching, Wish,
};

use super::assignments;
use super::assignments::Assignments;

/// The file with the name.
const HOSTNAME: &str = "/etc/hostname";
/// The kernel's name.
const KERNEL: &str = "/proc/sys/kernel/hostname";
/// The file and variable of the pretty name.
const MACHINE_INFO: &str = "/etc/machine-info";
const PRETTY: &str = "PRETTY_HOSTNAME";

/// The host name of the machine, now and at boot.
///
/// The label is the name. Manages both the kernel's name (`runtime`) and `/etc/hostname` (`persistent`); with
/// `--root`, only the file. A machine has one name: a second `hostname` is refused, and it cannot be removed.
///
/// ```hcl
/// hostname "web1.example.org" {
///   in_hosts = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "hostname", claims, interests, permanent)]
pub struct Hostname {
    /// Host name, with or without the domain; defaults to the block's label.
    #[also("hostname")]
    #[name]
    pub name: MachineName,
    /// Name of the running kernel. Defaults to `name`.
    #[also("transient_hostname")]
    pub runtime: Want<MachineName>,
    /// Name in `/etc/hostname`. Defaults to `name`.
    #[also("static_hostname")]
    pub persistent: Want<MachineName>,
    /// Pretty name, which may contain spaces, in `/etc/machine-info`; null for none.
    #[also("pretty_hostname")]
    #[check(is_one_line, "must be a single line")]
    pub pretty: Want<Option<String>>,
    /// Whether `/etc/hosts` maps the name, with and without its domain, to 127.0.1.1.
    #[also("fqdn", "aliases")]
    pub in_hosts: Want<bool>,
}

fn is_one_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.chars().any(char::is_control))
}

impl Resource for Hostname {
    fn prepare(&self, look: &Look<'_>) -> Result<HostnameWishes> {
        let runtime = if self.runtime.is_set() {
            machine::must_run("setting `runtime`", "remove it when you build an image", look)?;
            Wish::Declared
        } else if machine::is_running(look)? {
            Wish::Set(self.name.clone())
        } else {
            Wish::Declared
        };
        let persistent = if self.persistent.is_set() { Wish::Declared } else { Wish::Set(self.name.clone()) };
        Ok(HostnameWishes { runtime, persistent, ..HostnameWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let info = look.parsed::<Assignments>(Path::new(MACHINE_INFO))?;
        let own = look.parsed::<OwnNames>(Path::new(HOSTS))?;
        Ok(Found::This(HostnameState {
            runtime: read_name(KERNEL, look)?,
            persistent: read_name(HOSTNAME, look)?,
            pretty: info.and_then(|info| info.get(PRETTY).map(ToOwned::to_owned)),
            in_hosts: own.is_some_and(|own| own.are(&self.name)),
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else { return Ok(()) };
        if let Some(delta) = &change.persistent {
            let is_any = |line: &[u8]| !line.starts_with(b"#");
            EditedFile::of_system(Path::new(HOSTNAME)).rewrite_lines(host, |file| {
                file.put(delta.to.to_string(), is_any);
            })?;
        }
        if let Some(delta) = &change.pretty {
            let pretty = delta.to.as_deref();
            EditedFile::of_system(Path::new(MACHINE_INFO)).or_nothing().rewrite_lines(host, |file| {
                assignments::assign(file, PRETTY, pretty);
            })?;
        }
        if let Some(delta) = &change.in_hosts {
            let name = delta.to.then_some(&self.name);
            EditedFile::of_system(Path::new(HOSTS)).rewrite_lines(host, |table| put(table, name))?;
        }
        match &change.runtime {
            Some(delta) => rename(&delta.to, host),
            None => Ok(()),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        match step {
            Step::Update { current, .. }
                if [&current.runtime, &current.persistent]
                    .iter()
                    .any(|name| name.to_value() == Value::text("")) =>
            {
                Previous::none("no name was set before")
            }
            // Undeclared, they would be set to its name.
            Step::Update { current, .. } => Previous::VALUES
                .with("runtime", current.runtime.to_value())
                .with("persistent", current.persistent.to_value()),
            _ => Previous::VALUES,
        }
    }
}

impl Claiming for Hostname {
    /// A machine has only one host name.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("the", "host name".into()));
        claims.hold(Claim::Path(PathBuf::from(HOSTNAME)));
        claims.edit(Claim::Path(PathBuf::from(MACHINE_INFO)));
        claims.edit(Claim::Path(PathBuf::from(HOSTS)));
    }
}

impl Watching for Hostname {
    /// There are no events for changes of the kernel's name.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        let files = [HOSTNAME, MACHINE_INFO, HOSTS, KERNEL];
        interests.extend(files.map(|path| Interest::Path(PathBuf::from(path))));
        interests.push(Interest::Interval(machine::LIVE));
    }
}

/// The first line that is not a comment; empty if the file does not exist.
fn read_name(path: &str, host: &Reading<'_>) -> Result<MachineName> {
    let path = Path::new(path);
    let Some(entry) = host.files().look(path)? else { return Ok(MachineName::found("")) };
    let content = host.files().read(path, entry.size)?;
    let text = String::from_utf8_lossy(&content);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(MachineName::found(line.unwrap_or_default()))
}

/// Sets the kernel's name, with the program that is installed.
fn rename(name: &MachineName, host: &Act<'_>) -> Result<()> {
    let what = format!("cannot set the host name of the running system to {name}");
    match tool::run(&tool::command("hostname", [name.as_str()]), &what, host) {
        Err(error) if error.kind() == ErrorKind::Missing => {
            let other = tool::command("hostnamectl", ["--transient", "set-hostname", name.as_str()]);
            tool::run(&other, &what, host).map(drop)
        }
        done => done.map(drop),
    }
}

// The machine's own line in `/etc/hosts`.

/// The path of the table.
const HOSTS: &str = "/etc/hosts";

/// The address of a machine without a fixed one, by the convention of Debian.
const OWN: &str = "127.0.1.1";

/// The machine's names in the table; empty if there is no such line.
struct OwnNames(Vec<String>);

impl Parsed for OwnNames {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').find_map(own_names).unwrap_or_default()))
    }
}

impl OwnNames {
    /// Whether the names are this name and its short form.
    fn are(&self, name: &MachineName) -> bool {
        self.0.first().is_some_and(|first| first == name.as_str())
            && self.0.iter().any(|found| found == name.short())
    }
}

fn own_names(line: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(line);
    let mut words = text.split('#').next()?.split_whitespace();
    words.next().filter(|address| *address == OWN)?;
    Some(words.map(ToOwned::to_owned).collect())
}

/// Sets the machine's own line, or removes it.
fn put(table: &mut Document<'_>, name: Option<&MachineName>) {
    let is_own = |line: &[u8]| own_names(line).is_some();
    let Some(name) = name else { return table.retain(|line| !is_own(line)) };
    let mut line = format!("{OWN}\t{name}");
    if name.short() != name.as_str() {
        line.push_str(&format!(" {}", name.short()));
    }
    table.put(line, is_own);
}

// Host names.

/// The maximum length of the kernel.
const LONGEST: usize = 64;

/// The maximum length of a part between dots.
const LONGEST_PART: usize = 63;

/// A host name, with or without its domain: letters, digits, dashes, and dots between parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineName(String);

impl MachineName {
    /// An existing name, valid or not.
    fn found(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the first dot.
    fn short(&self) -> &str {
        self.0.split('.').next().unwrap_or(&self.0)
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '-';
        !part.is_empty()
            && part.len() <= LONGEST_PART
            && part.chars().all(is_letter)
            && !part.starts_with('-')
            && !part.ends_with('-')
    };
    text.len() <= LONGEST && text.split('.').all(is_part)
}

impl fmt::Display for MachineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for MachineName {
    const TYPE: &'static Type = &Type::Named {
        name: "machine name",
        doc: "a host name, with or without its domain",
        example: r#""web1.example.org""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        if is_name(&text) {
            return Ok(Self(text));
        }
        let fix = "use letters, digits and dashes, with dots between parts, and at most 64 characters";
        Err(Problem::new(Some(value), "is not a valid host name", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

#[cfg(test)]
mod hosts_tests {
    use super::*;

    #[test]
    fn finds_and_replaces_the_own_line() {
        let check = |before: &str, name: &str, expected: bool, after: &str| {
            let name = MachineName::found(name);
            let found = OwnNames::parse(before.as_bytes()).expect("it parses");
            assert_eq!(found.are(&name), expected, "{before}");
            let mut table = Document::new(before.as_bytes());
            put(&mut table, Some(&name));
            assert_eq!(String::from_utf8_lossy(&table.content()), after);
        };
        check("", "web1", false, "127.0.1.1\tweb1\n");
        check(
            "127.0.0.1 localhost\n127.0.1.1 old\n",
            "web1.example.org",
            false,
            "127.0.0.1 localhost\n127.0.1.1\tweb1.example.org web1\n",
        );
        check(
            "127.0.1.1\tweb1.example.org web1\n",
            "web1.example.org",
            true,
            "127.0.1.1\tweb1.example.org web1\n",
        );
        check("#127.0.1.1 web1\n", "web1", false, "#127.0.1.1 web1\n127.0.1.1\tweb1\n");
    }
}

#[cfg(test)]
mod name_tests {
    use super::*;

    #[test]
    fn checks_names() {
        for good in ["web1", "web-1.example.org", "a", &"x".repeat(63)] {
            assert!(is_name(good), "{good}");
        }
        for wrong in ["", "-a", "a-", "a..b", "a.", "a b", "a_b", "ä", &"x".repeat(64), &"x.".repeat(33)] {
            assert!(!is_name(wrong), "{wrong}");
        }
    }
}
