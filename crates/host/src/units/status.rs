//! What systemd says about a unit.

use uphold_resource::{Activity, Exit, Unit, UnitFileState, UnitPhase};

use super::object::{manager, properties, unit_path};
use crate::bus::{Body, Connection, Message, Patience, Reader, Trouble};

/// What all units can tell.
const UNIT: &str = "org.freedesktop.systemd1.Unit";

/// What services can tell.
const SERVICE: &str = "org.freedesktop.systemd1.Service";

/// What a unit tells about itself.
#[derive(Default)]
struct Told {
    load: String,
    active: String,
    sub: String,
    fragment: String,
    needs_reload: bool,
}

/// Asks for everything about a unit.
pub(super) fn ask(connection: &mut Connection, name: &str, patience: Patience<'_>) -> Result<Unit, Trouble> {
    let path = unit_path(name);
    let told = connection.call(&properties(&path, "GetAll", Body::default().text(UNIT)), patience)?;
    let told = read(&told).ok_or_else(broken)?;
    let phase = phase(&told.active);
    let mut activity =
        Activity { phase, detail: told.sub, main_process: None, result: String::new(), exit: None };
    // One that is down and fine has nothing more to tell.
    if phase != UnitPhase::Inactive && name.ends_with(".service") {
        add_process(connection, &path, &mut activity, patience)?;
    }
    let fragment = Some(told.fragment).filter(|path| !path.is_empty()).map(Into::into);
    let file_state = match &*told.load {
        "masked" => UnitFileState::Masked,
        _ => ask_file_state(connection, name, patience)?,
    };
    Ok(Unit { activity: Some(activity), file_state, fragment, is_stale: told.needs_reload })
}

/// Asks for the type of a service, such as `notify`.
pub(super) fn ask_type(
    connection: &mut Connection,
    name: &str,
    patience: Patience<'_>,
) -> Result<String, Trouble> {
    let reply = ask_one(connection, &unit_path(name), "Type", patience)?;
    Ok(variant(&mut reply.body(), "s")
        .and_then(|mut value| value.text().map(str::to_owned))
        .unwrap_or_default())
}

/// What the manager keeps of the state of a file is as old as its last reading: this looks at the disk.
fn ask_file_state(
    connection: &mut Connection,
    name: &str,
    patience: Patience<'_>,
) -> Result<UnitFileState, Trouble> {
    match connection.call(&manager("GetUnitFileState", Body::default().text(name)), patience) {
        Ok(reply) => Ok(file_state(reply.body().text().ok_or_else(broken)?)),
        Err(Trouble::Refused { name, .. }) if is_missing(&name) => Ok(UnitFileState::Missing),
        Err(trouble) => Err(trouble),
    }
}

/// How systemd says that there is no such file.
fn is_missing(error: &str) -> bool {
    ["FileNotFound", "NoSuchUnit", "ENOENT"].iter().any(|end| error.ends_with(end))
}

fn add_process(
    connection: &mut Connection,
    path: &str,
    activity: &mut Activity,
    patience: Patience<'_>,
) -> Result<(), Trouble> {
    let mut number = |property: &str, ty: &str| -> Result<u32, Trouble> {
        let reply = ask_one(connection, path, property, patience)?;
        variant(&mut reply.body(), ty).and_then(|mut value| value.number()).ok_or_else(broken)
    };
    activity.main_process = Some(number("MainPID", "u")?).filter(|pid| *pid != 0);
    let code = number("ExecMainCode", "i")?;
    activity.exit = exit(code, number("ExecMainStatus", "i")?.cast_signed());
    let result = ask_one(connection, path, "Result", patience)?;
    let result = variant(&mut result.body(), "s").and_then(|mut value| value.text()).map(str::to_owned);
    activity.result = result.ok_or_else(broken)?;
    Ok(())
}

/// How a process ended, as the kernel puts it for `waitid`.
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
    patience: Patience<'_>,
) -> Result<Message, Trouble> {
    connection.call(&properties(path, "Get", Body::default().text(SERVICE).text(property)), patience)
}

fn read(message: &Message) -> Option<Told> {
    let mut told = Told::default();
    message.body().array(8, |entry| {
        entry.align(8)?;
        let property = entry.text()?;
        let field = match property {
            "LoadState" => &mut told.load,
            "ActiveState" => &mut told.active,
            "SubState" => &mut told.sub,
            "FragmentPath" => &mut told.fragment,
            "NeedDaemonReload" => {
                told.needs_reload = variant(entry, "b")?.number()? != 0;
                entry.skip("b")?;
                return Some(());
            }
            _ => return entry.skip("v").map(drop),
        };
        *field = variant(entry, "s")?.text()?.to_owned();
        entry.skip("s").map(drop)
    })?;
    Some(told)
}

/// A look inside a variant of this type, which is read over to where its value begins.
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

/// The state of a file in systemd's word. What is enabled until the next boot only does not count.
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

fn broken() -> Trouble {
    std::io::Error::new(std::io::ErrorKind::InvalidData, "an answer cannot be read").into()
}
