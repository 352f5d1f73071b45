//! Facts about packages that the tests of other systems pin down, by their ids.

use std::time::Duration;

use uphold_builtin::{Package, Version};
use uphold_resource::{
    Act, Batch, Desired, ErrorKind, Found, Look, Properties, Property, Resource, Result, Step, Value, Want,
};
use uphold_testkit::MemoryHost;

use super::apt::{machine, paragraph, transactions};

fn package(name: &str, version: Option<&str>) -> Package {
    let version =
        version.map(|text| Version::from_value(&Value::text(text), &uphold_resource::Context::NOTHING));
    let version = version.map_or(Want::Unset, |version| Want::Set(version.expect("a version")));
    Package { version, ..Package::named(name).expect("a name") }
}

/// Converges as the engine would, and returns the differences as `property: from -> to`.
fn converge(package: &Package, host: &Act<'_>) -> Result<Vec<String>> {
    let look = Look::to(Desired::Present, host);
    let package = package.complete(package.prepare(&look)?);
    let current = package.load(&look)?.state()?;
    let goal = package.goal(current.as_ref());
    let mut differences = Vec::new();
    package.differences(&goal, current.as_ref(), &mut differences);
    match &current {
        None => package.apply(Step::Create { goal: &goal }, host)?,
        Some(current) => {
            let change = package.change(&goal, current);
            if !Package::is_empty(&change) {
                package.apply(Step::Update { goal: &goal, change: &change, current }, host)?;
            }
        }
    }
    let shown = |side: &uphold_model::Side| side.value().map_or("nothing".to_owned(), ToString::to_string);
    Ok(differences
        .iter()
        .map(|d| format!("{}: {} -> {}", d.property, shown(&d.from), shown(&d.to)))
        .collect())
}

fn installed(name: &str, host: &MemoryHost) -> Option<String> {
    let state = Package::named(name)
        .expect("a name")
        .load(&Look::to_read(&host.act()))
        .and_then(Found::state)
        .expect("it loads")?;
    state.version.as_exact().map(str::to_owned)
}

/// The text of a plan is tested with the command line; a plan shows a declared version.
#[test]
fn pkg_01_a_missing_package_gets_the_candidate() {
    let host = machine(MemoryHost::new());
    converge(&package("nginx", None), &host.act()).expect("it is installed");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.10"));
    assert_eq!(transactions(&host), 1);
}

#[test]
fn pkg_02_an_explicit_version_is_installed_and_changed_to() {
    let host = machine(MemoryHost::new());
    let changes = converge(&package("nginx", Some("1.2")), &host.act()).expect("it is installed");
    assert_eq!(changes[0], "version: nothing -> \"1.2\"");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
    let changes = converge(&package("nginx", Some("1.10")), &host.act()).expect("it is changed");
    assert_eq!(changes, ["version: \"1.2\" -> \"1.10\""]);
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.10"));
}

#[test]
fn pkg_03_an_installed_package_is_kept() {
    let host = machine(MemoryHost::new());
    for version in [None, Some("7.0"), Some("7*")] {
        assert_eq!(converge(&package("curl", version), &host.act()).expect("it loads"), Vec::<String>::new());
    }
    assert!(host.writes().is_empty());
}

#[test]
fn pkg_04_an_unavailable_package_is_an_error() {
    let host = machine(MemoryHost::new());
    let error = converge(&package("nosuch", None), &host.act()).expect_err("it is unavailable");
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert_eq!(error.to_string(), "the package `nosuch` is not available");
    let error = converge(&package("nginx", Some("9")), &host.act()).expect_err("it is unavailable");
    assert_eq!(error.to_string(), "version \"9\" of the package `nginx` is not available");
    assert_eq!(error.advice(), Some("available: 1.10, 1.2"));
}

/// A version that is newer than all offers is kept, as is a package that is no longer offered.
#[test]
fn pkg_05_latest_follows_the_candidate() {
    let check = |status: &str, expected: Option<&str>| {
        let host = machine(MemoryHost::new());
        host.tamper(crate::packages::apt::STATUS, paragraph("dpkg", "1", "install ok installed") + status);
        let changes = converge(&package("nginx", Some("latest")), &host.act()).expect("it converges");
        assert_eq!(changes.iter().find(|change| change.starts_with("version")).map(String::as_str), expected);
        assert!(converge(&package("nginx", Some("latest")), &host.act()).expect("it loads").is_empty());
    };
    check("", Some("version: nothing -> \"latest\""));
    check(&paragraph("nginx", "1.2", "install ok installed"), Some("version: \"1.2\" -> \"1.10\""));
    check(&paragraph("nginx", "1.10", "install ok installed"), None);
    check(&paragraph("nginx", "1.11", "install ok installed"), None);
    let host = machine(MemoryHost::new());
    let error = converge(&package("nosuch", Some("latest")), &host.act()).expect_err("it is unavailable");
    assert_eq!(error.kind(), ErrorKind::Missing);
}

/// A list is many resources, which are installed in one call. A failure is reported for its own package.
#[test]
fn pkg_07_many_packages_are_one_call() {
    let host = machine(MemoryHost::new());
    host.advance(Duration::from_secs(3600));
    let packages = ["nginx", "nosuch", "new"].map(|name| package(name, None));
    let goals: Vec<_> = packages.iter().map(|package| package.goal(None)).collect();
    let items: Vec<_> =
        packages.iter().zip(&goals).map(|(package, goal)| (package, Step::Create { goal })).collect();
    let results = Package::apply_all(&items, &host.act());
    let failed: Vec<bool> = results.iter().map(Result::is_err).collect();
    assert_eq!(failed, [false, true, false]);
    let changes = transactions(&host);
    assert_eq!(changes, 2, "one update because a package is missing, and one transaction");
    assert_eq!(
        [installed("nginx", &host).as_deref(), installed("new", &host).as_deref()],
        [Some("1.10"), Some("1")]
    );
}

/// A failure that many packages share is shown in full for the first.
#[test]
fn a_shared_failure_is_shown_in_full_once() {
    let host = machine(MemoryHost::new()).program("apt-get", |call| call.fail(100, "E: no network"));
    host.advance(Duration::from_secs(3600));
    let packages = ["nosuch", "nginx", "new"].map(|name| package(name, None));
    let goals: Vec<_> = packages.iter().map(|package| package.goal(None)).collect();
    let items: Vec<_> =
        packages.iter().zip(&goals).map(|(package, goal)| (package, Step::Create { goal })).collect();
    let results = Package::apply_all(&items, &host.act());
    let errors: Vec<String> =
        results.into_iter().filter_map(Result::err).map(|error| error.chain()).collect();
    assert_eq!(errors.len(), 3);
    assert!(errors[0].contains("E: no network"), "{errors:?}");
    for other in &errors[1..] {
        assert!(!other.contains("E: no network"), "{errors:?}");
        assert!(other.ends_with("see the failure of the package `nosuch`"), "{errors:?}");
    }
}

/// If the call fails, each package is tried on its own.
#[test]
fn pkg_07_a_failed_package_does_not_affect_others() {
    let host = machine(MemoryHost::new());
    let packages = ["bad", "nginx", "new"].map(|name| package(name, None));
    let goals: Vec<_> = packages.iter().map(|package| package.goal(None)).collect();
    let items: Vec<_> =
        packages.iter().zip(&goals).map(|(package, goal)| (package, Step::Create { goal })).collect();
    let results = Package::apply_all(&items, &host.act());
    assert_eq!(results.iter().map(Result::is_ok).collect::<Vec<_>>(), [false, true, true]);
    let error = results[0].as_ref().expect_err("it is bad");
    assert_eq!(error.chain(), "cannot install bad: apt-get exited with status 100: E: it hurts");
}

/// The complete order is tested next to the code (PKG-08).
#[test]
fn pkg_08_ten_is_more_than_two() {
    let host = machine(MemoryHost::new());
    converge(&package("nginx", Some("1.10")), &host.act()).expect("it is installed");
    let error = converge(&package("nginx", Some("1.2")), &host.act()).expect_err("it is older");
    assert_eq!(error.to_string(), "version 1.2 of the package `nginx` is older than the installed 1.10");
    let allowed = Package { allow_downgrade: true, ..package("nginx", Some("1.2")) };
    converge(&allowed, &host.act()).expect("the downgrade is allowed");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
}

/// The newest version may depend on the release.
#[test]
fn a_preferred_release_determines_the_newest_version() {
    let mut nginx = package("nginx", Some("latest"));
    nginx.settings.release = Some("oldstable".to_owned());
    let host = machine(MemoryHost::new());
    host.tamper(
        crate::packages::apt::STATUS,
        paragraph("dpkg", "1", "install ok installed") + &paragraph("nginx", "1.1", "install ok installed"),
    );
    converge(&nginx, &host.act()).expect("it is upgraded");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
}

/// With a version, only that version is removed.
#[test]
fn removal_with_a_version_keeps_other_versions() {
    let host = machine(MemoryHost::new());
    converge(&package("nginx", Some("1.2")), &host.act()).expect("it is installed");
    let found = |version| {
        package("nginx", Some(version))
            .load(&Look::to(Desired::Absent, &host.act()))
            .and_then(Found::state)
            .expect("it loads")
            .is_some()
    };
    assert!(!found("0.0.1-nope") && !found("1.10"));
    assert!(found("1.2") && found("1.*") && found("latest"));
}
