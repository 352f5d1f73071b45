//! Texts about resources that were applied, and are no longer declared.

use uphold::journal::LeftResource;

use crate::diagnostics::count;
use crate::{HintCommand, clean};

/// The number of resources that are listed; the others are counted.
const MOST_LISTED: usize = 10;

/// The sentence, and how to proceed; empty if there are none. `forget` is the command without an address.
pub(crate) fn text(left: &[LeftResource], forget: &HintCommand, verbose: bool) -> String {
    let Some(first) = left.first() else { return String::new() };
    let most = if verbose { usize::MAX } else { MOST_LISTED };
    let reasons: String = refusals(left).take(most).map(|reason| format!("  {reason}\n")).collect();
    format!(
        "{}\n{reasons}To remove one: a `removed` block with from = {} and destroy = true. To stop listing one: {}\n",
        sentence(left, most),
        clean(&first.address),
        forget.clone().word(&first.address),
    )
}

/// The resources that were to be removed, each with the reason why they were not.
pub(crate) fn refusals(left: &[LeftResource]) -> impl Iterator<Item = String> {
    left.iter().filter_map(|one| Some(format!("{}: {}", name(one), clean(one.refusal.as_ref()?))))
}

/// `2 resources are no longer declared, and were left unchanged: cron.backup, file.site (/srv/old)`.
pub(crate) fn sentence(left: &[LeftResource], most: usize) -> String {
    let (subject, verb) = (count(left.len(), "resource"), if left.len() == 1 { "is" } else { "are" });
    let left_verb = if left.len() == 1 { "was" } else { "were" };
    let names: Vec<String> = left.iter().take(most).map(name).collect();
    let more = left.len() - names.len();
    let more = if more > 0 { format!(" and {more} more; -v lists them all") } else { String::new() };
    format!("{subject} {verb} no longer declared and {left_verb} left unchanged: {}{more}", names.join(", "))
}

/// The address, and the identity if the address does not show it.
fn name(left: &LeftResource) -> String {
    let LeftResource { kind, identity, address, .. } = left;
    let is_shown = *address == format!("{kind}.{identity}")
        || address.ends_with(&format!("{kind}[{identity:?}]"))
        || address == identity;
    let name = if is_shown { address.clone() } else { format!("{address} ({identity})") };
    clean(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(kind: &str, identity: &str, address: &str) -> LeftResource {
        let (kind, identity, address) = (kind.into(), identity.into(), address.into());
        LeftResource { kind, identity, address, on_removal: None, refusal: None }
    }

    #[test]
    fn names_the_identity_unless_the_address_shows_it() {
        let all = [
            left("cron", "backup", "cron.backup"),
            left("file", "/srv/old", "file.site"),
            left("file", "/a", "module.web.file[\"/a\"]"),
        ];
        let expected = "3 resources are no longer declared and were left unchanged: \
                        cron.backup, file.site (/srv/old), module.web.file[\"/a\"]";
        assert_eq!(sentence(&all, 10), expected);
        let one = "1 resource is no longer declared and was left unchanged: cron.backup";
        assert_eq!(sentence(&all[..1], 10), one);
        assert!(sentence(&all, 1).ends_with(": cron.backup and 2 more; -v lists them all"));
    }
}
