//! Facts about packages that other systems' tests pin down, by their ids.

use std::time::Duration;

use uphold_builtin::{Package, Version};
use uphold_resource::{Act, Batch, Described, ErrorKind, Property, Resource, Result, Step, Value, Want};
use uphold_testkit::MemoryHost;

use crate::apt::{machine, paragraph, transactions};

fn package(name: &str, version: Option<&str>) -> Package {
    let version =
        version.map(|text| Version::from_value(&Value::text(text), &uphold_resource::Context::NOTHING));
    let version = version.map_or(Want::Unset, |version| Want::Set(version.expect("a version")));
    Package { version, ..Package::named(name).expect("a name") }
}

/// Makes it so, as the engine would; what differed, as `property: from -> to`.
fn converge(mut package: Package, host: &Act<'_>) -> Result<Vec<String>> {
    package.prepare(host)?;
    let current = package.load(host)?;
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
    let state = Package::named(name).expect("a name").load(&host.act()).expect("a look")?;
    state.version.as_exact().map(str::to_owned)
}

/// The text is the command line's; a plan shows a version if one is asked for.
#[test]
fn pkg_01_what_is_absent_gets_the_candidate() {
    let host = machine(MemoryHost::new());
    converge(package("nginx", None), &host.act()).expect("it is installed");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.10"));
    assert_eq!(transactions(&host), 1);
}

#[test]
fn pkg_02_an_explicit_version_is_installed_and_changed_to() {
    let host = machine(MemoryHost::new());
    let told = converge(package("nginx", Some("1.2")), &host.act()).expect("it is installed");
    assert_eq!(told[0], "version: nothing -> \"1.2\"");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
    let told = converge(package("nginx", Some("1.10")), &host.act()).expect("it is changed");
    assert_eq!(told, ["version: \"1.2\" -> \"1.10\""]);
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.10"));
}

#[test]
fn pkg_03_what_is_there_is_left_alone() {
    let host = machine(MemoryHost::new());
    for version in [None, Some("7.0"), Some("7*")] {
        assert_eq!(converge(package("curl", version), &host.act()).expect("a look"), Vec::<String>::new());
    }
    assert!(host.writes().is_empty());
}

#[test]
fn pkg_04_what_nobody_offers_is_an_error() {
    let host = machine(MemoryHost::new());
    let error = converge(package("nosuch", None), &host.act()).expect_err("there is none");
    assert_eq!(error.kind(), ErrorKind::Missing);
    assert_eq!(error.to_string(), "there is no package `nosuch` to install");
    let error = converge(package("nginx", Some("9")), &host.act()).expect_err("there is none");
    assert_eq!(error.to_string(), "there is no version \"9\" of `nginx`");
    assert_eq!(error.advice(), Some("there is 1.10, 1.2"));
}

/// What is newer than every offer stays; what nobody offers any more, too.
#[test]
fn pkg_05_latest_follows_the_candidate() {
    let check = |status: &str, expected: Option<&str>| {
        let host = machine(MemoryHost::new());
        host.tamper(crate::apt::STATUS, paragraph("dpkg", "1", "install ok installed") + status);
        let told = converge(package("nginx", Some("latest")), &host.act()).expect("it converges");
        assert_eq!(told.iter().find(|told| told.starts_with("version")).map(String::as_str), expected);
        assert!(converge(package("nginx", Some("latest")), &host.act()).expect("a look").is_empty());
    };
    check("", Some("version: nothing -> \"latest\""));
    check(&paragraph("nginx", "1.2", "install ok installed"), Some("version: \"1.2\" -> \"1.10\""));
    check(&paragraph("nginx", "1.10", "install ok installed"), None);
    check(&paragraph("nginx", "1.11", "install ok installed"), None);
    let host = machine(MemoryHost::new());
    let error = converge(package("nosuch", Some("latest")), &host.act()).expect_err("there is none");
    assert_eq!(error.kind(), ErrorKind::Missing);
}

/// A list is many resources; what they have to do is done in one call. What cannot be is told by whom it is about.
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
    assert_eq!(changes, 2, "one update because something is missing, and one transaction");
    assert_eq!(
        [installed("nginx", &host).as_deref(), installed("new", &host).as_deref()],
        [Some("1.10"), Some("1")]
    );
}

/// A failure that many packages share is shown in full by the first.
#[test]
fn a_shared_failure_is_shown_in_full_once() {
    let host = machine(MemoryHost::new()).program("apt-get", |call| call.fail(100, "E: no network"));
    host.advance(Duration::from_secs(3600));
    let packages = ["nosuch", "nginx", "new"].map(|name| package(name, None));
    let goals: Vec<_> = packages.iter().map(|package| package.goal(None)).collect();
    let items: Vec<_> =
        packages.iter().zip(&goals).map(|(package, goal)| (package, Step::Create { goal })).collect();
    let results = Package::apply_all(&items, &host.act());
    let told: Vec<String> = results.into_iter().filter_map(Result::err).map(|error| error.chain()).collect();
    assert_eq!(told.len(), 3);
    assert!(told[0].contains("E: no network"), "{told:?}");
    for other in &told[1..] {
        assert!(!other.contains("E: no network"), "{told:?}");
        assert!(other.ends_with("the same failure as of the package `nosuch`"), "{told:?}");
    }
}

/// When the call fails, each is tried alone.
#[test]
fn pkg_07_one_that_fails_keeps_no_other_away() {
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

/// The whole order is a table beside the code (PKG-08).
#[test]
fn pkg_08_ten_is_more_than_two() {
    let host = machine(MemoryHost::new());
    converge(package("nginx", Some("1.10")), &host.act()).expect("it is installed");
    let error = converge(package("nginx", Some("1.2")), &host.act()).expect_err("it is older");
    assert_eq!(error.to_string(), "`nginx` 1.2 is older than 1.10, which is installed");
    let allowed = Package { allow_downgrade: true, ..package("nginx", Some("1.2")) };
    converge(allowed, &host.act()).expect("it may go back");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
}

/// Which version is the newest may depend on where it comes from.
#[test]
fn a_preferred_release_decides_what_is_the_newest() {
    let mut wish = package("nginx", Some("latest"));
    wish.settings.release = Some("oldstable".to_owned());
    let host = machine(MemoryHost::new());
    host.tamper(
        crate::apt::STATUS,
        paragraph("dpkg", "1", "install ok installed") + &paragraph("nginx", "1.1", "install ok installed"),
    );
    converge(wish, &host.act()).expect("it is upgraded");
    assert_eq!(installed("nginx", &host).as_deref(), Some("1.2"));
}

/// With a version, only that version is removed (PKG-02 has the same for installing).
#[test]
fn another_version_than_the_one_to_remove_is_left_alone() {
    let host = machine(MemoryHost::new());
    converge(package("nginx", Some("1.2")), &host.act()).expect("it is installed");
    let found = |version| package("nginx", Some(version)).load(&host.act()).expect("a look").is_some();
    assert!(!found("0.0.1-nope") && !found("1.10"));
    assert!(found("1.2") && found("1.*") && found("latest"));
}
