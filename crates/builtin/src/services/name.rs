//! Names of services and units.

use uphold_resource::Property;

/// The types of units that can be started and stopped.
const TYPES: [&str; 10] =
    ["service", "socket", "timer", "path", "target", "mount", "automount", "swap", "slice", "scope"];

/// The name of a service or unit: `nginx`, `nginx.service`, `getty@tty1`.
#[derive(Clone, Debug, PartialEq, Eq, Property)]
#[pattern(r"^[A-Za-z0-9:_.@\\-]{1,250}$")]
pub struct UnitName(pub String);

impl UnitName {
    /// The full name with a type, which defaults to `service`.
    pub(crate) fn whole(&self) -> String {
        match self.unit_type() {
            Some(_) => self.0.clone(),
            None => format!("{}.service", self.0),
        }
    }

    /// The type, if the name has one.
    pub(crate) fn unit_type(&self) -> Option<&'static str> {
        let (stem, end) = self.0.rsplit_once('.')?;
        TYPES.into_iter().find(|ty| *ty == end && !stem.is_empty())
    }

    /// The name without type and instance: `getty` of `getty@tty1.service`.
    pub(crate) fn stem(&self) -> &str {
        let plain = match self.unit_type() {
            Some(ty) => &self.0[..self.0.len() - ty.len() - 1],
            None => &self.0,
        };
        plain.split('@').next().unwrap_or(plain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_names_and_stems() {
        let check = |name: &str, whole: &str, stem: &str| {
            let name = UnitName(name.to_owned());
            assert_eq!((name.whole(), name.stem()), (whole.to_owned(), stem));
        };
        check("nginx", "nginx.service", "nginx");
        check("nginx.service", "nginx.service", "nginx");
        check("a.timer", "a.timer", "a");
        check("php8.2-fpm", "php8.2-fpm.service", "php8.2-fpm");
        check("getty@tty1", "getty@tty1.service", "getty");
        check("x@.socket", "x@.socket", "x");
        check(".service", ".service.service", ".service");
    }
}
