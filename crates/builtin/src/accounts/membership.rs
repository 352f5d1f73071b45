//! Sets of user or group names, declared in full or in part.

use std::collections::BTreeSet;

use uphold_resource::{Claim, Claims, Context, Problem, Property, Role, Type, Value};

/// Whether a declared set of names is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Property)]
pub enum Membership {
    /// Add these and keep others.
    Append,
    /// Exactly these.
    Exact,
}

/// A set of names, declared or current.
#[derive(Clone, Debug, Default)]
struct Names {
    names: BTreeSet<String>,
    /// For a declaration: keep other current names, except these.
    keep_others_except: Option<BTreeSet<String>>,
}

/// `keep_others_except` is not part of the value.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Names {
    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let names = Vec::<String>::from_value(value, context)?;
        let Value::List(items) = value else { return Ok(Self::default()) };
        let refused = items.iter().zip(&names).enumerate().filter(|(_, (_, name))| !super::is_usable(name));
        let problems = refused.map(|(at, (item, _))| {
            let fix = "use the name of an account, as in \"ann\"";
            Problem::new(Some(item), "is not a valid account name", fix).inside(&format!("[{at}]"))
        });
        match Problem::of_members(problems.collect::<Vec<_>>()) {
            Some(problem) => Err(problem),
            None => Ok(Self { names: names.into_iter().collect(), keep_others_except: None }),
        }
    }

    fn to_value(&self) -> Value {
        Value::list(self.names.iter().map(|name| Value::text(name.as_str())))
    }

    fn settle(&self, current: Option<&Self>) -> Self {
        let mut names = self.names.clone();
        if let Some(excluded) = &self.keep_others_except {
            names.extend(current.into_iter().flat_map(|current| &current.names).cloned());
            names.retain(|name| !excluded.contains(name));
        }
        Self { names, keep_others_except: None }
    }
}

macro_rules! set {
    ($type:ident, $doc:literal, $claim:ident, $kind:literal) => {
        #[doc = $doc]
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $type(Names);

        impl $type {
            /// A set of exactly these names.
            pub(crate) fn new(names: BTreeSet<String>) -> Self {
                Self(Names { names, keep_others_except: None })
            }

            /// The same declaration, but keeping other current names unless they are `excluded`.
            #[must_use]
            pub(crate) fn appending(self, excluded: BTreeSet<String>) -> Self {
                Self(Names { names: self.0.names, keep_others_except: Some(excluded) })
            }

            /// The names, sorted.
            pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
                self.0.names.iter().map(String::as_str)
            }

            /// The names, separated by commas as the tools take them.
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

set!(GroupSet, "A set of group names; the order does not matter.", Group, "group");
set!(UserSet, "A set of user names; the order does not matter.", User, "user");

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn declared_names_combine_with_current_ones() {
        let check = |declared: UserSet, current: Option<&[&str]>, expected: &str| {
            let current = current.map(|names| UserSet::new(set(names)));
            assert_eq!(declared.settle(current.as_ref()).joined(), expected);
        };
        let declared = || UserSet::new(set(&["b", "a"]));
        check(declared(), Some(&["c"]), "a,b");
        check(declared(), None, "a,b");
        check(declared().appending(set(&[])), Some(&["c", "a"]), "a,b,c");
        check(declared().appending(set(&["c"])), Some(&["c", "d"]), "a,b,d");
        check(declared().appending(set(&["x"])), None, "a,b");
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
        check(list(&["a", "b c"]), Err("is not a valid account name"));
        check(list(&["a,b"]), Err("is not a valid account name"));
        check(Value::text("a"), Err("must be a list"));
    }
}
