import VarveCore

extension Realm {
  /// The progress of a check of a store.
  ///
  /// The unit is a page or an entry: an object, an index entry, a link or a part of a collection.
  /// The total does not change during a check, and the completed units never decrease. If the store
  /// has problems, they do not increase while the problems are located.
  public struct CheckProgress: Sendable, Hashable {
    /// The number of units checked so far.
    public let completedUnits: Int

    /// The number of units of the whole check.
    public let totalUnits: Int

    /// The fraction that is checked, from 0 to 1. It is 1 only at the end.
    public var fractionCompleted: Double { Double(completedUnits) / Double(max(1, totalUnits)) }
  }
}

extension Realm.CheckProgress {
  /// Returns a reporter of the core that calls a user's closure.
  static func report(to progress: @escaping @Sendable (Self) throws -> Void) -> WorkWatch.Report {
    { completed, total in
      try progress(Self(completedUnits: completed, totalUnits: total))
    }
  }
}
