import CVarve

/// References to objects that no other thread can reach.
package enum SoleReference {
  /// Retains an object without the atomic operation that shared objects need.
  ///
  /// - Parameter object: An object to which there is one strong reference, of the calling thread,
  ///   and no weak or unowned one.
  /// - Complexity: O(1); a third of the cost of an ordinary retain.
  @inline(__always)
  package static func retain(_ object: UnsafeMutableRawPointer) { varve_retain_alone(object) }
}
