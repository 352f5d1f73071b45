//! The examples of the reference pages.

/// The pages with the examples.
const PAGES: [&str; 5] = [
    include_str!("../../../../docs/reference/kinds/authorized_key.md"),
    include_str!("../../../../docs/reference/kinds/cron.md"),
    include_str!("../../../../docs/reference/kinds/group.md"),
    include_str!("../../../../docs/reference/kinds/sudo.md"),
    include_str!("../../../../docs/reference/kinds/user.md"),
];

/// All of them can be applied together on one host, and then nothing is left to do.
#[test]
fn examples_can_be_applied() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("examples");
    let examples: Vec<&str> = PAGES.iter().flat_map(|page| examples(page)).collect();
    assert!(examples.len() >= PAGES.len(), "each page has one: {examples:?}");
    host.write("/run/uphold-testbed/site/a.hcl", &examples.concat());
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    let ran = host.uphold(&["plan", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
}

fn examples(page: &str) -> Vec<&str> {
    page.split("```hcl\n").skip(1).filter_map(|rest| rest.split("```").next()).collect()
}
