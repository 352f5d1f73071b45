//! VAL: accepted values, refused values, and messages.

use uphold_resource::{
    Act, Context, Found, Look, Problem, Property, Resource, Result, Step, Type, Value, Want,
};

use super::block::Block;
use super::property::kind;

/// A type with its own rule and message.
#[derive(Clone, Debug, PartialEq)]
struct Even(i64);

impl Property for Even {
    const TYPE: &'static Type = &Type::Named { name: "even", doc: "an even number", example: "2" };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        match i64::from_value(value, context)? {
            odd if odd % 2 != 0 => Err(Problem::new(Some(value), "is odd", "add one")),
            even => Ok(Even(even)),
        }
    }

    fn to_value(&self) -> Value {
        Value::Int(self.0)
    }
}

#[derive(Clone, Debug, PartialEq, Property)]
enum Word {
    A,
    B,
}

fn above_ten(value: &Value) -> bool {
    matches!(value, Value::Int(x) if *x > 10)
}

fn even(value: &Value) -> bool {
    matches!(value, Value::Int(x) if x % 2 == 0)
}

fn filled(value: &Value) -> bool {
    !matches!(value, Value::List(items) if items.is_empty())
}

#[derive(Resource)]
#[resource(kind = "checked")]
struct Checked {
    #[name]
    #[required]
    name: String,
    text: Want<String>,
    word: Want<Word>,
    #[one_of("a", "b", "c", "d")]
    choice: Want<String>,
    nullable: Want<Option<String>>,
    #[check(even, "must be even")]
    predicate: Want<i64>,
    #[one_of("a", "bb")]
    #[pattern("^.$")]
    both: Want<String>,
    any: Want<Value>,
    #[pattern("abc|z")]
    pattern: Want<String>,
    #[check(above_ten, "must be above ten")]
    #[check(even, "must be even")]
    callbacks: Want<i64>,
    #[check(filled, "must not be empty")]
    list: Want<Vec<i64>>,
    own: Want<Even>,
}
kind!(Checked);

/// A kind with required properties of each sort.
#[derive(Resource)]
#[resource(kind = "needy", verbs(repair = "Repair it."))]
struct Needy {
    #[name]
    name: String,
    #[required]
    state: Want<i64>,
    #[required]
    nullable: Want<Option<String>>,
    #[required]
    setting: String,
    #[required(repair)]
    tool: Option<String>,
}
kind!(Needy);

impl uphold_resource::Verbs for Needy {
    type Verb = NeedyVerb;

    fn run(&self, NeedyVerb::Repair: NeedyVerb, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

/// Id, property, accepted values, refused values, and the message of the rule.
type Row = (&'static str, &'static str, Vec<Value>, Vec<Value>, &'static str);

#[test]
fn checks_values_by_their_rules() {
    let list = |items: &[i64]| Value::list(items.iter().map(|i| Value::Int(*i)));
    let text = Value::text;
    let rows: [Row; 12] = [
        ("VAL-01", "text", vec![text("hi")], vec![Value::Int(10)], "must be a string, not a number"),
        ("VAL-02", "word", vec![text("a")], vec![text("c")], r#"must be one of "a", "b""#),
        ("VAL-03", "word", vec![text("a"), text("b")], vec![text("c")], r#"must be one of "a", "b""#),
        (
            "VAL-04",
            "choice",
            ["a", "b", "c", "d"].map(text).into(),
            vec![text("e")],
            "must be one of a, b, c, d",
        ),
        ("VAL-07", "nullable", vec![text("a"), Value::Null], vec![Value::Int(1)], "must be a string"),
        ("VAL-12", "predicate", vec![Value::Int(2)], vec![Value::Int(3)], "must be even"),
        ("VAL-14", "both", vec![text("a")], vec![text("bb")], "must match /^.$/"),
        ("VAL-19", "pattern", vec![text("xabcx"), text("z")], vec![text("ab")], "must match /abc|z/"),
        ("VAL-20", "callbacks", vec![Value::Int(12)], vec![Value::Int(4)], "must be above ten"),
        ("VAL-20", "callbacks", vec![Value::Int(12)], vec![Value::Int(11)], "must be even"),
        ("VAL-24", "list", vec![list(&[1, 2])], vec![list(&[])], "must not be empty"),
        ("VAL-34", "own", vec![Value::Int(2), text("4")], vec![Value::Int(3)], "is odd"),
    ];
    for (id, property, accepted, refused, rule) in rows {
        for value in accepted {
            assert_eq!(Block::new::<Checked>("x").set(property, value).problems(), "", "{id}");
        }
        for value in refused {
            let problem = Block::new::<Checked>("x").set(property, value.clone()).problems();
            let expected = format!("`{property}` = {value} {rule}");
            assert!(problem.starts_with(&expected), "{id}: {problem}");
        }
    }
}

#[test]
fn val_17_a_property_of_any_type_accepts_anything() {
    for value in [Value::text("a"), Value::Int(1), Value::Null, Value::list([Value::Bool(true)])] {
        assert_eq!(
            Block::new::<Checked>("x").set("any", value.clone()).value("any"),
            Some(value.to_string())
        );
    }
}

#[test]
fn val_35_an_own_message_replaces_the_generated_one() {
    let problem = Block::new::<Checked>("x").set("predicate", 3).problems();
    assert_eq!(problem, "`predicate` = 3 must be even; change the value");
}

#[test]
fn reports_all_problems_at_once() {
    let block = Block::new::<Checked>("x").set("text", 1).set("word", "c").set("own", 3);
    assert_eq!(block.problems().lines().count(), 3, "{}", block.problems());
}

fn needy() -> Block {
    Block::new::<Needy>("x").set("setting", "s")
}

#[test]
fn refuses_missing_properties() {
    let whole = || needy().set("state", 1).set("nullable", "n");
    assert_eq!(whole().problems(), "", "VAL-25");
    assert_eq!(
        needy().set("nullable", "n").problems(),
        "`state` is required; add `state = …` (whole number)",
        "VAL-25"
    );
    let null = needy().set("nullable", "n").set("state", Value::Null).problems();
    assert_eq!(null, "`state` cannot be null; leave it out, or give it a value", "VAL-25");
    assert_eq!(
        needy().set("state", 1).problems(),
        "`nullable` is required; add `nullable = …` (string or null)"
    );
    // Where null is a value, it counts as given.
    assert_eq!(needy().set("state", 1).set("nullable", Value::Null).problems(), "", "VAL-28");
}

#[test]
fn required_properties_depend_on_the_action() {
    assert_eq!(
        needy().action("remove").problems(),
        "",
        "to remove a thing, its name and settings are enough"
    );
    assert_eq!(needy().action("repair").problems(), "`tool` is required to repair; add `tool = …` (string)");
    assert_eq!(needy().action("repair").set("tool", "glue").problems(), "");
    let nothing = Block::new::<Needy>("x").action("remove").problems();
    assert_eq!(nothing, "`setting` is required; add `setting = …` (string)");
}

#[test]
fn val_29_a_required_name_takes_the_label() {
    let name = |block: Block| block.value("name");
    assert_eq!(name(Block::new::<Checked>("x")).as_deref(), Some(r#""x""#));
    assert_eq!(name(Block::new::<Checked>("x").set("name", "y")).as_deref(), Some(r#""y""#));
    let null = Block::new::<Checked>("x").set("name", Value::Null).problems();
    assert_eq!(null, "`name` cannot be null; leave it out, or give it a value");
}
