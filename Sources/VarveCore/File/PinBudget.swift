import VarveStorage

/// What a version that somebody pins may cost while there are newer ones.
///
/// Thread safety: a value.
package struct PinBudget: Sendable {
  /// Since when there may be a newer version.
  package var age: Duration
  /// By how many bytes the file may have grown since.
  package var byteCount: Int64
  /// How many newer versions there may be.
  package var versions: UInt64
  /// Whether writes are refused while a version costs more; else that is only logged.
  package var refusesWrites: Bool

  package init(
    age: Duration, byteCount: Int64, versions: UInt64 = .max, refusesWrites: Bool = false
  ) {
    self.age = age
    self.byteCount = byteCount
    self.versions = versions
    self.refusesWrites = refusesWrites
  }

  /// Whether a version costs more. What is not known costs nothing.
  ///
  /// - Parameters:
  ///   - distance: how many newer versions there are.
  ///   - succession: what came after the version.
  /// - Returns: whether it is past any limit.
  func isExceeded(by distance: UInt64, _ succession: VersionSuccession?) -> Bool {
    if distance > versions { return true }
    guard let succession else { return false }
    return succession.age > age || succession.growth > byteCount
  }
}
