//! The objects of systemd on the bus.

use crate::bus::{Body, Call};

/// The name of systemd on the bus, and the beginning of all its interfaces.
const SYSTEMD: &str = "org.freedesktop.systemd1";

/// Who manages the units.
pub(crate) const MANAGER_PATH: &str = "/org/freedesktop/systemd1";

/// Where units are.
const UNITS: &str = "/org/freedesktop/systemd1/unit/";

/// The object of a unit: what is no plain letter or digit is written as its number.
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

/// A call of the manager.
pub(crate) fn manager(member: &str, body: Body) -> Call<'_> {
    let interface = "org.freedesktop.systemd1.Manager";
    Call { destination: SYSTEMD, path: MANAGER_PATH, interface, member, body }
}

/// A question for properties.
pub(super) fn properties<'a>(path: &'a str, member: &'a str, body: Body) -> Call<'a> {
    Call { destination: SYSTEMD, path, interface: "org.freedesktop.DBus.Properties", member, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_units() {
        let check = |name: &str, expected: &str| {
            assert_eq!(unit_path(name), format!("{UNITS}{expected}"));
        };
        check("nginx.service", "nginx_2eservice");
        check("getty@tty1.service", "getty_40tty1_2eservice");
        check("9p.mount", "_39p_2emount");
        check("a-b_c.timer", "a_2db_5fc_2etimer");
    }
}
