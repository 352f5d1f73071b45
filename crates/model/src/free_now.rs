//! Freeing large blocks of memory.

/// Frees a long list that was needed only briefly.
///
/// The list is shrunk before it is dropped: glibc returns the memory of a large block to the system either way, but
/// when such a block is freed, it raises its threshold and from then on keeps freed memory, up to twice that size.
pub fn shed<T>(mut list: Vec<T>) {
    list.clear();
    list.shrink_to(1);
}
