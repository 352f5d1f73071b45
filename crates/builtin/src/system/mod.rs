//! Settings of the system: kernel, host name, locale and time zone.

mod assignments;
mod hostname;
mod kernel_module;
mod kernel_value;
mod locale;
mod sysctl;
mod timezone;

pub use hostname::{Hostname, HostnameChange, HostnameGoal, HostnameState, HostnameWishes, MachineName};
pub use kernel_module::{
    KernelModule, KernelModuleChange, KernelModuleGoal, KernelModuleState, KernelModuleWishes, ModuleName,
};
pub use kernel_value::KernelValue;
pub use locale::{Locale, LocaleChange, LocaleGoal, LocaleName, LocaleState, LocaleWishes};
pub use sysctl::{Sysctl, SysctlChange, SysctlGoal, SysctlKey, SysctlState, SysctlWishes};
pub use timezone::{Timezone, TimezoneChange, TimezoneGoal, TimezoneState, TimezoneWishes, Zone};
