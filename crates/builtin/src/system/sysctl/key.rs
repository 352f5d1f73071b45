//! Names of kernel settings.

use std::fmt;
use std::path::PathBuf;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The directory of the kernel's settings.
pub(super) const KERNEL: &str = "/proc/sys";

const FIX: &str = "use a name as sysctl prints it, such as \"net.ipv4.ip_forward\"";

/// The name of a setting: `net.ipv4.ip_forward`, or `net/ipv4/ip_forward`. The first separator in the name is the
/// separator; a part that contains it is written with the other one, as in `net.ipv4.conf.eth0/100.forwarding`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SysctlKey {
    parts: Vec<String>,
}

impl SysctlKey {
    /// Parses a name; none if it is not valid.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let separator = text.chars().find(|c| matches!(c, '.' | '/')).unwrap_or('.');
        let parts: Vec<String> = text
            .split(separator)
            .map(|part| if separator == '.' { part.replace('/', ".") } else { part.to_owned() })
            .collect();
        let is_wrong = |part: &String| {
            part.is_empty()
                || part == "."
                || part == ".."
                || part.contains(|c: char| c.is_whitespace() || c.is_control() || c == '=')
        };
        let is_comment = text.starts_with(['#', ';', '-']);
        (parts.len() > 1 && !is_comment && !parts.iter().any(is_wrong)).then_some(Self { parts })
    }

    /// The path of the kernel's file.
    pub(super) fn path(&self) -> PathBuf {
        [PathBuf::from(KERNEL)].into_iter().chain(self.parts.iter().map(PathBuf::from)).collect()
    }

    /// The default file for the setting, which is read after those of packages.
    pub(super) fn file(&self) -> PathBuf {
        PathBuf::from(format!("/etc/sysctl.d/99-uphold-{}.conf", self.to_string().replace('/', "_")))
    }

    /// The last part of the name.
    pub(super) fn last(&self) -> &str {
        self.parts.last().map_or("", String::as_str)
    }

    /// The same name with another last part.
    pub(super) fn with_last(&self, last: &str) -> Self {
        let mut parts = self.parts.clone();
        parts.pop();
        parts.push(last.to_owned());
        Self { parts }
    }
}

impl fmt::Display for SysctlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, part) in self.parts.iter().enumerate() {
            write!(f, "{}{}", if at == 0 { "" } else { "." }, part.replace('.', "/"))?;
        }
        Ok(())
    }
}

impl Property for SysctlKey {
    const TYPE: &'static Type = &Type::Named {
        name: "sysctl key",
        doc: "the name of a kernel setting",
        example: r#""net.ipv4.ip_forward""#,
    };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        Self::parse(&text)
            .ok_or_else(|| Problem::new(Some(value), "is not the name of a kernel setting", FIX))
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_paths() {
        let check = |text: &str, path: Option<&str>, dotted: &str| {
            let key = SysctlKey::parse(text);
            assert_eq!(key.as_ref().map(SysctlKey::path), path.map(PathBuf::from), "{text}");
            assert_eq!(key.map(|key| key.to_string()).unwrap_or_default(), dotted);
        };
        check("net.ipv4.ip_forward", Some("/proc/sys/net/ipv4/ip_forward"), "net.ipv4.ip_forward");
        check("net/ipv4/ip_forward", Some("/proc/sys/net/ipv4/ip_forward"), "net.ipv4.ip_forward");
        let vlan = "net.ipv4.conf.eth0/100.forwarding";
        check(vlan, Some("/proc/sys/net/ipv4/conf/eth0.100/forwarding"), vlan);
        check("net/ipv4/conf/eth0.100/forwarding", Some("/proc/sys/net/ipv4/conf/eth0.100/forwarding"), vlan);
        for wrong in ["", "vm", "vm.", ".vm", "vm..x", "vm/../x", "vm.a b", "vm.a=b", "#vm.x", "/vm/x"] {
            check(wrong, None, "");
        }
    }
}
