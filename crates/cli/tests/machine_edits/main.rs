//! Parts of files, passwords and certificates on a disposable host, from plan to removal.

mod documents;
mod hosts;
mod secrets;
mod timers;
