//! `optional(…)` with values that are known during the run only.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::sandbox::Sandbox;

/// The result of a query, if any, is the mode of a file; without one, the mode stays unset.
const SITE: &str = r#"
query "mode" { query = "cat mode.json" }
locals { mode = jsondecode(query.mode.value) }
file "plain" {
  path    = "${path.cwd}/plain"
  content = "x"
  mode    = optional(local.mode)
}
file "edited" {
  path    = "${path.cwd}/edited"
  content = "x"
  mode    = "0604"
}
edit "file" "edited" { mode = optional(local.mode) }
module "wrapped" {
  source = "./inner"
  mode   = optional(local.mode)
}
"#;

const WRAPPED: &str = r#"
param "mode" { default = "0640" }
file "wrapped" {
  path    = "${path.cwd}/wrapped"
  content = "x"
  mode    = param.mode
}
"#;

#[test]
fn a_deferred_null_leaves_the_property_unset() {
    let check = |found: &str, expected: [u32; 3]| {
        let sandbox = Sandbox::with(SITE);
        sandbox.write("mode.json", found);
        fs::create_dir(sandbox.path("inner")).expect("a folder");
        sandbox.write("inner/main.hcl", WRAPPED);
        let ran = sandbox.run(&["apply", "site.hcl"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
        let modes = ["plain", "edited", "wrapped"].map(|name| mode(&sandbox.path(name)));
        assert_eq!(modes, expected, "{found}");
    };
    check("null", [0o644, 0o604, 0o640]);
    check("\"0600\"", [0o600, 0o600, 0o600]);
}

#[test]
fn a_plain_null_is_refused_with_a_hint() {
    let sandbox =
        Sandbox::with("param \"owner\" { required = false }\nfile \"/x\" { owner = param.owner }\n");
    let ran = sandbox.run(&["validate", "site.hcl"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("`owner` cannot be null"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("`optional(…)` around the value, which leaves it unset if it is null"),
        "{}",
        ran.stderr
    );
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("a file").permissions().mode() & 0o7777
}
