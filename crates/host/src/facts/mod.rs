//! What this machine is.

mod account;
mod answers;
mod clock;
mod hardware;
mod init;
mod kernel;
mod machine;
mod names;
mod network;
mod packages;
mod release;
mod table;
mod virtualization;

pub(crate) use answers::Answers;
