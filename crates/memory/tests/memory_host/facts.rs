use uphold_memory::MemoryHost;
use uphold_resource::{ErrorKind, FACTS, Type, Value};

fn fact(host: &MemoryHost, name: &str) -> Value {
    host.act().facts().fact(name).unwrap_or_else(|error| panic!("{name}: {}", error.chain()))
}

#[test]
fn returns_every_fact() {
    let host = MemoryHost::new();
    for schema in FACTS {
        let (ty, value) = match schema.ty {
            Type::Nullable(inner) => (*inner, fact(&host, schema.name)),
            ty => (ty, fact(&host, schema.name)),
        };
        assert_eq!(value.shape(), ty.shape(), "{}", schema.name);
    }
}

#[test]
fn facts_can_be_set() {
    let host = MemoryHost::new().fact("os.family", "redhat").fact("os.codename", Value::Null);
    assert_eq!(fact(&host, "os.family"), Value::text("redhat"));
    assert_eq!(fact(&host, "os.codename"), Value::Null);
    assert_eq!(host.act().facts().fact("os.familie").unwrap_err().kind(), ErrorKind::Invalid);
}

#[test]
#[should_panic(expected = "there is no fact named os.familie")]
fn refuses_an_unknown_fact() {
    drop(MemoryHost::new().fact("os.familie", "redhat"));
}

#[test]
fn facts_of_the_user_follow_the_accounts() {
    let check = |host: &MemoryHost, expected: [Value; 4]| {
        assert_eq!(["user.uid", "user.name", "user.home", "is_root"].map(|name| fact(host, name)), expected);
    };
    let host = MemoryHost::new();
    check(&host, [Value::Int(0), Value::text("root"), Value::text("/root"), Value::Bool(true)]);
    let host = MemoryHost::new().user("ann", 1000).running_as(1000);
    check(&host, [Value::Int(1000), Value::text("ann"), Value::text("/home/ann"), Value::Bool(false)]);
    let host = MemoryHost::new().running_as(7);
    check(&host, [Value::Int(7), Value::Null, Value::Null, Value::Bool(false)]);
}
