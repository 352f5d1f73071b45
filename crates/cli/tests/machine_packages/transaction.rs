//! Many packages in one transaction.

use uphold_testbed::Package;

use super::sandbox::Sandbox;

#[test]
fn fifty_packages_are_one_transaction() {
    let names: Vec<String> = (0..50).map(|number| format!("small{number}")).collect();
    let packages: Vec<Package> = names.iter().map(|name| Package::new(name, "1")).collect();
    let Some(sandbox) = Sandbox::new("fifty", &packages) else { return };
    let configuration = r#"package "many" {
        for_each = toset([for number in range(50) : "small${number}"])
        name     = each.value
    }"#;
    let (code, printed) = sandbox.apply(configuration);
    assert_eq!((code, sandbox.transactions()), (0, 1), "{printed}");
    assert_eq!(sandbox.ok("dpkg-query -W 'small*' | wc -l").trim(), "50");
    let (code, printed) = sandbox.apply(configuration);
    assert_eq!((code, sandbox.transactions()), (0, 1), "{printed}");
}

#[test]
fn all_package_changes_are_one_transaction() {
    let two = |name: &str| [Package::new(name, "1.0"), Package::new(name, "1.10")];
    let packages = ["new", "up", "down", "gone", "held", "freed", "plain"].map(two).concat();
    let Some(sandbox) = Sandbox::new("together", &packages) else { return };
    sandbox.ok("apt-get install -y up=1.0 down gone held=1.0 freed plain; apt-mark hold held freed; apt-mark auto plain");
    sandbox.ok("rm /var/log/apt/history.log");
    let (code, printed) = sandbox.apply(
        r#"
        package "new" { hold = true }
        package "up" { version = "latest" }
        package "down" {
            version         = "1.0"
            allow_downgrade = true
        }
        package "gone" { action = "remove" }
        package "held" {
            version = "1.10"
            hold    = true
        }
        package "freed" { hold = false }
        package "plain" {}
        "#,
    );
    assert_eq!((code, sandbox.transactions()), (0, 1), "{printed}");
    let versions = ["new", "up", "down", "gone", "held", "freed"].map(|name| sandbox.version(name));
    assert_eq!(versions, ["1.10", "1.10", "1.0", "", "1.10", "1.10"]);
    assert_eq!(sandbox.ok("apt-mark showhold"), "held\nnew\n");
    assert_eq!(sandbox.ok("apt-mark showauto plain"), "");
}
