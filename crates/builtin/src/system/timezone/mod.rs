//! The kind `timezone`.

mod resource;
mod zone;

pub use resource::{Timezone, TimezoneChange, TimezoneGoal, TimezoneState, TimezoneWishes};
pub use zone::Zone;
