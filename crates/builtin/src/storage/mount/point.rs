//! The mount point as a property.

use std::ops::Deref;
use std::path::Path;

use uphold_resource::{
    AbsolutePath, Claim, Claims, Context, Interest, Problem, Property, Reading, Role, Type, Value,
};

/// The directory of a mount.
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

    /// It depends on the directory and its parent, and provides the paths below. The path is not claimed
    /// exclusively, because a `directory` may manage the mount point's properties; the mount at this point is.
    fn claim(&self, _: Role, claims: &mut Claims) {
        claims.hold(Claim::Other("mount point", self.to_string_lossy().into()));
        claims.provide(Claim::Path(self.to_path_buf()));
        claims.need(Claim::Path(self.to_path_buf()));
        claims.needs.extend(self.parent().map(|parent| Claim::Path(parent.to_owned())));
    }

    /// A watched path is reported when it is mounted or unmounted.
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
