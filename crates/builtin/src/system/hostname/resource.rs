//! What a machine is called.

use std::path::{Path, PathBuf};

use uphold_resource::{
    Act, Claim, Claiming, Claims, ErrorKind, Interest, Reading, Resource, Result, Step, Value, Want, Watching,
};

use super::MachineName;
use super::hosts::{self, HOSTS, OwnNames};
use crate::edited_file::EditedFile;
use crate::system::assignments::{self, Assignments};
use crate::{machine, tool};

/// Where the name is kept.
const HOSTNAME: &str = "/etc/hostname";
/// Where the kernel shows the one that it has.
const KERNEL: &str = "/proc/sys/kernel/hostname";
/// Where the name for people is kept, and what it is called there.
const MACHINE_INFO: &str = "/etc/machine-info";
const PRETTY: &str = "PRETTY_HOSTNAME";

/// What a machine is called, now and whenever it starts.
///
/// The label is the name. Both are looked at: what the kernel has (`runtime`), and what `/etc/hostname` says
/// (`persistent`). Below another root only the file is written. A machine has one name: a second `hostname` is
/// refused, and it cannot be removed.
///
/// ```hcl
/// hostname "web1.example.org" {
///   in_hosts = true
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "hostname", claims, interests, permanent)]
pub struct Hostname {
    /// The name, with or without the domain; the block's label unless set.
    #[also("hostname")]
    #[name]
    pub name: MachineName,
    /// The name that the kernel has; `name` unless set.
    #[also("transient_hostname")]
    pub runtime: Want<MachineName>,
    /// The name in `/etc/hostname`; `name` unless set.
    #[also("static_hostname")]
    pub persistent: Want<MachineName>,
    /// A name for people, with blanks if you like, in `/etc/machine-info`; null for none.
    #[also("pretty_hostname")]
    #[check(is_one_line, "must be one line of text")]
    pub pretty: Want<Option<String>>,
    /// Whether `/etc/hosts` knows the name, with and without its domain, at 127.0.1.1.
    #[also("fqdn", "aliases")]
    pub in_hosts: Want<bool>,
}

fn is_one_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.chars().any(char::is_control))
}

impl Resource for Hostname {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.persistent = Want::of(self.persistent.get().unwrap_or(&self.name).clone());
        if self.runtime.is_set() {
            return machine::must_run("setting `runtime`", "leave it out for an image", host);
        }
        if machine::is_running(host)? {
            self.runtime = Want::of(self.name.clone());
        }
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<HostnameState>> {
        let info = host.parsed::<Assignments>(Path::new(MACHINE_INFO))?;
        let own = host.parsed::<OwnNames>(Path::new(HOSTS))?;
        Ok(Some(HostnameState {
            runtime: read_name(KERNEL, host)?,
            persistent: read_name(HOSTNAME, host)?,
            pretty: info.and_then(|info| info.get(PRETTY).map(ToOwned::to_owned)),
            in_hosts: own.is_some_and(|own| own.are(&self.name)),
        }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Step::Update { change, .. } = step else { return Ok(()) };
        if let Some(delta) = &change.persistent {
            let is_any = |line: &[u8]| !line.starts_with(b"#");
            EditedFile::of_system(Path::new(HOSTNAME)).rewrite_lines(host, |file| {
                file.put(delta.to.to_string(), is_any);
            })?;
        }
        if let Some(delta) = &change.pretty {
            let pretty = delta.to.as_deref();
            EditedFile::of_system(Path::new(MACHINE_INFO)).or_nothing().rewrite_lines(host, |file| {
                assignments::assign(file, PRETTY, pretty);
            })?;
        }
        if let Some(delta) = &change.in_hosts {
            let name = delta.to.then_some(&self.name);
            EditedFile::of_system(Path::new(HOSTS)).rewrite_lines(host, |table| hosts::put(table, name))?;
        }
        match &change.runtime {
            Some(delta) => rename(&delta.to, host),
            None => Ok(()),
        }
    }
}

impl Claiming for Hostname {
    /// There is one.
    fn add_claims(&self, claims: &mut Claims) {
        claims.hold(Claim::Other("the", "host name".into()));
        claims.hold(Claim::Path(PathBuf::from(HOSTNAME)));
        claims.edit(Claim::Path(PathBuf::from(MACHINE_INFO)));
        claims.edit(Claim::Path(PathBuf::from(HOSTS)));
    }
}

impl Watching for Hostname {
    /// Nobody reports what the kernel is called.
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        let files = [HOSTNAME, MACHINE_INFO, HOSTS, KERNEL];
        interests.extend(files.map(|path| Interest::Path(PathBuf::from(path))));
        interests.push(Interest::Interval(machine::LIVE));
    }
}

/// The first line that is no comment; nothing if there is no such file.
fn read_name(path: &str, host: &Reading<'_>) -> Result<MachineName> {
    let path = Path::new(path);
    let Some(entry) = host.files().look(path)? else { return Ok(MachineName::found("")) };
    let content = host.files().read(path, entry.size)?;
    let text = String::from_utf8_lossy(&content);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(MachineName::found(line.unwrap_or_default()))
}

/// Small systems have the one program or the other.
fn rename(name: &MachineName, host: &Act<'_>) -> Result<()> {
    let what = format!("cannot name the running machine {name}");
    match tool::run(&tool::command("hostname", [name.as_str()]), &what, host) {
        Err(error) if error.kind() == ErrorKind::Missing => {
            let other = tool::command("hostnamectl", ["--transient", "set-hostname", name.as_str()]);
            tool::run(&other, &what, host).map(drop)
        }
        done => done.map(drop),
    }
}
