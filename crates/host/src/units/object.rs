//! D-Bus objects of systemd.

use crate::bus::{Body, Call};

/// The bus name of systemd, and the prefix of its interfaces.
const SYSTEMD: &str = "org.freedesktop.systemd1";

/// The object of the manager.
pub(crate) const MANAGER_PATH: &str = "/org/freedesktop/systemd1";

/// The prefix of objects of units.
const UNITS: &str = "/org/freedesktop/systemd1/unit/";

/// The object of a unit. Characters other than letters and digits are written as hexadecimal numbers.
pub(crate) fn unit_path(name: &str) -> String {
    let mut path = UNITS.to_owned();
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => path.push(char::from(byte)),
            b'0'..=b'9' if at > 0 => path.push(char::from(byte)),
            _ => path.push_str(&format!("_{byte:02x}")),
        }
    }
    path
}

/// A method call of the manager.
pub(crate) fn manager(member: &str, body: Body) -> Call<'_> {
    let interface = "org.freedesktop.systemd1.Manager";
    Call { destination: SYSTEMD, path: MANAGER_PATH, interface, member, body }
}

/// A method call for properties.
pub(super) fn properties<'a>(path: &'a str, member: &'a str, body: Body) -> Call<'a> {
    Call { destination: SYSTEMD, path, interface: "org.freedesktop.DBus.Properties", member, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_unit_names() {
        let check = |name: &str, expected: &str| {
            assert_eq!(unit_path(name), format!("{UNITS}{expected}"));
        };
        check("nginx.service", "nginx_2eservice");
        check("getty@tty1.service", "getty_40tty1_2eservice");
        check("9p.mount", "_39p_2emount");
        check("a-b_c.timer", "a_2db_5fc_2etimer");
    }
}
