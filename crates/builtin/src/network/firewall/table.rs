//! A table of nftables: asking for it, trying it, and loading it.

use std::fmt;

use uphold_resource::{Act, Command, Error, ErrorKind, Level, Output, Property, Reading, Result};

use super::listing;
use crate::network::kernel;
use crate::tool;

/// Loads a ruleset in a network of its own, which ends with the shell, and lists it. A rule can name a link by its number, so
/// there is a link of that name, too, of a type
/// that this kernel knows.
const TRIAL: &str = r#"
text=$(cat)
for link in /sys/class/net/*; do
    link=${link##*/}
    case $text in *"$link"*)
        for type in dummy ifb bridge veth; do ip link add "$link" type $type 2>/dev/null && break; done
    esac
done
printf '%s\n' "$text" | nft -f - && nft -s list ruleset
"#;

/// What a shell ends with if there is no such program.
const NO_PROGRAM: uphold_resource::Exit = uphold_resource::Exit::Code(127);

/// Which packets a table sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Family {
    /// IPv4 and IPv6.
    Inet,
    /// IPv4.
    Ip,
    /// IPv6.
    Ip6,
    /// ARP.
    Arp,
    /// What a bridge forwards.
    Bridge,
    /// Whatever comes in at a device.
    Netdev,
}

/// As `nft` calls it.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Inet => "inet",
            Family::Ip => "ip",
            Family::Ip6 => "ip6",
            Family::Arp => "arp",
            Family::Bridge => "bridge",
            Family::Netdev => "netdev",
        })
    }
}

/// A table, by its family and name.
pub(super) struct Table<'a> {
    pub(super) family: Family,
    pub(super) name: &'a str,
}

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.family, self.name)
    }
}

impl Table<'_> {
    /// What is inside, without what changes by itself; none if there is no such table.
    pub(super) fn read(&self, host: &Reading<'_>) -> Result<Option<String>> {
        let what = format!("cannot list the table {self}");
        let command = tool::command("nft", ["-s", "list", "table", &self.family.to_string(), self.name]);
        let output = match host.probe(&command) {
            Err(error) if error.kind() == ErrorKind::Missing => return Ok(None),
            output => output.map_err(|error| error.while_(&what))?,
        };
        if !output.success() {
            let is_missing = text(&output.stderr).contains("No such file or directory");
            return if is_missing { Ok(None) } else { Err(kernel::refusal(&output, "nft", &what)) };
        }
        let listing = listing::steady(&text(&output.stdout));
        let inside = listing::inside(&listing, &self.to_string());
        inside.map(Some).ok_or_else(|| Error::failed(what).because("nft listed something else"))
    }

    /// `ruleset` as the kernel would list it, found out in a network of its own: this machine's rules stay as they are. None
    /// if `nft` is not installed yet.
    ///
    /// # Errors
    /// If it cannot be loaded: nothing of it would be loaded then.
    pub(super) fn normal(&self, ruleset: &str, host: &Reading<'_>) -> Result<Option<String>> {
        let what = format!("the ruleset of the table {self} cannot be loaded");
        let trial = tool::command("unshare", ["--net", "--", "sh", "-c", TRIAL]);
        // The user's first line stays the first, so that `nft` counts lines as the user does.
        let stdin = format!("table {self} {{ {ruleset}\n}}\n");
        let output = host.probe(&Command { stdin: Some(stdin.into()), ..trial });
        let output = output.map_err(|error| error.while_(&what))?;
        if output.exit == NO_PROGRAM {
            host.report(Level::Warning, "nft is not there yet: the package nftables has it");
            return Ok(None);
        }
        if !output.success() {
            return Err(explained(&output, &what));
        }
        self.only(&text(&output.stdout), what).map(Some)
    }

    /// The inside of the listing, if there is nothing but this table, and it stays as it is.
    fn only(&self, listed: &str, what: String) -> Result<String> {
        let invalid =
            |why: String, hint: &str| Err(Error::new(ErrorKind::Invalid, what).because(why).hint(hint));
        if let Some(set) = listing::passing_elements(listed) {
            let why =
                format!("elements of the set `{set}` come and go by themselves, so they cannot be held");
            return invalid(why, "leave its elements out, or leave out `dynamic`, `timeout` and its flags");
        }
        match listing::inside(listed, &self.to_string()) {
            Some(inside) => Ok(inside),
            None => invalid(
                "it makes other tables, too, or ends its own one".to_owned(),
                "write what stands inside the table, and other tables as resources of their own",
            ),
        }
    }

    /// Text for `nft -f` that puts the table with this inside in place of what is there, all at once.
    pub(super) fn script(&self, inside: &str) -> String {
        format!("table {self}\ndelete table {self}\ntable {self} {{\n{}}}\n", deeper(inside))
    }

    /// Replaces what is there, all at once: no packet meets half a table. What rules have put into sets stays there.
    pub(super) fn replace(&self, inside: &str, host: &Act<'_>) -> Result<()> {
        let script = self.script(inside);
        let command = tool::command("nft", ["list", "table", &self.family.to_string(), self.name]);
        let found = host.probe(&command).map(|output| text(&output.stdout)).unwrap_or_default();
        let kept = listing::with_elements_of(&script, &found);
        if kept != script && self.load(&kept, host).is_ok() {
            return Ok(());
        }
        self.load(&script, host).map_err(|error| match error.kind() {
            ErrorKind::Missing => error.hint("install the package nftables"),
            _ => error,
        })
    }

    /// Removes the table with all that is inside.
    pub(super) fn delete(&self, host: &Act<'_>) -> Result<()> {
        self.load(&format!("delete table {self}\n"), host)
    }

    fn load(&self, script: &str, host: &Act<'_>) -> Result<()> {
        let command = tool::command("nft", ["-f", "-"]);
        let what = format!("cannot change the table {self}");
        kernel::change(&Command { stdin: Some(script.into()), ..command }, &what, host)
    }
}

/// Why a ruleset could not be tried.
fn explained(output: &Output, what: &str) -> Error {
    let said = text(&output.stderr);
    let has_no_network = said.starts_with("unshare:");
    let error = kernel::refusal(output, if has_no_network { "unshare" } else { "nft" }, what);
    if said.contains("Interface does not exist") {
        return error.hint("name a link that may be missing with `iifname` or `oifname`");
    }
    if has_no_network {
        return error.hint("Uphold tries rules in a network namespace: run it as root, with CAP_SYS_ADMIN");
    }
    error
}

fn deeper(inside: &str) -> String {
    inside.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("\t{line}\n") }).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
