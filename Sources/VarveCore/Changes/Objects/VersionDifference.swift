import Synchronization
import VarveEncoding
package import VarveStorage

/// What leads from one version of a file to another: the objects that differ, class by class.
///
/// Each class is compared when it is asked for, once for all who ask. The versions may lie in either order,
/// and any number of commits apart.
///
/// The difference holds both versions.
///
/// Thread safety: any thread may ask; who asks for a class that is being compared waits for that.
package final class VersionDifference: Sendable {
  package let old: Snapshot
  package let new: Snapshot
  /// A schema that knows the classes of both versions.
  package let schema: FileSchema

  /// What was found, by class id.
  private let found = SharedWork<UInt32, ObjectChanges>()
  /// What was derived from the difference: a `SharedWork` for each type of keys.
  private let derived = Mutex<[ObjectIdentifier: any Sendable]>([:])

  /// - Precondition: the versions are of one environment.
  package init(from old: Snapshot, to new: Snapshot, schema: FileSchema) {
    self.old = old
    self.new = new
    self.schema = schema
  }

  /// The objects of a class that differ.
  ///
  /// - Throws: `.corrupted`.
  /// - Complexity: As `TableDiff`, and for each modified object O(its properties); once.
  package func objects(ofClass id: UInt32) throws(Failure) -> ObjectChanges {
    guard let schema = schema.schema(ofClass: id), old.mayDiffer(from: new, in: schema.table)
    else { return .none }
    return try found.result(for: id) { () throws(Failure) in try changes(of: schema) }
  }

  /// The ids of the classes of which something was written, ascending.
  ///
  /// - Throws: `.corrupted`.
  package func writtenClassIDs() throws(Failure) -> [UInt32] {
    try Failure.translating(try old.changedTables(to: new)).compactMap(\.classID).sorted()
  }

  /// Derives something from the difference, once for all who ask for it.
  ///
  /// - Parameters:
  ///   - key: names what is derived; nil: it is derived for this call alone.
  ///   - work: derives it; it may ask for other keys, but not in a circle.
  /// - Returns: what was derived.
  /// - Throws: what `work` throws; the next one who asks tries again.
  func result<Key: DifferenceKey>(
    for key: Key?, _ work: () throws(Failure) -> Key.Result
  ) throws(Failure) -> Key.Result {
    guard let key else { return try work() }
    let shared = derived.withLock { derived in
      let type = ObjectIdentifier(Key.self)
      if let known = derived[type] as? SharedWork<Key, Key.Result> { return known }
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
    // One array for runs of objects in which the same properties differ.
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

/// Names something that is derived from a difference.
protocol DifferenceKey: Hashable, Sendable {
  associatedtype Result: Sendable
}
