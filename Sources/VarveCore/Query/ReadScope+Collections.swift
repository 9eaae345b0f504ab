import VarveEncoding
import VarveStorage

/// Reads the elements of a collection for a query. In a write transaction, a list includes changes
/// that have not been written yet.
extension ReadScope {
  /// The ids of the objects of a collection, in its order. Empty if the owner does not exist.
  ///
  /// - Throws: `.corrupted`. In a write transaction, `.invalidatedObject` for a list without an
  ///   owner.
  /// - Complexity: O(n).
  func objectIDs(of collection: CollectionIdentity) throws(Failure) -> [UInt64] {
    guard let stored = stored(collection) else { return [] }
    if collection.kind == .list, let transaction {
      let list = try transaction.list(try transaction.collection(stored))
      return (0..<list.count).compactMap { list.bits(at: $0) }
    }
    guard let content = try stored.content(in: reader) else { return [] }
    switch collection.kind {
    case .dictionary: return try reader.dictionaryTargets(of: content, stored.property)
    case .set: return try reader.setTargets(of: content, stored.property)
    case .list, .none:
      return (reader as? Snapshot)?.listTargets(of: content, stored.property) ?? []
    }
  }

  /// The elements of a list or set, or the values of a map, in order. Empty if the owner does not
  /// exist. A list element that cannot be read is null, and the file is marked as damaged.
  ///
  /// - Throws: The errors of ``objectIDs(of:)``.
  /// - Complexity: O(n).
  func values(of collection: CollectionIdentity) throws(Failure) -> [Value] {
    guard let stored = stored(collection) else { return [] }
    if collection.kind == .list, let transaction {
      return try transaction.elements(try transaction.collection(stored))
    }
    guard let content = try stored.content(in: reader) else { return [] }
    switch collection.kind {
    case .dictionary:
      return try reader.dictionaryEntries(content, stored.property).map(\.value)
    case .set: return try reader.setElements(content, stored.property)
    case .list, .none:
      guard let snapshot = reader as? Snapshot else { return [] }
      let list = stored.list(content, in: snapshot)
      return (0..<list.count).map { value(of: list, at: $0, stored.property, snapshot) }
    }
  }

  private func value(
    of list: ListDirectory, at index: Int, _ property: StoredProperty, _ snapshot: Snapshot
  ) -> Value {
    do throws(Failure) {
      return try snapshot.resolve(property.stored(list, at: index), property: property)
    } catch {
      store.markDamaged(error.message)
      return .null
    }
  }

  /// The property of the collection that a query for values reads, or nil for a query without a
  /// collection.
  func property(of query: ElementQuery) -> StoredProperty? {
    query.collection.flatMap { stored($0)?.property }
  }

  /// A collection in the file. Nil if the file does not contain the class or stores it with other
  /// types, or if the write that created the owner was rolled back.
  func stored(_ collection: CollectionIdentity) -> StoredCollection? {
    guard !collection.isRolledBack, schema(of: collection.model) != nil else { return nil }
    return collection.stored(in: file)
  }
}
