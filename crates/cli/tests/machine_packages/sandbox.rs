//! A host with a repository of generated packages.

use std::ops::Deref;

use uphold_testbed::{Bed, Host, Package, Repository};

/// A plain host whose apt has only one repository.
pub(crate) struct Sandbox {
    pub(crate) repository: Repository,
    pub(crate) host: Host,
}

impl Sandbox {
    /// A host with up-to-date package lists. None if hosts are not possible.
    pub(crate) fn new(name: &str, packages: &[Package]) -> Option<Self> {
        let bed = Bed::open(env!("CARGO_BIN_EXE_uphold"))?;
        let mut repository = Repository::new(&bed);
        repository.add(packages);
        let host = bed.host(name).bind(repository.directory(), Repository::PATH).plain();
        // Copied, so that a package added later is not found without an update.
        host.write("/etc/apt/sources.list", &Repository::SOURCE.replace("file:", "copy:"));
        host.ok("apt-get update");
        Some(Self { repository, host })
    }

    /// The number of transactions of the package manager.
    pub(crate) fn transactions(&self) -> usize {
        self.host.ok("cat /var/log/apt/history.log 2>/dev/null || true").matches("Commandline:").count()
    }

    /// Applies a configuration; returns the exit code and the output.
    pub(crate) fn apply(&self, configuration: &str) -> (i32, String) {
        self.host.write(&format!("{}/site.hcl", Host::SITE), configuration);
        let ran = self.host.uphold(&["apply", "site.hcl"]);
        (ran.status, format!("{}{}", ran.stdout, ran.stderr))
    }

    /// The installed version of a package; empty if it is not installed.
    pub(crate) fn version(&self, package: &str) -> String {
        let script =
            format!("dpkg-query -W -f '${{db:Status-Abbrev}} ${{Version}}' {package} 2>/dev/null || true");
        let printed = self.host.ok(&script);
        let installed = printed.get(1..2) == Some("i");
        printed.split_whitespace().last().filter(|_| installed).unwrap_or_default().to_owned()
    }
}

impl Deref for Sandbox {
    type Target = Host;

    fn deref(&self) -> &Host {
        &self.host
    }
}
