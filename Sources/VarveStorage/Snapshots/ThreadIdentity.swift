public import CVarve

/// Tells threads apart, at the cost of one load.
///
/// Thread safety: a constant of the calling thread.
@usableFromInline
package enum ThreadIdentity {
  /// A number of the calling thread, never 0; one of a thread that has ended may come again.
  @inlinable @inline(__always)
  package static var current: UInt { UInt(bitPattern: varve_slot_current()) }

  /// Has a function called when the calling thread ends, on it and while it still has its identity.
  ///
  /// - Parameter handler: The function: the same one for all threads.
  package static func callAtEnd(_ handler: @convention(c) () -> Void) {
    varve_slot_watch_end(handler)
  }

  /// A small number of the calling thread, less than the most threads that were at once.
  package static var number: Int { Int(varve_slot_number()) }
}
