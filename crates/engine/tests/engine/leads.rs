//! Who prepares something comes before those who make use of it; and what comes along with something else.

use uphold_engine::Mode::{Apply, Plan};
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Command, Error, Reading, Resource, Result, Step, Want,
};

use crate::check::SharedHost;
use crate::reading::run;

/// Prepares something, makes use of something, or brings a path along.
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
    /// Whether there is something to do, which only doing it can tell.
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
    fn load(&self, _: &Reading<'_>) -> Result<Option<HandState>> {
        match self.fails {
            true => Err(Error::failed("it hurts")),
            false => Ok(Some(HandState { raised: !self.works })),
        }
    }

    fn apply(&self, _: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        host.run(&Command::shell("true")).map(drop)
    }
}

/// What came in which order, and how it went.
#[track_caller]
fn told(text: &str, expected: &[&str]) {
    let told = run(&SharedHost::new(), Apply, 1, text);
    let lines: Vec<&str> = told.lines().filter(|line| line.contains("hand.")).collect();
    assert_eq!(lines, expected, "{told}");
}

#[test]
fn all_who_lead_come_before_all_who_follow() {
    told(
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

/// Only who has to come first does: the others still follow.
#[test]
fn who_is_needed_to_prepare_does_not_follow() {
    told(
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
fn who_follows_does_not_stand_on_who_leads() {
    let text = r#"
        hand "b" { follows = "x" }
        hand "a" {
          leads = "x"
          fails = true
        }
    "#;
    let told = run(&SharedHost::new(), Apply, 1, text);
    assert!(told.contains("1 ok, 0 changed, 1 failed, 0 skipped"), "{told}");
}

/// In a plan, what fails now may be there by then.
#[test]
fn what_is_prepared_is_not_predicted() {
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

/// As a package does: nobody can tell all that is in it before it is there.
#[test]
fn what_is_brought_along_holds_what_is_below() {
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

/// What is there may belong to somebody else, too.
#[test]
fn what_is_brought_along_need_not_go_with_it() {
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
