//! Where something is mounted.

use std::ops::Deref;
use std::path::Path;

use uphold_resource::{
    AbsolutePath, Claim, Claims, Context, Interest, Problem, Property, Reading, Role, Type, Value,
};

/// The directory that something is mounted on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountPoint(AbsolutePath);

impl Property for MountPoint {
    const TYPE: &'static Type = AbsolutePath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        AbsolutePath::from_value(value, context).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    /// It stands on the directory, and on whatever that is in. What is below stands on it; unlike the
    /// path of a file it is not held alone, because a `directory` may say more about it. What is mounted there is.
    fn claim(&self, _: Role, claims: &mut Claims) {
        claims.hold(Claim::Other("mount point", self.to_string_lossy().into()));
        claims.provide(Claim::Path(self.to_path_buf()));
        claims.need(Claim::Path(self.to_path_buf()));
        claims.needs.extend(self.parent().map(|parent| Claim::Path(parent.to_owned())));
    }

    /// A path is reported when something is mounted there, or is mounted no more.
    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.0.watch(role, host, interests);
    }
}

impl Deref for MountPoint {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}
