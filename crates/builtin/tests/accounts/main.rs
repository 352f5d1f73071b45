//! Accounts, keys, crontabs and sudo rules on a machine in memory: their laws, and how often they read files.

mod batch;
mod claims;
mod interrupted;
mod laws;
mod options;
mod reads;
mod rows;
mod tools;
