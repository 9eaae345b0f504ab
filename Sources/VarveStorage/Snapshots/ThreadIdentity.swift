public import CVarve

/// Identifies threads, at the cost of one load.
///
/// Thread safety: a constant of the calling thread.
@usableFromInline
package enum ThreadIdentity {
  /// A number of the calling thread, never 0. The number of a thread that has ended may be reused.
  @inlinable @inline(__always)
  package static var current: UInt { UInt(bitPattern: varve_slot_current()) }

  /// Registers a function to be called when the calling thread ends, on that thread and while it
  /// still has its identity.
  ///
  /// - Parameter handler: The function, which must be the same one for all threads.
  package static func callAtEnd(_ handler: @convention(c) () -> Void) {
    varve_slot_watch_end(handler)
  }

  /// A small number of the calling thread, less than the maximum number of threads that existed at
  /// once.
  package static var number: Int { Int(varve_slot_number()) }
}
