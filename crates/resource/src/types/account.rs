//! Users and groups, by name or by number.

use std::fmt;
use std::path::Path;

use uphold_model::{Claim, Claims, Name, Problem, Role, Type, Value};

use super::{mismatch, refused};
use crate::error::{Error, ErrorKind, Result};
use crate::host::{Group, Reading, User};
use crate::interest::Interest;
use crate::property::{Context, Property};

/// A user, by name or id. A name stays a name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct UserName(Account);

/// A group, by name or id. A name stays a name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct GroupName(Account);

#[derive(Clone, PartialEq, Eq, Hash)]
enum Account {
    Name(Name),
    Id(u32),
}

/// The id that means "unchanged" to chown(2).
const UNCHANGED: u32 = u32::MAX;

impl Account {
    fn from_value(value: &Value, what: &str) -> Result<Self, Problem> {
        let fix = || format!("write the {what}'s name in quotes, or its number");
        match value {
            Value::Int(id) => u32::try_from(*id)
                .ok()
                .filter(|id| *id != UNCHANGED)
                .map(Account::Id)
                .ok_or_else(|| refused(value, format!("is not a {what} number"), fix())),
            Value::Text(name) if is_account_name(name) => match name.parse::<u32>() {
                Ok(id) => Self::from_value(&Value::Int(i64::from(id)), what),
                Err(_) => Ok(Account::Name(name.clone())),
            },
            Value::Text(_) => Err(refused(value, format!("is not a {what} name"), fix())),
            other => Err(mismatch(other, &format!("a {what}"), fix())),
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Account::Name(name) => Value::Text(name.clone()),
            Account::Id(id) => Value::Int(i64::from(*id)),
        }
    }

    /// The account with this id, in the form of the declaration: an id if an id was declared, else a name.
    fn like(
        declared: Option<&Account>,
        id: u32,
        name: impl FnOnce() -> Result<Option<String>>,
    ) -> Result<Self> {
        if matches!(declared, Some(Account::Id(_))) {
            return Ok(Account::Id(id));
        }
        Ok(name()?.map_or(Account::Id(id), |name| Account::Name(name.into())))
    }
}

/// Whether it is a valid name: no separator of the account files, no path, no leading dash.
fn is_account_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with('-')
        && name.chars().all(|c| !c.is_control() && !c.is_whitespace() && !":/,".contains(c))
}

/// The error for an unknown account. A root directory may lack the database.
fn missing(word: &str, name: &str, database: &str, host: &Reading<'_>) -> Error {
    let is_lacking = || host.files().look(Path::new(database)).is_ok_and(|found| found.is_none());
    let hint = match host.files().root() {
        Some(root) if is_lacking() => {
            format!("{}{database} does not exist: create it, or write the ID as a number", root.display())
        }
        _ => format!("declare the {word}, or correct the name"),
    };
    Error::new(ErrorKind::Missing, format!("there is no {word} `{name}`")).hint(hint)
}

macro_rules! account {
    ($type:ident, $word:literal, $database:literal, $claim:ident, $found:ident, $by_name:ident, $by_id:ident, $id:ident) => {
        impl $type {
            /// The account with this name.
            pub fn named(name: impl Into<Name>) -> Self {
                $type(Account::Name(name.into()))
            }

            /// The account with this id.
            pub fn numbered(id: u32) -> Self {
                $type(Account::Id(id))
            }

            /// The id, which is looked up for a name.
            pub fn id(&self, host: &Reading<'_>) -> Result<u32> {
                match &self.0 {
                    Account::Id(id) => Ok(*id),
                    Account::Name(name) => match host.accounts().$by_name(name)? {
                        Some(found) => Ok(found.$id),
                        None => Err(missing($word, name, $database, host)),
                    },
                }
            }

            /// The account with this id, in the form of the declaration: an id if an id was declared, else a name.
            pub fn found(id: u32, declared: Option<&Self>, host: &Reading<'_>) -> Result<Self> {
                let name = || Ok(host.accounts().$by_id(id)?.map(|found: $found| found.name));
                Account::like(declared.map(|declared| &declared.0), id, name).map($type)
            }
        }

        impl Property for $type {
            const TYPE: &'static Type = &Type::Named {
                name: $word,
                doc: concat!("a ", $word, ", by name or number"),
                example: r#""root""#,
            };

            fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
                Account::from_value(value, $word).map($type)
            }

            fn to_value(&self) -> Value {
                self.0.to_value()
            }

            /// A resource depends on the account that owns it.
            fn claim(&self, _: Role, claims: &mut Claims) {
                if let Account::Name(name) = &self.0 {
                    claims.need(Claim::$claim(name.clone()));
                }
            }

            /// Watches the account databases until the name exists. An existing name is not watched: the databases change
            /// for many reasons, and a name hardly ever gets another id, which a periodic check finds.
            fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
                let is_new = role != Role::Export && !interests.contains(&Interest::Accounts);
                if is_new && self.id(host).is_err() {
                    interests.push(Interest::Accounts);
                }
            }
        }

        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.to_value())
            }
        }
    };
}

account!(UserName, "user", "/etc/passwd", User, User, user, user_by_id, uid);
account!(GroupName, "group", "/etc/group", Group, Group, group, group_by_id, gid);
