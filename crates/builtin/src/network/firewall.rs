//! The kind `firewall`.

mod listing;
mod table;

use table::Table;
use uphold_kit::{machine, tool};
use uphold_resource::{
    Act, Claim, Claiming, Claims, Context, Found, Interest, Look, Problem, Property, Reading, Resource,
    Result, Seen, Step, Type, Value, Want, Watching, Wish,
};

pub use table::Family;

/// An nftables table with its chains, rules, sets and maps.
///
/// The whole table is managed: a rule that is added, changed or removed by hand is drift; it is shown as a text
/// diff and repaired. Other tables are not touched. Packet and byte counters are not compared.
///
/// Rules are written as in the files of `nft`, in any layout. To compare them, Uphold loads them in a separate
/// network namespace and asks the kernel for the result; so a plan finds every mistake in them and changes nothing.
/// A change replaces the whole table atomically: no packet meets a partial table, and if anything is wrong, nothing
/// changes. Counters are reset then.
///
/// Sets with `flags dynamic` or `flags timeout` are filled by rules or by other programs. Their elements are not
/// compared, and are kept when other parts of the table change.
///
/// ```hcl
/// firewall "web" {
///   ruleset = <<-NFT
///     chain input {
///       type filter hook input priority 0; policy drop;
///       iif "lo" accept
///       ct state established,related accept
///       tcp dport { 22, 80, 443 } accept
///     }
///   NFT
/// }
/// ```
///
/// The kernel loses its tables at a reboot. To load rules at boot, before Uphold runs, write them to a file of the
/// service `nftables`:
///
/// ```hcl
/// firewall "dns" {
///   ruleset = <<-NFT
///     chain input {
///       type filter hook input priority 0
///       udp dport 53 accept
///     }
///   NFT
/// }
///
/// file "/etc/nftables.conf" {
///   content = firewall.dns.script
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "firewall", also("nftables", "iptables", "firewalld", "ufw"), claims, interests)]
pub struct Firewall {
    /// Name of the table; defaults to the block's label.
    #[also("name")]
    #[name]
    #[pattern("^[A-Za-z_][A-Za-z0-9_./-]*$")]
    pub table: String,
    /// Address family: `"inet"` is IPv4 and IPv6.
    #[default(Family::Inet)]
    pub family: Family,
    /// Content of the table, in the syntax of `nft`.
    #[also("rules", "content", "chains")]
    #[required]
    pub ruleset: Want<Ruleset>,
    /// Script for `nft -f` that replaces the table by its current content.
    pub script: Seen<String>,
}

impl Resource for Firewall {
    /// Normalises the rules to the form in which the kernel lists them.
    fn prepare(&self, look: &Look<'_>) -> Result<FirewallWishes> {
        super::must_run("a firewall", look)?;
        let normal = match self.ruleset.get() {
            Some(ruleset) => self.table().normalised(ruleset.as_str(), look)?,
            None => None,
        };
        Ok(FirewallWishes { ruleset: normal.map_or(Wish::Declared, |normal| Wish::Set(normal.into())) })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if !machine::is_running(look)? {
            return Ok(Found::Absent);
        }
        let Some(inside) = self.table().read(look)? else { return Ok(Found::Absent) };
        let script = self.table().script(&inside);
        Ok(Found::This(FirewallState { ruleset: inside.into(), script }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } | Step::Update { goal, .. } => {
                self.table().replace(goal.ruleset.as_str(), host)
            }
            Step::Remove { .. } => self.table().delete(host),
        }
    }
}

impl Claiming for Firewall {
    /// Only one resource may manage a table. It depends on the package `nftables`.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("nftables table", self.table().to_string().into()));
        claims.need(Claim::Package("nftables".into()));
    }
}

/// The kernel reports every change of every table, so one program listens for all resources.
impl Watching for Firewall {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Lines(tool::command("nft", ["monitor"])));
    }
}

impl Firewall {
    fn table(&self) -> Table<'_> {
        Table { family: self.family, name: &self.table }
    }
}

// The content of a table.

/// Chains, rules, sets and other content of a table, in the syntax of `nft`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruleset(String);

impl Ruleset {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Property for Ruleset {
    const TYPE: &'static Type = String::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let first = text.split_whitespace().next();
        match first {
            Some("table" | "add" | "flush" | "delete" | "#!/usr/sbin/nft") => {
                let hint = "write only the text between its braces: `chain input { … }`";
                Err(Problem::new(Some(value), "is not the content of a table", hint))
            }
            _ => Ok(Ruleset(text)),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

impl From<String> for Ruleset {
    fn from(text: String) -> Self {
        Ruleset(text)
    }
}

impl From<&str> for Ruleset {
    fn from(text: &str) -> Self {
        Ruleset(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_only_the_content_of_a_table() {
        let check = |text: &str, fine: bool| {
            let decoded = Ruleset::from_value(&Value::text(text), &Context::NOTHING);
            assert_eq!(decoded.is_ok(), fine, "{text}");
        };
        check("", true);
        check("chain input { }", true);
        check("# table\nset s { type ipv4_addr; }", true);
        check("table inet web { }", false);
        check("\n  flush ruleset", false);
        check("add rule inet web input accept", false);
        check("#!/usr/sbin/nft -f\n", false);
    }
}
