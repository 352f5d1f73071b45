//! What whoever asks may have done.

/// Steers the watch from outside. Called from threads of the server; should return soon.
pub trait Steering: Send + Sync {
    /// Reads the configuration again.
    fn reload(&self);

    /// Looks at everything now.
    fn recheck(&self);
}
