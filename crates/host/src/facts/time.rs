//! The local time of the machine.

use std::path::Path;
use std::time::SystemTime;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use uphold_resource::{Error, ErrorKind, Result, Value};

use super::machine::Machine;
use crate::look;

pub(super) fn date(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::from(now.date().to_string()))
}

pub(super) fn hour(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::Int(now.hour().into()))
}

pub(super) fn minute(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::Int(now.minute().into()))
}

pub(super) fn weekday(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::from(format!("{:?}", now.weekday()).to_lowercase()))
}

/// The current time in the zone of the machine.
pub(super) fn now(machine: &Machine<'_>) -> Result<Zoned> {
    let now = Timestamp::try_from(SystemTime::now());
    let now = now.map_err(|error| Error::failed("the clock is out of range").because(error))?;
    Ok(now.to_zoned(zone(machine)?))
}

/// The zone by `localtime(5)`: the rules are in the file; UTC without one.
fn zone(machine: &Machine<'_>) -> Result<TimeZone> {
    const FILE: &str = "/etc/localtime";
    match look::read_followed(machine.root, Path::new(FILE)) {
        Ok(rules) => TimeZone::tzif(FILE, &rules).map_err(|error| {
            Error::failed(format!("{FILE} is not a time zone file"))
                .hint("make it a link to a file below /usr/share/zoneinfo")
                .because(error)
        }),
        Err(error) if error.kind() == ErrorKind::Missing => Ok(TimeZone::UTC),
        Err(error) => Err(error),
    }
}
