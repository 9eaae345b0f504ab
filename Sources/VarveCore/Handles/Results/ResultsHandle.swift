import Logging
import Synchronization
import VarveEncoding
import VarveLocks
package import VarveStorage

/// A query with the context that it reads, and its results in the version read last.
///
/// Thread safety: a lock guards the cached results.
package final class ResultsHandle: Sendable {
  package let context: ReadContext
  package let query: ElementQuery

  enum Elements: Sendable {
    case ids([UInt64])
    case values([Value])
  }

  /// The results found last.
  struct Found {
    var elements = FoundVersion<Elements>()
    /// The first ids only.
    var first = FoundVersion<[UInt64]>()
    var count = FoundVersion<Int>()

    func ids(_ stamp: VersionStamp) -> [UInt64]? {
      if case .ids(let ids)? = elements.find(stamp) { ids } else { nil }
    }

    func values(_ stamp: VersionStamp) -> [Value]? {
      if case .values(let values)? = elements.find(stamp) { values } else { nil }
    }

    /// All ids of a version, if they are cached. The cached first ids are all ids when there are
    /// fewer than were requested.
    func all(_ stamp: VersionStamp) -> [UInt64]? {
      if let ids = ids(stamp) { return ids }
      guard let first = first.find(stamp), first.count < ResultsHandle.firstCount else {
        return nil
      }
      return first
    }
  }

  /// Guards the results found last.
  let found = Lock(Found())

  /// The number of objects that are found at once when one of the first is read.
  private static let firstCount = 256

  /// The largest limit for which counting finds the objects.
  private static let shortLimit = 1024

  /// The number under which reads of these results are tracked; 0 until one is.
  let trackingNumber = Atomic<UInt64>(0)

  /// The already known answer in the version of frozen results.
  private let answer: QueryAnswer?

  /// `answer`: The objects in the version of frozen results, if they are known.
  package init(context: ReadContext, query: ElementQuery, answer: QueryAnswer? = nil) {
    self.context = context
    self.query = query
    self.answer = context.isFrozen ? answer : nil
  }

  package var binding: ClassBinding { context.binding(for: query.model) }

  /// Whether the owner of the collection, or the linked object, exists in the version that is read.
  package var sourceExists: Bool {
    switch query.source {
    case .all:
      // No object has the id 0, so such a read is only notified when the realm is invalidated.
      if context.mustNoteRead, !context.readsTransaction {
        context.noteRead(query.model, 0, nil)
      }
      return query.isOfValues || !context.isInvalidated
    case .collection(let collection):
      return !collection.isRolledBack && CollectionHandle(collection, in: context).exists
    case .linking(let source):
      return !source.isRolledBack
        && RowHandle(source.id, of: source.model, in: context).exists
    case .query(let inner): return ResultsHandle(context: context, query: inner).sourceExists
    }
  }

  /// Whether there is no element, determined without finding all of them.
  package var isEmpty: Bool {
    query.isWholeTable || query.isOfValues ? count == 0 : firstID == nil
  }

  /// The number of elements.
  ///
  /// - Complexity: O(1) for a whole class, that of the range where an index answers the whole
  ///   condition, otherwise that of the query; once per version.
  package var count: Int {
    if query.isOfValues { return values.count }
    if let answer { return answer.count }
    noteRead()
    if let count = evaluateTable(empty: 0, { $0.count($1) }) { return count }
    // Finding the objects of a small limit is faster than counting all, and they are likely read
    // next.
    let isShort = query.limitClause?.limit.map { $0 <= Self.shortLimit } ?? false
    guard case .all = query.source, query.distinct.isEmpty, !isShort else { return objectIDs.count }
    return reporting(0) { () throws(Failure) in
      guard let scope = try tableScope() else { return objectIDs.count }
      return try plannedCount(scope)
    }
  }

  /// Returns the scope in which objects of a class are found, or nil where the context is
  /// invalidated, and where the transaction contains deletions that a failure kept out of the
  /// tables.
  func tableScope() throws(Failure) -> ReadScope? {
    if context.isInvalidated || context.transaction?.deletedInMemory.isEmpty == false { return nil }
    return try context.scope()
  }

  /// Returns the number of objects of a class without finding them.
  private func plannedCount(_ scope: ReadScope) throws(Failure) -> Int {
    let stamp = scope.stamp
    let cached = found.withLock { $0.all(stamp)?.count ?? $0.count.find(stamp) }
    if let cached { return cached }
    let count = try query.count(in: scope)
    _ = found.withLock { $0.count.remember(count, stamp) }
    return count
  }

  /// Evaluates `body` on the table of the class, when the table contains the whole answer.
  ///
  /// Inside a write nothing is flushed for this: the buffered changes are contents of objects, not
  /// insertions or deletions.
  /// - Returns: `empty` when the class is unknown; nil when the objects have to be found.
  private func evaluateTable<R>(empty: R, _ body: (any TableReader, Table) -> R) -> R? {
    if context.isInvalidated { return empty }
    guard query.isWholeTable else { return nil }
    let transaction = context.transaction
    // Objects deleted after a failure of the engine are still in the table.
    if let transaction, !transaction.deletedInMemory.isEmpty { return nil }
    let binding = transaction?.readableBinding(for: query.model) ?? binding
    guard let schema = binding.schema else { return empty }
    return body(transaction?.reader ?? context.snapshot, schema.table)
  }

  /// Returns the id of the object at an index, or nil out of bounds.
  package func objectID(at index: Int) -> UInt64? {
    if let answer { return answer.id(at: index) }
    noteRead()
    if index < Self.firstCount, let first = firstIDs {
      return first.indices.contains(index) ? first[index] : nil
    }
    let ids = objectIDs
    return ids.indices.contains(index) ? ids[index] : nil
  }

  /// The first ids, or all of them where they are cached; nil where finding all objects at once is
  /// better.
  private var firstIDs: [UInt64]? {
    guard case .all = query.source, query.distinct.isEmpty else { return nil }
    return reporting([]) { () throws(Failure) in
      guard let scope = try tableScope() else { return nil }
      let stamp = scope.stamp
      let cached = found.withLock { $0.ids(stamp) ?? $0.first.find(stamp) }
      if let cached { return cached }
      let ids = try query.objectIDs(in: scope, limit: Self.firstCount)
      _ = found.withLock { $0.first.remember(ids, stamp) }
      return ids
    }
  }

  /// The ids of all objects, in order. A failure marks the running transaction as failed, or is
  /// logged.
  package var objectIDs: [UInt64] {
    noteRead()
    return reporting([]) { () throws(Failure) in
      return try currentIDs()
    }
  }

  /// Calls `body`. On a failure, marks the running transaction as failed or logs the failure, and
  /// returns `fallback`.
  func reporting<R>(_ fallback: R, _ body: () throws(Failure) -> R) -> R {
    do throws(Failure) {
      return try body()
    } catch {
      if let transaction = context.transaction {
        transaction.markFailed(error)
      } else if error.code == .corrupted {
        context.store.markDamaged(error.message)
      } else {
        context.store.logger.error("\(error.message)")
      }
      return fallback
    }
  }

  private func currentIDs() throws(Failure) -> [UInt64] {
    if context.isInvalidated { return [] }
    guard let transaction = context.transaction else {
      return try objectIDs(in: context.snapshot)
    }
    let stamp = VersionStamp(transaction)
    if let ids = found.withLock({ $0.ids(stamp) }) { return ids }
    let ids = transaction.withoutDeletedInMemory(
      try query.objectIDs(in: try context.scope()), of: query.model)
    _ = found.withLock { $0.elements.remember(.ids(ids), stamp) }
    return ids
  }

  /// Returns the ids in one snapshot.
  package func objectIDs(in snapshot: Snapshot) throws(Failure) -> [UInt64] {
    if context.isInvalidated { return [] }
    let stamp = VersionStamp(snapshot)
    if let ids = found.withLock({ $0.all(stamp) }) { return ids }
    let ids =
      if let answer {
        answer.ids
      } else {
        try query.objectIDs(in: ReadScope(snapshot, of: context.store))
      }
    _ = found.withLock { $0.elements.remember(.ids(ids), stamp) }
    return ids
  }

  /// Returns the ids in a snapshot that the caller retains; a failure is logged.
  package func objectIDs(pinned snapshot: Snapshot) -> [UInt64] {
    return reporting([]) { () throws(Failure) in
      return try objectIDs(in: snapshot)
    }
  }

  /// The id of the first object, without finding the others.
  ///
  /// - Complexity: O(log n) for a whole class, otherwise that of the plan for one object.
  package var firstID: UInt64? {
    if let answer { return answer.id(at: 0) }
    noteRead()
    let first: UInt64?? = evaluateTable(empty: nil) { reader, table in
      var cursor = reader.cursor(table)
      return cursor.seekFirst() ? cursor.id : nil
    }
    if let first { return first }
    if query.isRerun { return objectIDs.first }
    return reporting(nil) { () throws(Failure) in
      guard let scope = try tableScope() else { return objectIDs.first }
      let cached = found.withLock { $0.ids(scope.stamp) ?? $0.first.find(scope.stamp) }
      if let cached { return cached.first }
      return try query.objectIDs(in: scope, limit: 1).first
    }
  }

  /// The id of the last object.
  ///
  /// - Complexity: O(log n) for a whole class, otherwise that of ``objectIDs``.
  package var lastID: UInt64? {
    if let answer { return answer.id(at: answer.count - 1) }
    noteRead()
    let last: UInt64?? = evaluateTable(empty: nil) { reader, table in
      var cursor = reader.cursor(table)
      return cursor.seekLast() ? cursor.id : nil
    }
    return last ?? objectIDs.last
  }
}
