public import CVarve

/// Tells threads apart, at the cost of one load.
///
/// Thread safety: a constant of the calling thread.
@usableFromInline
package enum ThreadIdentity {
  /// A number of the calling thread, never 0; one of a thread that has ended may come again.
  @inlinable @inline(__always)
  package static var current: UInt { UInt(bitPattern: varve_slot_current()) }

  /// A small number of the calling thread, less than the most threads that were at once.
  package static var number: Int { Int(varve_slot_number()) }
}
