//! Who belongs to whom: sets of names, wished for in part or as a whole.

use std::collections::BTreeSet;

use uphold_resource::{Claim, Claims, Context, Problem, Property, Role, Type, Value};

use super::name;

/// How a set of names is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Membership {
    /// These at least; others are kept.
    Append,
    /// These and nobody else.
    Exact,
}

/// Names without order and repetition, as a wish or as what is there.
#[derive(Clone, Debug, Default)]
struct Names {
    names: BTreeSet<String>,
    /// Of a wish: others are kept, except these.
    others_but: Option<BTreeSet<String>>,
}

/// How a wish is meant is no part of its value.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Names {
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let texts = Vec::<String>::from_value(value, context)?;
        let Value::List(items) = value else { return Ok(Self::default()) };
        let refused = items.iter().zip(&texts).enumerate().filter(|(_, (_, text))| !name::is_usable(text));
        let problems = refused.map(|(at, (item, _))| {
            let fix = "write the name of an account, as in \"ann\"";
            Problem::new(Some(item), "is not the name of an account", fix).inside(&format!("[{at}]"))
        });
        match Problem::of_members(problems.collect::<Vec<_>>()) {
            Some(problem) => Err(problem),
            None => Ok(Self { names: texts.into_iter().collect(), others_but: None }),
        }
    }

    fn to_value(&self) -> Value {
        Value::list(self.names.iter().map(|name| Value::text(name.as_str())))
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let mut names = self.names.clone();
        if let Some(excluded) = &self.others_but {
            names.extend(current.into_iter().flat_map(|current| &current.names).cloned());
            names.retain(|name| !excluded.contains(name));
        }
        Self { names, others_but: None }
    }
}

macro_rules! set {
    ($type:ident, $doc:literal, $claim:ident, $kind:literal) => {
        #[doc = $doc]
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $type(Names);

        impl $type {
            /// These names.
            pub(crate) fn new(names: BTreeSet<String>) -> Self {
                Self(Names { names, others_but: None })
            }

            /// The same wish, in which others are kept unless they are `excluded`.
            #[must_use]
            pub(crate) fn appending(self, excluded: BTreeSet<String>) -> Self {
                Self(Names { names: self.0.names, others_but: Some(excluded) })
            }

            /// The names, sorted.
            pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
                self.0.names.iter().map(String::as_str)
            }

            /// As the tools take them, with commas between.
            pub(crate) fn joined(&self) -> String {
                self.iter().collect::<Vec<_>>().join(",")
            }
        }

        impl Property for $type {
            const TYPE: &'static Type = &Type::List(&Type::Named {
                name: $kind,
                doc: concat!("the name of a ", $kind),
                example: "\"ann\"",
            });

            fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
                Names::from_value(value, context).map(Self)
            }

            fn to_value(&self) -> Value {
                self.0.to_value()
            }

            fn settle(&self, current: Option<&Self>) -> Self {
                Self(self.0.settle(current.map(|current| &current.0)))
            }

            fn claim(&self, role: Role, claims: &mut Claims) {
                if role != Role::Export {
                    self.iter().for_each(|name| claims.need(Claim::$claim(name.into())));
                }
            }
        }
    };
}

set!(GroupSet, "Groups, by name; their order does not count.", Group, "group");
set!(UserSet, "Users, by name; their order does not count.", User, "user");

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn wishes_settle_on_what_is_there() {
        let check = |wish: UserSet, current: Option<&[&str]>, expected: &str| {
            let current = current.map(|names| UserSet::new(set(names)));
            assert_eq!(wish.settle(current.as_ref()).joined(), expected);
        };
        let wish = || UserSet::new(set(&["b", "a"]));
        check(wish(), Some(&["c"]), "a,b");
        check(wish(), None, "a,b");
        check(wish().appending(set(&[])), Some(&["c", "a"]), "a,b,c");
        check(wish().appending(set(&["c"])), Some(&["c", "d"]), "a,b,d");
        check(wish().appending(set(&["x"])), None, "a,b");
        check(UserSet::default().appending(set(&["a"])), Some(&["a", "b"]), "b");
    }

    #[test]
    fn values() {
        let check = |value: Value, expected: Result<&str, &str>| {
            let found = GroupSet::from_value(&value, &Context::NOTHING);
            let found = found.map(|set| set.joined()).map_err(|problem| problem.into_all()[0].to_string());
            match (found, expected) {
                (Ok(found), Ok(expected)) => assert_eq!(found, expected),
                (Err(found), Err(expected)) => assert!(found.contains(expected), "{found}"),
                (found, _) => panic!("{value}: {found:?}"),
            }
        };
        let list = |names: &[&str]| Value::list(names.iter().map(|name| Value::text(*name)));
        check(list(&["b", "a", "b"]), Ok("a,b"));
        check(list(&[]), Ok(""));
        check(list(&["a", "b c"]), Err("is not the name of an account"));
        check(list(&["a,b"]), Err("is not the name of an account"));
        check(Value::text("a"), Err("must be a list"));
    }
}
