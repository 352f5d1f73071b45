//! What a service manager is told: systemd's protocol of notifications.

use std::os::linux::net::SocketAddrExt;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::error::CliError;

/// The socket that the service manager listens at. Clones tell the same one.
///
/// It is told things, and nothing depends on whether they arrive: a manager that went away is no reason to let go of the
/// machine.
#[derive(Clone, Debug)]
pub(crate) struct ServiceManager(Arc<Line>);

#[derive(Debug)]
struct Line {
    socket: UnixDatagram,
    address: SocketAddr,
}

impl ServiceManager {
    /// The one that started us, if it wants to be told. `address` is what `NOTIFY_SOCKET` says: a path, or a name that
    /// begins with `@`.
    ///
    /// # Errors
    /// If there is no such address.
    pub(crate) fn at(address: &std::ffi::OsStr) -> Result<Self, CliError> {
        let told = |error| {
            CliError::new(format!("cannot tell the service manager at {}", address.display())).because(&error)
        };
        let address = match address.as_bytes() {
            [b'@', name @ ..] => SocketAddr::from_abstract_name(name).map_err(told)?,
            _ => SocketAddr::from_pathname(Path::new(address)).map_err(told)?,
        };
        let socket = UnixDatagram::unbound().map_err(told)?;
        // A manager that does not read must not hold us up.
        socket.set_nonblocking(true).map_err(told)?;
        Ok(Self(Arc::new(Line { socket, address })))
    }

    /// Everything was visited once, or the reload is over.
    pub(crate) fn ready(&self, status: &str) {
        self.tell(&format!("READY=1\nSTATUS={}", line(status)));
    }

    /// The configuration is read again; `since` is the time of the kernel's monotonic clock.
    pub(crate) fn reloading(&self, since: Duration) {
        self.tell(&format!("RELOADING=1\nMONOTONIC_USEC={}", since.as_micros()));
    }

    /// The watch ends.
    pub(crate) fn stopping(&self) {
        self.tell("STOPPING=1\nSTATUS=ending");
    }

    /// How it goes.
    pub(crate) fn status(&self, status: &str) {
        self.tell(&format!("STATUS={}", line(status)));
    }

    /// We are alive.
    pub(crate) fn beat(&self) {
        self.tell("WATCHDOG=1");
    }

    fn tell(&self, words: &str) {
        let _ = self.0.socket.send_to_addr(words.as_bytes(), &self.0.address);
    }
}

/// A line end would begin another assignment.
fn line(status: &str) -> String {
    status.replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_abstract_socket_is_told_too() {
        let name = format!("uphold-test-{}", std::process::id());
        let address = SocketAddr::from_abstract_name(&name).expect("a name");
        let manager = UnixDatagram::bind_addr(&address).expect("a socket");
        let ours = ServiceManager::at(std::ffi::OsStr::new(&format!("@{name}"))).expect("an address");
        let heard = || {
            let mut buffer = [0; 256];
            let length = manager.recv(&mut buffer).expect("a message");
            String::from_utf8_lossy(&buffer[..length]).into_owned()
        };
        ours.ready("holding\nREADY=0");
        assert_eq!(heard(), "READY=1\nSTATUS=holding READY=0");
        ours.reloading(Duration::from_millis(12));
        assert_eq!(heard(), "RELOADING=1\nMONOTONIC_USEC=12000");
        drop(manager);
        ours.beat();
    }
}
