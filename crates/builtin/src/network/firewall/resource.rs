//! One table of nftables.

use uphold_resource::{
    Act, Claim, Claiming, Claims, Interest, Reading, Resource, Result, Seen, Step, Want, Watching,
};

use super::Ruleset;
use super::table::{Family, Table};
use crate::network::kernel;
use crate::{machine, tool};

/// One table of nftables, the kernel's firewall: its chains and rules, its sets and maps.
///
/// Everything in the table is held: a rule that somebody adds, changes or removes is a difference, shown as a difference of
/// text, and repaired. Other tables are left alone. Packets and bytes that were counted are no difference.
///
/// The rules are written as in `nft`'s own files, in any layout. To compare them, Uphold loads them in a network namespace of
/// their own and asks the kernel what it made of them; so a plan finds every mistake in them, and touches nothing. A change
/// replaces the whole table in one step: no packet meets half of it, and if anything is wrong, nothing changes. Counters
/// begin anew then.
///
/// Sets with `flags dynamic` or `flags timeout` are filled by rules or by other programs, and what is in them is no
/// difference. It stays there when other parts of the table change.
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
/// The kernel forgets its tables when the machine stops. For rules that are there before Uphold is, write them to a file
/// that is loaded by the service `nftables`:
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
    /// What the table is called; the block's label unless set.
    #[also("name")]
    #[name]
    #[pattern("^[A-Za-z_][A-Za-z0-9_./-]*$")]
    pub table: String,
    /// Which packets it sees: "inet" is IPv4 and IPv6.
    #[default(Family::Inet)]
    pub family: Family,
    /// What stands inside the table, as `nft` reads it.
    #[also("rules", "content", "chains")]
    #[required]
    pub ruleset: Want<Ruleset>,
    /// Text for `nft -f` that makes the table as it is, in place of one that is there.
    pub script: Seen<String>,
}

impl Resource for Firewall {
    /// Writes the rules as the kernel would list them.
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        kernel::must_run("a firewall", host)?;
        let Some(ruleset) = self.ruleset.get() else { return Ok(()) };
        if let Some(normal) = self.table().normal(ruleset.as_str(), host)? {
            self.ruleset = Want::of(normal);
        }
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<FirewallState>> {
        if !machine::is_running(host)? {
            return Ok(None);
        }
        let Some(inside) = self.table().read(host)? else { return Ok(None) };
        let script = self.table().script(&inside);
        Ok(Some(FirewallState { ruleset: inside.into(), script }))
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
    /// It holds its table alone, and stands on the package that brings `nft`.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("nftables table", self.table().to_string().into()));
        claims.need(Claim::Package("nftables".into()));
    }
}

/// The kernel tells of every change to every table: one program listens for all.
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
