//! The storage and system kinds, on a machine in memory with fake tools.

mod claims;
mod disk_tools;
mod laws;
mod planted;
mod storage_laws;
mod sysctl;
mod system_tools;
