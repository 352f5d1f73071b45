//! Giving large blocks of memory back.

/// Drops a long list that was needed for a moment only.
///
/// It is made small before it goes: glibc gives the memory of a large block back to the system either way, but takes
/// the freeing of one for a sign that more will come, and from then on keeps what is freed, up to twice that size.
pub fn shed<T>(mut list: Vec<T>) {
    list.clear();
    list.shrink_to(1);
}
