import VarveStorage

/// The maximum cost of a pinned version while there are newer ones.
///
/// Thread safety: a value.
package struct PinBudget: Sendable {
  /// The maximum time since a newer version exists.
  package var age: Duration
  /// The maximum growth of the file since, in bytes.
  package var byteCount: Int64
  /// The maximum number of newer versions.
  package var versions: UInt64
  /// Whether writes throw while a version exceeds the budget. Otherwise that is only logged.
  package var refusesWrites: Bool

  package init(
    age: Duration, byteCount: Int64, versions: UInt64 = .max, refusesWrites: Bool = false
  ) {
    self.age = age
    self.byteCount = byteCount
    self.versions = versions
    self.refusesWrites = refusesWrites
  }

  /// Returns whether a version exceeds any limit. Unknown costs count as zero.
  ///
  /// - Parameters:
  ///   - distance: The number of newer versions.
  ///   - succession: The age and file growth since the next version.
  func isExceeded(by distance: UInt64, _ succession: VersionSuccession?) -> Bool {
    if distance > versions { return true }
    guard let succession else { return false }
    return succession.age > age || succession.growth > byteCount
  }
}
