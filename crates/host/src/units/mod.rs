//! systemd units: over D-Bus where systemd runs, and through `systemctl` where it does not.

mod job;
mod offline;
mod reloading;
mod status;
mod systemd;

pub(crate) use status::{MANAGER_PATH, manager, unit_path};
pub(crate) use systemd::Systemd;
