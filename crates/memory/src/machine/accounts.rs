//! Users and groups of a machine in memory.

use uphold_resource::{Accounts, Group, Result, User};

use super::host::MemoryHost;

impl Accounts for MemoryHost {
    fn user(&self, name: &str) -> Result<Option<User>> {
        Ok(self.lock().world.users.get(name).cloned())
    }

    fn user_by_id(&self, uid: u32) -> Result<Option<User>> {
        Ok(self.lock().world.users.values().find(|user| user.uid == uid).cloned())
    }

    fn group(&self, name: &str) -> Result<Option<Group>> {
        Ok(self.lock().world.groups.get(name).cloned())
    }

    fn group_by_id(&self, gid: u32) -> Result<Option<Group>> {
        Ok(self.lock().world.groups.values().find(|group| group.gid == gid).cloned())
    }

    fn is_private_group(&self, owner: u32, gid: u32) -> Result<bool> {
        Ok(self.lock().is_private_group(owner, gid))
    }

    fn current_uid(&self) -> u32 {
        self.lock().uid
    }
}
