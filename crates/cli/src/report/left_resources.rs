//! Texts about resources that were applied, and are no longer declared.

use uphold::journal::{BlockRemoval, LeftResource};

use crate::diagnostics::count;
use crate::{HintCommand, clean};

/// The number of resources that are listed; the others are counted.
const MOST_LISTED: usize = 10;

/// The sentence, the reasons, and how to proceed; empty if there are none. `forget` is the command without an address.
pub(crate) fn text(left: &[LeftResource], forget: &HintCommand, verbose: bool) -> String {
    let Some(first) = left.first() else { return String::new() };
    let most = if verbose { usize::MAX } else { MOST_LISTED };
    let reasons = refusals(left).chain(obstacles(left)).take(most);
    let reasons: String = reasons.map(|reason| format!("  {reason}\n")).collect();
    let (removal, forgotten, listed) = match removable(left) {
        Some(one) => {
            let from = clean(&one.address);
            let block = format!("a `removed` block with from = {from} and destroy = true");
            (format!("To remove {}: {block}. ", name(one)), one, "it")
        }
        None => (String::new(), first, "one"),
    };
    let forget = forget.clone().word(&forgotten.address);
    // Only an apply records that it is no longer declared.
    let first = if forgotten.is_new { ", after an apply" } else { "" };
    format!("{}\n{reasons}{removal}To stop listing {listed}{first}: {forget}\n", sentence(left, most))
}

/// The first resource that a `removed` block would remove: the content of a directory comes before it.
fn removable(left: &[LeftResource]) -> Option<&LeftResource> {
    let works = left.iter().filter_map(|one| match one.block_removal {
        Some(BlockRemoval::Works(order)) => Some((order, one)),
        _ => None,
    });
    works.min_by_key(|(order, _)| *order).map(|(_, one)| one)
}

/// The kept resources that no `removed` block would remove, each with the reason.
fn obstacles(left: &[LeftResource]) -> impl Iterator<Item = String> {
    left.iter().filter_map(|one| match &one.block_removal {
        Some(BlockRemoval::Fails(reason)) => {
            Some(format!("{}: no `removed` block would remove it: {}", name(one), clean(reason)))
        }
        _ => None,
    })
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
    use clap::Parser;

    use super::*;
    use crate::Flags;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    fn left(kind: &str, identity: &str, address: &str) -> LeftResource {
        let (kind, identity, address) = (kind.into(), identity.into(), address.into());
        LeftResource {
            kind,
            identity,
            address,
            on_removal: None,
            refusal: None,
            is_new: false,
            block_removal: None,
        }
    }

    #[test]
    fn names_the_first_that_can_be_removed_and_why_others_cannot() {
        let order = |order, one| LeftResource { block_removal: Some(BlockRemoval::Works(order)), ..one };
        let fails = LeftResource {
            block_removal: Some(BlockRemoval::Fails("a sysctl cannot be removed".into())),
            ..left("sysctl", "kernel.panic", "sysctl[\"kernel.panic\"]")
        };
        let all = [
            order(1, left("directory", "/srv/a", "directory[\"/srv/a\"]")),
            fails.clone(),
            order(0, left("file", "/srv/a/b", "file[\"/srv/a/b\"]")),
        ];
        let forget = Line::parse_from(["uphold"]).flags.command("forget");
        let whole = text(&all, &forget, false);
        let rest: String = whole.split_inclusive('\n').skip(1).collect();
        let reason =
            "  sysctl[\"kernel.panic\"]: no `removed` block would remove it: a sysctl cannot be removed\n";
        assert_eq!(
            rest,
            format!(
                "{reason}To remove file[\"/srv/a/b\"]: a `removed` block with from = file[\"/srv/a/b\"] and destroy = true. \
                 To stop listing it: uphold forget 'file[\"/srv/a/b\"]'\n"
            )
        );
        let only = text(&[fails], &forget, false);
        assert!(only.contains(reason) && !only.contains("To remove"), "{only}");
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
