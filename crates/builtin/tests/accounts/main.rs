//! Users, groups, keys, crontabs and rules for sudo on a machine in memory: their laws, and how often they read.

mod batch;
mod claims;
mod interrupted;
mod laws;
mod options;
mod reads;
mod rows;
mod tools;
