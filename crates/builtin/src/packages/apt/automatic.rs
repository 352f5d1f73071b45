//! Packages that apt installed as dependencies: `/var/lib/apt/extended_states`.

use std::collections::HashSet;

use uphold_resource::{Parsed, Result};

use crate::packages::paragraphs;

/// The path of the database.
pub(super) const PATH: &str = "/var/lib/apt/extended_states";

/// The automatically installed packages, as `name:architecture`.
pub(super) struct Automatic(HashSet<String>);

impl Automatic {
    /// A package for all architectures is listed with the native one, so the name alone is stored, too.
    pub(super) fn contains(&self, name: &str, architecture: &str) -> bool {
        let all = architecture == "all" && self.0.contains(name);
        all || self.0.contains(&format!("{name}:{architecture}"))
    }
}

impl Parsed for Automatic {
    fn parse(content: &[u8]) -> Result<Self> {
        let text = String::from_utf8_lossy(content);
        let mut names = HashSet::new();
        for paragraph in paragraphs(&text) {
            let (mut name, mut architecture, mut automatic) = ("", "", false);
            for (field, value) in paragraph {
                match field {
                    "Package" => name = value,
                    "Architecture" => architecture = value,
                    "Auto-Installed" => automatic = value == "1",
                    _ => {}
                }
            }
            if automatic {
                names.insert(name.to_owned());
                names.insert(format!("{name}:{architecture}"));
            }
        }
        Ok(Self(names))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_automatic_packages() {
        let text = "Package: a\nArchitecture: amd64\nAuto-Installed: 1\n\nPackage: b\nArchitecture: amd64\nAuto-Installed: 0\n";
        let automatic = Automatic::parse(text.as_bytes()).unwrap();
        let check = |name, architecture, expected| {
            assert_eq!(automatic.contains(name, architecture), expected, "{name}:{architecture}");
        };
        check("a", "amd64", true);
        check("a", "all", true);
        check("a", "i386", false);
        check("b", "amd64", false);
        check("c", "all", false);
    }
}
