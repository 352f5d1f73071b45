//! The path of an apt key.

use std::path::Path;

use uphold_resource::{
    AbsolutePath, Claims, Context, Interest, Problem, Property, Reading, Role, Type, Value,
};

/// The directory of repository keys.
const DIRECTORY: &str = "/etc/apt/keyrings";

/// A key file: a path, or a name in `/etc/apt/keyrings`. It ends in `.asc` if it is armored, in `.gpg` if it is
/// binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyring(AbsolutePath);

impl Keyring {
    /// The path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Whether the key is stored as armored text.
    pub(super) fn is_text(&self) -> bool {
        self.0.extension().is_some_and(|extension| extension == "asc")
    }
}

impl Property for Keyring {
    const TYPE: &'static Type = &Type::Named {
        name: "keyring",
        doc: "a path that ends in `.asc` or `.gpg`, or a name in `/etc/apt/keyrings`",
        example: r#""example""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let name = String::from_value(value, context)?;
        if name.starts_with(['/', '~']) {
            let path = AbsolutePath::from_value(value, context)?;
            let fine = path.extension().is_some_and(|extension| extension == "asc" || extension == "gpg");
            let refused = || {
                Problem::new(
                    Some(value),
                    "is not a key file that apt can read",
                    "use a path that ends in .asc or .gpg",
                )
            };
            return if fine { Ok(Self(path)) } else { Err(refused()) };
        }
        let fine = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
        if name.is_empty() || name.starts_with('.') || !name.chars().all(fine) {
            let fix = "use a name of letters, digits, `_`, `.` and `-`, or a path";
            return Err(Problem::new(Some(value), "is not a valid name of a keyring", fix));
        }
        let whole = name.ends_with(".asc") || name.ends_with(".gpg");
        let name = if whole { name } else { format!("{name}.asc") };
        AbsolutePath::new(format!("{DIRECTORY}/{name}")).map(Self)
    }

    fn to_value(&self) -> Value {
        self.0.to_value()
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        self.0.claim(role, claims);
    }

    fn watch(&self, role: Role, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        self.0.watch(role, host, interests);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        let check = |text: &str, expected: Option<&str>| {
            let found = Keyring::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(found.as_ref().and_then(|found| found.path().to_str()), expected, "{text}");
        };
        check("docker", Some("/etc/apt/keyrings/docker.asc"));
        check("docker.gpg", Some("/etc/apt/keyrings/docker.gpg"));
        check("v1.2", Some("/etc/apt/keyrings/v1.2.asc"));
        check("/usr/share/keyrings/x.gpg", Some("/usr/share/keyrings/x.gpg"));
        for wrong in ["", "a/b", "..", "a b", "/etc/apt/keyrings/x", "/etc/../x.asc"] {
            check(wrong, None);
        }
    }
}
