//! A thousand users.

const SITE: &str = "/run/uphold-testbed/site";

/// They are created in one pass. The tests of the kinds count reads and show that each database is read once.
#[test]
fn a_thousand_users() {
    let Some(bed) = crate::binary::bed() else { return };
    let host = bed.plain("many");
    host.write(
        &format!("{SITE}/a.hcl"),
        r#"
        group "crowd" {}
        user "each" {
            for_each = range(1000)
            name     = "u${each.value}"
            group    = "crowd"
            comment  = "number ${each.value}"
            password = "$6$salt$hash${each.value}"
            create_home = false
        }
        "#,
    );
    let ran = host.uphold(&["apply", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
    assert_eq!(host.ok("grep -c '^u[0-9]*:' /etc/passwd").trim(), "1000");
    assert_eq!(host.ok("grep -c '^u[0-9]*:$6$salt$hash' /etc/shadow").trim(), "1000");
    let ran = host.uphold(&["plan", "a.hcl"]);
    assert_eq!(ran.status, 0, "{ran}");
}
