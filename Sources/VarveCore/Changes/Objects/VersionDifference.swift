import VarveEncoding
import VarveLocks
package import VarveStorage

/// The difference between two versions of a file: the objects that differ, class by class.
///
/// Each class is compared at the first request, once for all callers. Either version may be the
/// older one, and any number of commits may lie between them.
///
/// The difference retains both versions.
///
/// Thread safety: any thread may request a class. Requests for a class that is being compared wait
/// for the comparison.
package final class VersionDifference: Sendable {
  package let old: Snapshot
  package let new: Snapshot
  /// A schema that contains the classes of both versions.
  package let schema: FileSchema

  /// The changes found so far, by class id.
  private let found = SharedWork<UInt32, ObjectChanges>()
  /// The results derived from the difference: a `SharedWork` for each type of keys.
  private let derived = Lock<[ObjectIdentifier: any Sendable]>([:])

  /// - Precondition: the versions are of one environment.
  package init(from old: Snapshot, to new: Snapshot, schema: FileSchema) {
    self.old = old
    self.new = new
    self.schema = schema
  }

  /// Returns the objects of a class that differ.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: the cost of `TableDiff`, plus O(properties) for each modified object; paid once.
  package func objects(ofClass id: UInt32) throws(Failure) -> ObjectChanges {
    guard let schema = schema.schema(ofClass: id), old.mayDiffer(from: new, in: schema.table)
    else { return .none }
    return try found.result(for: id) { () throws(Failure) in try changes(of: schema) }
  }

  /// Returns the ids of the classes whose tables were written, ascending.
  ///
  /// - Throws: `.corrupted`.
  package func writtenClassIDs() throws(Failure) -> [UInt32] {
    try Failure.translating(try old.changedTables(to: new)).compactMap(\.classID).sorted()
  }

  /// Derives a result from the difference, once for all callers.
  ///
  /// - Parameters:
  ///   - key: Identifies the result; nil to derive it for this call alone.
  ///   - work: Derives the result. It may request other keys, but without a cycle.
  /// - Throws: The error of `work`. The next request then runs its `work` again.
  func result<Key: DifferenceKey>(
    for key: Key?, _ work: () throws(Failure) -> Key.Result
  ) throws(Failure) -> Key.Result {
    guard let key else { return try work() }
    let shared = derived.withLock { derived in
      let type = ObjectIdentifier(Key.self)
      if let cached = derived[type] as? SharedWork<Key, Key.Result> { return cached }
      let made = SharedWork<Key, Key.Result>()
      derived[type] = made
      return made
    }
    return try shared.result(for: key, work)
  }

  private func changes(of schema: ClassSchema) throws(Failure) -> ObjectChanges {
    var result = ObjectChanges()
    let comparison = RowComparison(schema, old, new)
    var properties: [UInt32] = []
    // One array shared by consecutive objects in which the same properties differ.
    var shared: [UInt32] = []
    var changes = try old.differences(to: new, in: schema.table)
    while let change = try changes.nextEntry() {
      guard let before = change.old else {
        result.inserted.append(change.id)
        continue
      }
      guard let after = change.new else {
        result.deleted.append(change.id)
        continue
      }
      try comparison.differences(before, after, of: change.id, into: &properties)
      if properties.isEmpty { continue }
      if shared != properties { shared = properties }
      result.modified.append(ObjectChanges.Modification(id: change.id, propertyIDs: shared))
    }
    return result
  }
}

/// Identifies a result that is derived from a difference.
protocol DifferenceKey: Hashable, Sendable {
  associatedtype Result: Sendable
}
