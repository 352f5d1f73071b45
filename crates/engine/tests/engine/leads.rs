//! Claims `leads` and `follows`, and paths that a resource brings along.

use uphold_engine::Mode::{Apply, Plan};
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Command, Error, Found, Look, Resource, Result, Step, Want,
};

use super::check::SharedHost;
use super::reading::run;

/// Leads, follows, or brings a path along.
#[derive(Resource)]
#[resource(kind = "hand", claims)]
pub(crate) struct Hand {
    #[name]
    name: String,
    leads: Option<String>,
    follows: Option<String>,
    #[default(Vec::new())]
    brings: Vec<String>,
    #[default(false)]
    fails: bool,
    /// Whether there is something to do, which only a run finds out.
    #[default(false)]
    works: bool,
    #[enforce(true)]
    raised: Want<bool>,
}

impl Claiming for Hand {
    fn add_claims(&self, claims: &mut Claims) {
        let claim = |name: &String| Claim::Other("thing", name.as_str().into());
        claims.leads.extend(self.leads.iter().map(claim));
        claims.follows.extend(self.follows.iter().map(claim));
        let path = |path: &String| Claim::Path(AbsolutePath::new(path).expect("a path").to_path_buf());
        claims.provides.extend(self.brings.iter().map(path));
    }
}

impl Resource for Hand {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        match self.fails {
            true => Err(Error::failed("it hurts")),
            false => Ok(Found::This(HandState { raised: !self.works })),
        }
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        host.run(&Command::shell("true")).map(drop)
    }
}

/// The resources in their order, with their verdicts.
#[track_caller]
fn transcript(text: &str, expected: &[&str]) {
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    let lines: Vec<&str> = transcript.lines().filter(|line| line.contains("hand.")).collect();
    assert_eq!(lines, expected, "{transcript}");
}

#[test]
fn all_leaders_come_before_all_followers() {
    transcript(
        r#"
        hand "d" { follows = "x" }
        hand "c" { follows = "x" }
        hand "b" { leads = "x" }
        hand "a" { leads = "x" }
        hand "o" { follows = "y" }
        "#,
        &["= hand.b", "= hand.a", "= hand.d", "= hand.c", "= hand.o"],
    );
}

/// Only a resource that a leader needs goes first: the others still follow.
#[test]
fn a_dependency_of_a_leader_does_not_follow() {
    transcript(
        r#"
        hand "other" { follows = "x" }
        hand "needed" { follows = "x" }
        hand "leader" {
          leads      = "x"
          depends_on = [hand.needed]
        }
        hand "second" { leads = "x" }
        "#,
        &["= hand.needed", "= hand.leader", "= hand.second", "= hand.other"],
    );
}

#[test]
fn a_follower_does_not_depend_on_its_leader() {
    let text = r#"
        hand "b" { follows = "x" }
        hand "a" {
          leads = "x"
          fails = true
        }
    "#;
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    assert!(transcript.contains("1 ok, 0 changed, 1 failed, 0 skipped"), "{transcript}");
}

/// In a plan, a resource that fails now may succeed in the run.
#[test]
fn a_prepared_resource_is_not_predicted() {
    let text = r#"
        hand "b" {
          follows = "x"
          fails   = true
        }
        hand "a" {
          leads = "x"
          works = true
        }
    "#;
    let planned = run(&SharedHost::new(), Plan, 1, text);
    assert!(planned.contains("? hand.b") && planned.contains("0 failed"), "{planned}");
}

/// As with a package: its complete content is unknown before it is installed.
#[test]
fn a_path_that_is_brought_along_provides_everything_below_it() {
    let text = r#"
        note "/d/x/y/a" { text = "1" }
        hand "h" {
          brings = ["/d/x"]
          works  = true
        }
    "#;
    let planned = run(&SharedHost::new(), Plan, 1, text);
    assert!(planned.contains("2 changed, 0 failed"), "{planned}");
    let done = run(&SharedHost::new(), Plan, 1, &text.replace("works  = true", ""));
    assert!(done.contains("1 failed"), "{done}");
}

/// An existing path may belong to another resource, too.
#[test]
fn a_path_that_was_brought_along_need_not_be_removed_with_it() {
    let text = r#"
        hand "old" {
          brings = ["/d/x"]
          action = "remove"
        }
        folder "/d/x/y" { depends_on = [hand.new] }
        hand "new" {
          brings     = ["/d/x"]
          depends_on = [hand.old]
        }
    "#;
    let planned = run(&SharedHost::new(), Plan, 1, text);
    assert!(!planned.contains("cycle") && !planned.contains("removed"), "{planned}");
    let both = text.replace("folder \"/d/x/y\" { depends_on = [hand.new] }", "folder \"/d/x/y\" {}");
    let both = both.replace("hand \"new\" {\n          brings     = [\"/d/x\"]", "hand \"new\" {");
    let planned = run(&SharedHost::new(), Plan, 1, &both);
    assert!(!planned.contains("depends on a removed resource"), "{planned}");
}
