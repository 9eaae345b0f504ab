import Logging
import Synchronization
package import VarveEncoding
import VarveStorage

/// A query of values with the context that it reads, and the values that it found in the version read
/// last.
///
/// Thread safety: a lock guards the values.
package final class ValueResultsCell: Sendable {
  package let context: ReadContext
  package let query: ValueQuery
  /// Guards the values found last.
  private let found = Mutex(FoundVersion<[Value]>())

  /// - Precondition: the context is that of the query's collection.
  package init(context: ReadContext, query: ValueQuery) {
    self.context = context
    self.query = query
  }

  /// Whether the owner of the collection exists in what is read.
  package var sourceExists: Bool { query.cell?.exists(in: context) ?? true }

  /// The values, in order. A failure dooms the running transaction, or is logged.
  ///
  /// - Complexity: that of the query, once in each version.
  package var values: [Value] {
    do throws(Failure) {
      let stamp = context.transaction.map { VersionStamp($0) } ?? VersionStamp(context.snapshot)
      if let values = found.withLock({ $0.find(stamp) }) {
        if let cell = query.cell, context.mustNoteRead { cell.owner.noteRead(cell.slot, context) }
        return values
      }
      let values = try query.values(in: context.store, try reader(for: query.condition))
      // Another thread may have moved the view meanwhile.
      if context.transaction != nil || stamp == VersionStamp(context.snapshot) {
        _ = found.withLock { $0.remember(values, stamp) }
      }
      return values
    } catch {
      return report(error)
    }
  }

  /// What a condition reads: collections in the values, which are written first in a write.
  private func reader(for condition: Condition) throws(Failure) -> any TableReader {
    guard let transaction = context.transaction else { return context.snapshot }
    if condition.paths.contains(where: { !$0.steps.isEmpty }) { try transaction.flush() }
    return transaction.reader
  }

  private func report(_ failure: Failure) -> [Value] {
    if let transaction = context.transaction {
      transaction.doom(failure)
    } else if failure.code == .corrupted {
      context.store.markDamaged(failure.message)
    } else {
      context.store.logger.error("\(failure.message)")
    }
    return []
  }

  package var count: Int { values.count }

  /// The value at a place; nil out of bounds.
  package func value(at index: Int) -> Value? {
    let values = values
    return values.indices.contains(index) ? values[index] : nil
  }

  /// The place of the first value that satisfies a condition; nil when there is none.
  package func index(satisfying condition: Condition) -> Int? {
    do throws(Failure) {
      let test = try ConditionEvaluator(
        condition, on: nil, reader: try reader(for: condition), store: context.store)
      for (index, value) in values.enumerated()
      where try test.holds(value, in: query.cell?.property) { return index }
      return nil
    } catch {
      _ = report(error)
      return nil
    }
  }
}
