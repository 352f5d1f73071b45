//! Serializes types in another form: `#[serde(with = "via")]`.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uphold_model::{Action, ChangeKind, Moment, Name, ResourceId};

use crate::object::Resource;

/// A type with a serializable form.
pub(crate) trait Plain: Sized {
    type Form: Serialize + DeserializeOwned;
    fn to_plain(&self) -> Self::Form;
    fn from_plain(form: Self::Form) -> Option<Self>;
}

pub(crate) fn serialize<T: Plain, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    value.to_plain().serialize(to)
}

pub(crate) fn deserialize<'de, T: Plain, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    T::from_plain(T::Form::deserialize(from)?).ok_or_else(|| D::Error::custom("a value is invalid"))
}

impl<T: Plain> Plain for Option<T> {
    type Form = Option<T::Form>;

    fn to_plain(&self) -> Self::Form {
        self.as_ref().map(T::to_plain)
    }

    fn from_plain(form: Self::Form) -> Option<Self> {
        form.map_or(Some(None), |form| T::from_plain(form).map(Some))
    }
}

impl<T: Plain> Plain for Vec<T> {
    type Form = Vec<T::Form>;

    fn to_plain(&self) -> Self::Form {
        self.iter().map(T::to_plain).collect()
    }

    fn from_plain(form: Self::Form) -> Option<Self> {
        form.into_iter().map(T::from_plain).collect()
    }
}

/// RFC 3339 in UTC with milliseconds; a time outside its range becomes the epoch.
impl Plain for SystemTime {
    type Form = String;

    fn to_plain(&self) -> String {
        format!("{:.3}", Timestamp::try_from(*self).unwrap_or(Timestamp::UNIX_EPOCH))
    }

    fn from_plain(form: String) -> Option<Self> {
        form.parse::<Timestamp>().ok().map(Into::into)
    }
}

/// Milliseconds with a fraction: a visit often takes less than one.
impl Plain for Duration {
    type Form = f64;

    fn to_plain(&self) -> f64 {
        self.as_secs_f64() * 1_000.0
    }

    fn from_plain(form: f64) -> Option<Self> {
        Duration::try_from_secs_f64(form / 1_000.0).ok()
    }
}

impl Plain for ResourceId {
    type Form = Resource;

    fn to_plain(&self) -> Resource {
        self.into()
    }

    fn from_plain(form: Resource) -> Option<Self> {
        Some(form.into())
    }
}

impl Plain for Name {
    type Form = String;

    fn to_plain(&self) -> String {
        self.to_string()
    }

    fn from_plain(form: String) -> Option<Self> {
        Some(form.into())
    }
}

impl Plain for Arc<[Name]> {
    type Form = Vec<String>;

    fn to_plain(&self) -> Vec<String> {
        self.iter().map(ToString::to_string).collect()
    }

    fn from_plain(form: Vec<String>) -> Option<Self> {
        Some(form.into_iter().map(Into::into).collect())
    }
}

/// Types that are written as one of their names.
macro_rules! named {
    ($($type:ty: $find:expr),*) => {$(
        impl Plain for $type {
            type Form = String;

            fn to_plain(&self) -> String {
                self.word().to_owned()
            }

            fn from_plain(form: String) -> Option<Self> {
                $find(&form)
            }
        }
    )*};
}

named! {
    Action: Action::named,
    ChangeKind: ChangeKind::named,
    Moment: |name: &str| Moment::ALL.into_iter().find(|moment| moment.word() == name)
}
