//! Room on the heap for many small allocations.

use std::hint::black_box;

/// Makes room for about this many bytes of small allocations in this thread. For a process that ends soon: glibc returns
/// less memory to the system afterwards.
///
/// glibc extends the heap of a thread page by page, with a system call that stops the page faults of all other threads.
/// A large block that is freed remains at the end of the heap, and the next small ones are taken from it. Room that is not
/// used is never touched.
pub fn reserve_heap(bytes: usize) {
    const PAGE: usize = 4096;
    // Larger blocks always come from the system, not from the heap.
    const LARGEST: usize = 31 << 20;
    let bytes = bytes.min(LARGEST);
    // When the first block is freed, glibc begins to take blocks up to this size from the heap.
    for size in [bytes + PAGE, bytes] {
        let mut block = Vec::<u8>::new();
        // Where memory is limited, the heap grows as usual.
        let _ = block.try_reserve_exact(size);
        drop(black_box(block));
    }
}
