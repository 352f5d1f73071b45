//! Claims and interests that an attribute changes: `#[claim(…)]` and `#[interest(none)]`.

use uphold_resource::{
    AbsolutePath, Act, Claim, Claims, Found, Interest, Look, Properties, Resource, Result, Step, UserName,
    Want,
};
use uphold_testkit::MemoryHost;

/// A resource whose properties claim differently.
#[derive(Clone, Debug, Resource)]
#[resource(kind = "claimant", permanent)]
struct Claimant {
    #[name]
    name: String,
    /// Needed and watched, as its type says.
    reads: Option<AbsolutePath>,
    /// Neither needed nor provided, and still watched.
    #[claim(none)]
    mentions: Option<AbsolutePath>,
    /// Provided, each of them.
    #[claim(provides)]
    makes: Want<Vec<AbsolutePath>>,
    /// Not needed if it is provided.
    also_reads: Option<AbsolutePath>,
    /// Needed, and not watched.
    #[interest(none)]
    user: Want<UserName>,
}

impl Resource for Claimant {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::Absent)
    }
    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn claimant() -> Claimant {
    let path = |path: &str| AbsolutePath::new(path).expect("an absolute path");
    Claimant {
        reads: Some(path("/reads")),
        mentions: Some(path("/mentions")),
        makes: Want::Set(vec![path("/one"), path("/two")]),
        user: Want::Set(UserName::named("ada")),
        also_reads: Some(path("/two")),
        ..Claimant::named("x").expect("a name is enough")
    }
}

#[test]
fn attributes_replace_the_claims_of_a_type() {
    let mut claims = Claims::default();
    claimant().claims(&mut claims);
    assert_eq!(claims.needs, [Claim::Path("/reads".into()), Claim::User("ada".into())]);
    assert_eq!(claims.provides, [Claim::Path("/one".into()), Claim::Path("/two".into())]);
    assert_eq!(claims.holds, []);
}

#[test]
fn an_attribute_turns_interests_of_a_type_off() {
    let mut interests = Vec::new();
    claimant().interests(&MemoryHost::new().act(), &mut interests);
    let paths = ["/reads", "/mentions", "/one", "/two", "/two"].map(|path| Interest::Path(path.into()));
    assert_eq!(interests, paths);
}
