//! Reading, testing and loading an nftables table.

use std::fmt;

use uphold_kit::tool;
use uphold_resource::{Act, Command, Error, ErrorKind, Level, Output, Property, Reading, Result};

use super::listing;

/// Loads a ruleset in the current network namespace, which ends with the shell, and lists it. A rule can refer to a
/// link by its index, so links of the same names are created, of a type that this kernel supports.
const TEST_SCRIPT: &str = r#"
text=$(cat)
for link in /sys/class/net/*; do
    link=${link##*/}
    case $text in *"$link"*)
        for type in dummy ifb bridge veth; do ip link add "$link" type $type 2>/dev/null && break; done
    esac
done
printf '%s\n' "$text" | nft -f - && nft -s list ruleset
"#;

/// The exit status of a shell if a program does not exist.
const NO_PROGRAM: uphold_resource::Exit = uphold_resource::Exit::Code(127);

/// The address family of a table.
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
    /// Frames that a bridge forwards.
    Bridge,
    /// Packets that arrive at a device.
    Netdev,
}

/// The name in the syntax of `nft`.
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
    /// The content without elements that change by themselves; none if the table does not exist.
    pub(super) fn read(&self, host: &Reading<'_>) -> Result<Option<String>> {
        let what = format!("cannot list the table {self}");
        let command = tool::command("nft", ["-s", "list", "table", &self.family.to_string(), self.name]);
        let output = match host.probe(&command) {
            Err(error) if error.kind() == ErrorKind::Missing => return Ok(None),
            output => output.map_err(|error| error.while_(&what))?,
        };
        if !output.success() {
            let is_missing = text(&output.stderr).contains("No such file or directory");
            return if is_missing { Ok(None) } else { Err(crate::network::refusal(&output, "nft", &what)) };
        }
        let listing = listing::without_dynamic(&text(&output.stdout));
        let inside = listing::inside(&listing, &self.to_string());
        inside.map(Some).ok_or_else(|| Error::failed(what).because("nft printed an unexpected listing"))
    }

    /// `ruleset` as the kernel would list it, tested in a separate network namespace, so that the rules of this
    /// machine do not change. None if `nft` is not installed yet.
    ///
    /// # Errors
    /// If it cannot be loaded.
    pub(super) fn normalised(&self, ruleset: &str, host: &Reading<'_>) -> Result<Option<String>> {
        let what = format!("the ruleset of the table {self} cannot be loaded");
        let trial = tool::command("unshare", ["--net", "--", "sh", "-c", TEST_SCRIPT]);
        // The user's first line stays the first, so that the line numbers of `nft` match.
        let stdin = format!("table {self} {{ {ruleset}\n}}\n");
        let output = host.probe(&Command { stdin: Some(stdin.into()), ..trial });
        let output = output.map_err(|error| error.while_(&what))?;
        if output.exit == NO_PROGRAM {
            host.report(
                Level::Warning,
                "cannot check the ruleset: nft is not installed yet (package nftables)",
            );
            return Ok(None);
        }
        if !output.success() {
            return Err(explained(&output, &what));
        }
        self.only(&text(&output.stdout), what).map(Some)
    }

    /// The content of the listing, if it has only this table and no dynamic elements.
    fn only(&self, listed: &str, what: String) -> Result<String> {
        let invalid =
            |why: String, hint: &str| Err(Error::new(ErrorKind::Invalid, what).because(why).hint(hint));
        if let Some(set) = listing::first_dynamic_set(listed) {
            let why = format!("elements of the set `{set}` change by themselves, so they cannot be managed");
            return invalid(why, "remove its elements, or remove the flags `dynamic` and `timeout`");
        }
        match listing::inside(listed, &self.to_string()) {
            Some(inside) => Ok(inside),
            None => invalid(
                "it also creates other tables, or closes its own one".to_owned(),
                "write only the content of this table, and declare other tables as `firewall` resources",
            ),
        }
    }

    /// A script for `nft -f` that replaces the table atomically.
    pub(super) fn script(&self, inside: &str) -> String {
        format!("table {self}\ndelete table {self}\ntable {self} {{\n{}}}\n", deeper(inside))
    }

    /// Replaces the table atomically. Elements that rules added to sets are kept.
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

    /// Removes the table with its content.
    pub(super) fn delete(&self, host: &Act<'_>) -> Result<()> {
        self.load(&format!("delete table {self}\n"), host)
    }

    fn load(&self, script: &str, host: &Act<'_>) -> Result<()> {
        let command = tool::command("nft", ["-f", "-"]);
        let what = format!("cannot change the table {self}");
        crate::network::change(&Command { stdin: Some(script.into()), ..command }, &what, host)
    }
}

/// The error for a ruleset that could not be tested.
fn explained(output: &Output, what: &str) -> Error {
    let printed = text(&output.stderr);
    let has_no_network = printed.starts_with("unshare:");
    let error = crate::network::refusal(output, if has_no_network { "unshare" } else { "nft" }, what);
    if printed.contains("Interface does not exist") {
        return error.hint("use `iifname` or `oifname` for a link that may be missing");
    }
    if has_no_network {
        return error.hint("rules are tested in a network namespace: run Uphold as root, with CAP_SYS_ADMIN");
    }
    error
}

fn deeper(inside: &str) -> String {
    inside.lines().map(|line| if line.is_empty() { "\n".to_owned() } else { format!("\t{line}\n") }).collect()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
