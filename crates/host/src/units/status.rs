//! The state of a unit, as the D-Bus objects of systemd report it.

use uphold_resource::{Activity, Exit, Unit, UnitFileState, UnitPhase};

use crate::bus::{Body, Call, CallError, Connection, Deadline, Message, Reader};

/// The interface of all units.
const UNIT: &str = "org.freedesktop.systemd1.Unit";

/// The interface of services.
const SERVICE: &str = "org.freedesktop.systemd1.Service";

/// Properties of a unit.
#[derive(Default)]
struct UnitProperties {
    load: String,
    active: String,
    sub: String,
    fragment: String,
    needs_reload: bool,
}

/// Reads the state of a unit.
pub(super) fn ask(
    connection: &mut Connection,
    name: &str,
    deadline: Deadline<'_>,
) -> Result<Unit, CallError> {
    let path = unit_path(name);
    let reply = connection.call(&properties(&path, "GetAll", Body::default().text(UNIT)), deadline)?;
    let found = read(&reply).ok_or_else(broken)?;
    let phase = phase(&found.active);
    let mut activity =
        Activity { phase, detail: found.sub, main_process: None, result: String::new(), exit: None };
    // A unit that is down and did not fail has nothing more to report.
    if phase != UnitPhase::Inactive && name.ends_with(".service") {
        add_process(connection, &path, &mut activity, deadline)?;
    }
    let fragment = Some(found.fragment).filter(|path| !path.is_empty()).map(Into::into);
    let file_state = match &*found.load {
        "masked" => UnitFileState::Masked,
        _ => ask_file_state(connection, name, deadline)?,
    };
    Ok(Unit { activity: Some(activity), file_state, fragment, is_stale: found.needs_reload })
}

/// Reads the type of a service, such as `notify`.
pub(super) fn ask_type(
    connection: &mut Connection,
    name: &str,
    deadline: Deadline<'_>,
) -> Result<String, CallError> {
    let reply = ask_one(connection, &unit_path(name), "Type", deadline)?;
    Ok(variant(&mut reply.body(), "s")
        .and_then(|mut value| value.text().map(str::to_owned))
        .unwrap_or_default())
}

/// Reads the state of a unit file from the disk. The manager's own property is as old as its last reload.
fn ask_file_state(
    connection: &mut Connection,
    name: &str,
    deadline: Deadline<'_>,
) -> Result<UnitFileState, CallError> {
    match connection.call(&manager("GetUnitFileState", Body::default().text(name)), deadline) {
        Ok(reply) => Ok(file_state(reply.body().text().ok_or_else(broken)?)),
        Err(CallError::Refused { name, .. }) if is_missing(&name) => Ok(UnitFileState::Missing),
        Err(error) => Err(error),
    }
}

/// Whether an error of systemd means that the file does not exist.
fn is_missing(error: &str) -> bool {
    ["FileNotFound", "NoSuchUnit", "ENOENT"].iter().any(|end| error.ends_with(end))
}

fn add_process(
    connection: &mut Connection,
    path: &str,
    activity: &mut Activity,
    deadline: Deadline<'_>,
) -> Result<(), CallError> {
    let mut number = |property: &str, ty: &str| -> Result<u32, CallError> {
        let reply = ask_one(connection, path, property, deadline)?;
        variant(&mut reply.body(), ty).and_then(|mut value| value.number()).ok_or_else(broken)
    };
    activity.main_process = Some(number("MainPID", "u")?).filter(|pid| *pid != 0);
    let code = number("ExecMainCode", "i")?;
    activity.exit = exit(code, number("ExecMainStatus", "i")?.cast_signed());
    let result = ask_one(connection, path, "Result", deadline)?;
    let result = variant(&mut result.body(), "s").and_then(|mut value| value.text()).map(str::to_owned);
    activity.result = result.ok_or_else(broken)?;
    Ok(())
}

/// The exit of a process, from the code and status of `waitid`.
fn exit(code: u32, status: i32) -> Option<Exit> {
    match code {
        1 => Some(Exit::Code(status)),
        2 | 3 => Some(Exit::Signal(status)),
        _ => None,
    }
}

fn ask_one(
    connection: &mut Connection,
    path: &str,
    property: &str,
    deadline: Deadline<'_>,
) -> Result<Message, CallError> {
    connection.call(&properties(path, "Get", Body::default().text(SERVICE).text(property)), deadline)
}

fn read(message: &Message) -> Option<UnitProperties> {
    let mut found = UnitProperties::default();
    message.body().array(8, |entry| {
        entry.align(8)?;
        let property = entry.text()?;
        let field = match property {
            "LoadState" => &mut found.load,
            "ActiveState" => &mut found.active,
            "SubState" => &mut found.sub,
            "FragmentPath" => &mut found.fragment,
            "NeedDaemonReload" => {
                found.needs_reload = variant(entry, "b")?.number()? != 0;
                entry.skip("b")?;
                return Some(());
            }
            _ => return entry.skip("v").map(drop),
        };
        *field = variant(entry, "s")?.text()?.to_owned();
        entry.skip("s").map(drop)
    })?;
    Some(found)
}

/// A reader of the value in a variant of this type. `reader` stays at the beginning of the value.
fn variant<'a>(reader: &mut Reader<'a>, ty: &str) -> Option<Reader<'a>> {
    (reader.signature()? == ty).then(|| reader.clone())
}

fn phase(word: &str) -> UnitPhase {
    match word {
        "active" => UnitPhase::Active,
        "reloading" | "refreshing" => UnitPhase::Reloading,
        "failed" => UnitPhase::Failed,
        "activating" | "maintenance" => UnitPhase::Activating,
        "deactivating" => UnitPhase::Deactivating,
        _ => UnitPhase::Inactive,
    }
}

/// The state of a file in systemd's word. A unit that is enabled only until the next boot counts as disabled.
pub(super) fn file_state(word: &str) -> UnitFileState {
    match word {
        "enabled" | "alias" => UnitFileState::Enabled,
        "masked" | "masked-runtime" => UnitFileState::Masked,
        "static" => UnitFileState::Fixed("static"),
        "indirect" => UnitFileState::Fixed("indirect"),
        "generated" => UnitFileState::Fixed("generated"),
        "transient" => UnitFileState::Fixed("transient"),
        "bad" => UnitFileState::Fixed("bad"),
        "" | "not-found" => UnitFileState::Missing,
        _ => UnitFileState::Disabled,
    }
}

fn broken() -> CallError {
    std::io::Error::new(std::io::ErrorKind::InvalidData, "a reply is invalid").into()
}

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
