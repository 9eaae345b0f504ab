import CVarve

/// References to objects that no other thread can reach.
package enum SoleReference {
  /// Counts one more reference, without the atomic operation that an object needs which threads share.
  ///
  /// - Parameter object: an object to which there is one strong reference, of the calling thread, and no weak or unowned
  ///   one.
  /// - Complexity: O(1); a third of what counting costs otherwise.
  @inline(__always)
  package static func retain(_ object: UnsafeMutableRawPointer) { varve_retain_alone(object) }
}
