//! The functions that expressions can call, and the interface to their surroundings.
//!
//! A function takes values and returns one; it knows neither expressions nor kinds. It accesses the outside world only
//! through [`Surroundings`], so that the same call can be made on a real machine, below another root or in a test.
//!
//! Names and meanings are Terraform's wherever Terraform has the function. No call panics, and none creates a string of
//! more than 16 MiB or a list of more than a million elements.

mod arguments;
mod bounds;
mod call;
mod cost;
mod encoding;
mod files;
mod foreign;
mod function;
mod hashing;
mod invocation;
mod library;
mod lists;
mod maps;
mod networks;
mod number;
mod numbers;
mod paths;
mod patterns;
mod strings;
mod templates;
mod time;
mod types;

pub use call::{Call, FactError, Fault, Surroundings};
pub use foreign::foreign_function_hint;
pub use function::{Accepts, Body, Example, Function, Parameter, Topic};
pub use library::{all, find};
pub use number::compare_numbers;
pub use paths::beside;
