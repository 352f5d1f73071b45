//! The kind `kernel_module`.

mod name;
mod presence;
mod probe_file;
mod resource;

pub use name::ModuleName;
pub use resource::{
    KernelModule, KernelModuleChange, KernelModuleGoal, KernelModuleState, KernelModuleWishes,
};
