//! Own types: words, nested structs, newtypes, by derive and by hand; and rules.

use uphold_model::Action;
use uphold_resource::{
    AbsolutePath, Act, Context, Fields, Findings, Found, Look, Port, Problem, Properties, Property, Resource,
    Result, Sensitive, Step, Type, Value, Want,
};

use super::reading::{home, refuses, takes};

/// Words.
#[derive(Clone, Debug, PartialEq, Property)]
enum Restart {
    No,
    OnFailure,
    Always,
}

/// A newtype with rules.
#[derive(Clone, Debug, PartialEq, Property)]
#[pattern("^[a-z]+$")]
struct Word(String);

/// A nested struct.
#[derive(Clone, Debug, PartialEq, Property)]
struct Listen {
    /// A word of every block may be a name here.
    #[range(1..=100)]
    #[default(10)]
    limit: u8,
    #[required]
    port: Port,
    #[alias("addr")]
    address: Option<String>,
    dir: Option<AbsolutePath>,
    #[relative_to(dir)]
    socket: Option<AbsolutePath>,
    key: Option<Sensitive<Word>>,
}

/// By hand: `a:b`.
#[derive(Clone, Debug, PartialEq)]
struct Pair(String, String);

impl Property for Pair {
    const TYPE: &'static Type = &Type::Named { name: "pair", doc: "two words", example: r#""a:b""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let (a, b) = text
            .split_once(':')
            .ok_or_else(|| Problem::new(Some(value), "is not a pair", "put a colon between two words"))?;
        Ok(Pair(a.to_owned(), b.to_owned()))
    }

    fn to_value(&self) -> Value {
        Value::text(format!("{}:{}", self.0, self.1))
    }
}

/// A kind that uses them.
#[derive(Resource)]
#[resource(kind = "server", exclusive(word, pair), any_of(word, pair, listen), together(user, password))]
struct Server {
    #[name]
    name: String,
    word: Want<Word>,
    pair: Want<Pair>,
    listen: Want<Vec<Listen>>,
    restart: Option<Restart>,
    user: Option<String>,
    password: Option<Sensitive<Word>>,
    #[range(1..=10)]
    weights: Want<Vec<i64>>,
    #[one_of("a", "b")]
    letters: Want<std::collections::BTreeMap<String, String>>,
}

impl Resource for Server {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::Absent)
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

fn decode(values: &[(&str, Value)], action: &Action) -> Findings {
    let values = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let mut fields = Fields::new("s", values, action, Context { home: &home, base: None });
    let _ = Server::decode(&mut fields);
    fields.finish("server", Server::SCHEMA)
}

/// The problems of a block with these attributes.
fn problems(values: &[(&str, Value)]) -> String {
    let found = decode(values, &Action::Converge).problems;
    found.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

#[test]
fn reads_words() {
    takes::<Restart>("no", r#""no""#);
    takes::<Restart>("on-failure", r#""on-failure""#);
    let rule = r#"must be one of "no", "on-failure", "always""#;
    refuses::<Restart>("on_failure", &format!(r#""on_failure" {rule}; did you mean "on-failure"?"#));
    refuses::<Restart>("never mind", &format!(r#""never mind" {rule}; choose one of them"#));
    refuses::<Restart>(true, &format!("true {rule}; choose one of them"));
    refuses::<Restart>(Value::Null, &format!("null {rule}; choose one of them"));
    assert_eq!(Restart::TYPE.to_string(), r#""no" or "on-failure" or "always""#);
}

#[test]
fn reads_newtypes_and_types_by_hand() {
    takes::<Word>("abc", r#""abc""#);
    refuses::<Word>("ABC", r#""ABC" must match /^[a-z]+$/; change it to match"#);
    refuses::<Word>(
        3,
        "3 must be a string, not a number; put it in quotes; for a computed value, write `tostring(…)`",
    );
    takes::<Pair>("a:b", r#""a:b""#);
    refuses::<Pair>("ab", r#""ab" is not a pair; put a colon between two words"#);
}

#[test]
fn reads_nested_structs() {
    takes::<Listen>(Value::map([("port", 80.into())]), "{ limit = 10, port = 80 }");
    let listen = Value::map([("port", 80.into()), ("dir", "/run".into()), ("socket", "s".into())]);
    takes::<Listen>(listen, r#"{ dir = "/run", limit = 10, port = 80, socket = "/run/s" }"#);
    refuses::<Listen>("x", r#""x" must be a block or map, not a string; put it in braces: { key = value }"#);
    let inside =
        |entries: Vec<(&'static str, Value)>| problems(&[("listen", Value::list([Value::map(entries)]))]);
    assert_eq!(inside(vec![]), "`listen[0].port` is required; add `port = …` (port)");
    assert_eq!(
        inside(vec![("port", 80.into()), ("limit", 0.into())]),
        "`listen[0].limit` = 0 must be from 1 to 100; choose a number in that range"
    );
    assert_eq!(
        inside(vec![("port", 80.into()), ("prot", 80.into())]),
        "`listen[0].prot` = 80 is not a property of `Listen`; did you mean `port`?"
    );
}

#[test]
fn checks_groups() {
    let (word, pair) = (("word", Value::text("w")), ("pair", Value::text("a:b")));
    assert_eq!(problems(std::slice::from_ref(&word)), "");
    assert_eq!(problems(&[word.clone(), pair]), "`word` excludes `pair`; keep one of them");
    assert_eq!(
        problems(&[]),
        "`word` or `pair` or `listen` is required; set one of `word`, `pair`, `listen`"
    );
    assert!(decode(&[], &Action::Remove).problems.is_empty(), "to remove it, nothing more is needed");
    assert_eq!(
        problems(&[word.clone(), ("user", "u".into())]),
        "`user` cannot be set alone; set all of `user`, `password`"
    );
    assert_eq!(problems(&[word, ("user", "u".into()), ("password", "p".into())]), "");
}

#[test]
fn a_rule_applies_to_each_member() {
    let word = ("word", Value::text("w"));
    let weights = |items: &[i64]| ("weights", Value::list(items.iter().map(|i| Value::Int(*i))));
    assert_eq!(problems(&[word.clone(), weights(&[1, 10])]), "");
    assert_eq!(
        problems(&[word.clone(), weights(&[1, 11])]),
        "`weights[1]` = 11 must be from 1 to 10; choose a number in that range"
    );
    let letters = ("letters", Value::map([("x", Value::text("a")), ("y", Value::text("c"))]));
    assert_eq!(problems(&[word, letters]), "`letters.y` = \"c\" must be one of a, b; choose one of them");
}

#[test]
fn an_unknown_property_gets_a_suggestion() {
    let word = ("word", Value::text("w"));
    assert_eq!(
        problems(&[word.clone(), ("restrat", "no".into())]),
        "`restrat` = \"no\" is not a property of `server`; did you mean `restart`?"
    );
    assert_eq!(
        problems(&[word.clone(), ("count", 2.into())]),
        "`count` = 2 is not a property of `server`; write `for_each = range(n)`, and `each.key` in the block"
    );
    assert_eq!(
        problems(&[word, ("quux", 1.into())]),
        "`quux` = 1 is not a property of `server`; `uphold explain server` lists its properties"
    );
}
