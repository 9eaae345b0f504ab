public import CVarve

/// Whether this process is a fork of one that had a store open.
///
/// In a fork, no mapping contains the file any more (`CVarveFork.h`), and no lock may be taken that
/// another thread of the parent may have held.
///
/// Thread safety: any thread.
@usableFromInline
package enum ProcessFork {
  /// One load; it never becomes false again.
  @inlinable @inline(__always)
  package static var isChild: Bool { varve_is_forked() != 0 }
}
