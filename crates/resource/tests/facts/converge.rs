//! CIC: only differing properties are converged and reported.

use std::path::Path;

use uphold_resource::{
    Access, Act, Delta, Desired, Found, Look, NewFile, Properties, Property, Resource, Result, Sensitive,
    Step, Want,
};
use uphold_testkit::MemoryHost;

use super::block::{Block, print};

/// A thing whose properties are files in `/cic`. It exists if that directory does.
#[derive(Resource)]
#[resource(kind = "cic")]
struct Cic {
    /// Names the block.
    #[name]
    name: String,
    /// Identity that `load` may find to differ.
    #[identity(loaded)]
    #[default("di")]
    id1: String,
    /// A setting.
    #[default("dc")]
    ctl1: String,
    /// State.
    #[on_create("d1")]
    st1: Want<String>,
    /// State.
    #[on_create("d2")]
    st2: Want<String>,
    /// Secret state.
    #[on_create("ds")]
    sec1: Want<Sensitive<String>>,
    /// State without a default.
    plain: Want<String>,
}

impl Resource for Cic {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        if look.files().look(Path::new("/cic"))?.is_none() {
            return Ok(Found::Absent);
        }
        let read = |name: &str, default: &str| -> Result<String> {
            let path = Path::new("/cic").join(name);
            let Some(entry) = look.files().look(&path)? else { return Ok(default.to_owned()) };
            Ok(String::from_utf8_lossy(&look.files().read(&path, entry.size)?).into_owned())
        };
        Ok(Found::This(CicState {
            id1: read("id1", &self.id1)?,
            st1: read("st1", "d1")?,
            st2: read("st2", "d2")?,
            sec1: Sensitive::new(read("sec1", "ds")?),
            plain: read("plain", "zz")?,
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        match step {
            Step::Create { goal } => {
                host.edits().make_directory(Path::new("/cic"), &Access::default())?;
                write("id1", &goal.id1, host)?;
                write("st1", &goal.st1, host)?;
                write("st2", &goal.st2, host)?;
                write("sec1", goal.sec1.expose(), host)
            }
            Step::Update { change, .. } => {
                rewrite("id1", change.id1.as_ref(), String::as_str, host)?;
                rewrite("st1", change.st1.as_ref(), String::as_str, host)?;
                rewrite("st2", change.st2.as_ref(), String::as_str, host)?;
                rewrite("plain", change.plain.as_ref(), String::as_str, host)?;
                rewrite("sec1", change.sec1.as_ref(), |secret| secret.expose(), host)
            }
            Step::Remove { .. } => host.edits().remove_tree(Path::new("/cic")),
        }
    }
}

/// One block of Chef's `converge_if_changed`: runs only if this property differs.
fn rewrite<T: Property>(
    name: &str,
    delta: Option<&Delta<T>>,
    text: impl Fn(&T) -> &str,
    host: &Act<'_>,
) -> Result<()> {
    delta.map_or(Ok(()), |delta| write(name, text(&delta.to), host))
}

fn write(name: &str, text: &str, host: &Act<'_>) -> Result<()> {
    let file = NewFile::new(text.as_bytes(), Access::default());
    host.edits().write(&Path::new("/cic").join(name), &file)
}

fn blah() -> Block {
    Block::new::<Cic>("blah")
}

/// A machine on which the thing exists, with the default values.
fn present() -> MemoryHost {
    MemoryHost::new().directory("/cic", 0o755)
}

/// Plans, then applies; returns the differences, and the properties that were written.
fn converge(block: &Block, host: &MemoryHost) -> (String, Vec<String>) {
    let instance = block.instance();
    let seen = instance.observe(Desired::Present, &host.act()).expect("load");
    let said = print(&seen.differences);
    assert_eq!(seen.converged, seen.differences.is_empty(), "{said}");
    if !seen.converged {
        instance.apply(&seen, &host.act()).expect("apply");
        assert!(instance.observe(Desired::Present, &host.act()).expect("load").converged, "{said}");
    }
    let name = |write: &uphold_testkit::Write| write.path.file_name()?.to_str().map(str::to_owned);
    (said, host.writes().iter().filter_map(name).collect())
}

/// Checks the differences and the written properties.
#[track_caller]
fn check(id: &str, block: &Block, host: &MemoryHost, differences: &[&str], written: &[&str]) {
    let (said, wrote) = converge(block, host);
    assert_eq!(said, differences.join("\n"), "{id}");
    assert_eq!(wrote, written, "{id}");
}

#[test]
fn one_or_more_properties_differ() {
    check("CIC-02", &blah().set("st1", "n1"), &present(), &[r#"st1: "d1" -> "n1""#], &["st1"]);
    // In the order of the struct, whatever the order of the block is.
    let both = blah().set("st2", "n2").set("st1", "n1");
    check("CIC-03", &both, &present(), &[r#"st1: "d1" -> "n1""#, r#"st2: "d2" -> "n2""#], &["st1", "st2"]);
    check("CIC-14", &blah().set("st1", "n1"), &present(), &[r#"st1: "d1" -> "n1""#], &["st1"]);
    let second = blah().set("st1", "d1").set("st2", "n2");
    check("CIC-16", &second, &present(), &[r#"st2: "d2" -> "n2""#], &["st2"]);
}

#[test]
fn nothing_differs() {
    check("CIC-13", &blah(), &present(), &[], &[]);
    check("CIC-17", &blah().set("st1", "d1").set("st2", "d2"), &present(), &[], &[]);
    // Copied into the loaded state, so it cannot differ.
    check("CIC-08", &blah().set("id1", "ni").set("ctl1", "nc"), &present(), &[], &[]);
    check("CIC-23", &blah(), &present().file("/cic/plain", "zz", 0o644), &[], &[]);
}

#[test]
fn hides_secrets_on_both_sides() {
    let hidden = ["sec1: (sensitive value) -> (sensitive value)"];
    check("CIC-05", &blah().set("sec1", "x"), &present(), &hidden, &["sec1"]);
    check("CIC-18", &blah().set("sec1", "x"), &present(), &hidden, &["sec1"]);
    // A whole resource is hidden by hiding each of its differences: no old value leaks.
    let seen = blah().set("st1", "n1").instance().observe(Desired::Present, &present().act()).expect("load");
    let all: Vec<_> = seen.differences.into_iter().map(uphold_model::Difference::sensitive).collect();
    assert_eq!(print(&all), "st1: (sensitive value) -> (sensitive value)", "CIC-04");
    // A value that is computed from a secret is a secret.
    let tainted = blah().set("st1", uphold_model::Value::text("n1").sensitive());
    check("CIC-30", &tainted, &present(), &["st1: (sensitive value) -> (sensitive value)"], &["st1"]);
}

#[test]
fn reports_an_identity_that_differs() {
    let host = present().file("/cic/id1", "ci", 0o644);
    let wish = blah().set("id1", "ni").set("ctl1", "nc");
    // A setting is never a reason.
    check("CIC-09", &wish, &host, &[r#"id1: "ci" -> "ni""#], &["id1"]);
}

#[test]
fn a_created_resource_shows_its_defaults() {
    let default = [
        r#"id1: nothing -> "di""#,
        r#"st1: nothing -> "d1" (default)"#,
        r#"st2: nothing -> "d2" (default)"#,
        "sec1: nothing -> (sensitive value) (default)",
    ];
    check("CIC-10", &blah(), &MemoryHost::new(), &default, &["cic", "id1", "st1", "st2", "sec1"]);
    check("CIC-19", &blah(), &MemoryHost::new(), &default, &["cic", "id1", "st1", "st2", "sec1"]);
    let set = blah().set("st1", "n1").set("st2", "n2").set("sec1", "x");
    let no_default = [
        r#"id1: nothing -> "di""#,
        r#"st1: nothing -> "n1""#,
        r#"st2: nothing -> "n2""#,
        "sec1: nothing -> (sensitive value)",
    ];
    check("CIC-20", &set, &MemoryHost::new(), &no_default, &["cic", "id1", "st1", "st2", "sec1"]);
    let hidden = |text: &str| uphold_model::Value::text(text).sensitive();
    let set = blah().set("st1", hidden("n1")).set("st2", hidden("n2"));
    let one_default = [
        r#"id1: nothing -> "di""#,
        "st1: nothing -> (sensitive value)",
        "st2: nothing -> (sensitive value)",
        "sec1: nothing -> (sensitive value) (default)",
    ];
    check("CIC-21", &set, &MemoryHost::new(), &one_default, &["cic", "id1", "st1", "st2", "sec1"]);
}

#[test]
fn cic_22_a_default_never_replaces_a_current_value() {
    let host = present().file("/cic/st1", "zz", 0o644);
    check("CIC-22", &blah(), &host, &[], &[]);
}

#[test]
fn cic_25_an_observation_shows_whether_it_is_converged() {
    let converged =
        |block: Block| block.instance().observe(Desired::Present, &present().act()).expect("load").converged;
    assert!(converged(blah()));
    assert!(!converged(blah().set("st1", "n1")));
}

#[test]
fn cic_26_a_plan_reports_the_same_and_writes_nothing() {
    let (block, host) = (blah().set("st1", "n1"), present());
    let planned = block.instance().observe(Desired::Present, &host.act()).expect("load");
    assert!(!planned.converged);
    assert!(host.writes().is_empty());
    assert_eq!(print(&planned.differences), converge(&block, &host).0);
}

/// A kind whose author enforces the default.
#[derive(Resource)]
#[resource(kind = "enforcing")]
struct Enforcing {
    #[name]
    name: String,
    #[enforce("d1")]
    st1: Want<String>,
}

#[test]
fn cic_22_an_enforced_default_counts_as_desired() {
    let wish = Enforcing { name: "blah".into(), st1: Want::Unset };
    let current = EnforcingState { st1: "zz".into() };
    let mut differences = Vec::new();
    wish.differences(&wish.goal(Some(&current)), Some(&current), &mut differences);
    assert_eq!(print(&differences), r#"st1: "zz" -> "d1" (default)"#);
    assert_eq!(wish.value("name", None).map(|name| name.to_string()).as_deref(), Some(r#""blah""#));
}
