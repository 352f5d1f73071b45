//! A host with a repository of packages that a test makes up.

use std::ops::Deref;

use uphold_testbed::{Bed, Host, Package, Repository};

/// A plain host whose apt knows one repository, and nothing else.
pub(crate) struct Ground {
    pub(crate) repository: Repository,
    pub(crate) host: Host,
}

impl Ground {
    /// Such a host; its lists of packages are up to date. None where there can be no hosts.
    pub(crate) fn new(name: &str, packages: &[Package]) -> Option<Self> {
        let bed = Bed::open(env!("CARGO_BIN_EXE_uphold"))?;
        let mut repository = Repository::new(&bed);
        repository.add(packages);
        let host = bed.host(name).bind(repository.directory(), Repository::PATH).plain();
        // Copied, so that a package that is added later is not seen without an update.
        host.write("/etc/apt/sources.list", &Repository::SOURCE.replace("file:", "copy:"));
        host.ok("apt-get update");
        Some(Self { repository, host })
    }

    /// How often a package manager has changed something.
    pub(crate) fn transactions(&self) -> usize {
        self.host.ok("cat /var/log/apt/history.log 2>/dev/null || true").matches("Commandline:").count()
    }

    /// Applies a configuration; what it says.
    pub(crate) fn apply(&self, configuration: &str) -> (i32, String) {
        self.host.write(&format!("{}/site.hcl", Host::SITE), configuration);
        let ran = self.host.uphold(&["apply", "site.hcl"]);
        (ran.status, format!("{}{}", ran.stdout, ran.stderr))
    }

    /// The version of a package that is installed; empty if it is not.
    pub(crate) fn version(&self, package: &str) -> String {
        let script =
            format!("dpkg-query -W -f '${{db:Status-Abbrev}} ${{Version}}' {package} 2>/dev/null || true");
        let said = self.host.ok(&script);
        let installed = said.get(1..2) == Some("i");
        said.split_whitespace().last().filter(|_| installed).unwrap_or_default().to_owned()
    }
}

impl Deref for Ground {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}
