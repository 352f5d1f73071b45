//! The laws, for the kinds about disks and about the system, on a machine in memory whose tools are stand-ins.

mod claims;
mod disk_tools;
mod laws;
mod planted;
mod storage_laws;
mod sysctl;
mod system_tools;
