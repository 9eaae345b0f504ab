package import VarveEncoding
import VarveStorage

extension ResultsCell {
  /// The values of a query of values, in order. A failure dooms the running transaction, or is logged.
  ///
  /// - Complexity: that of the query, once in each version.
  package var values: [Value] {
    do throws(Failure) {
      let stamp = context.versionStamp
      if let values = foundValues(stamp) {
        if let cell = query.cell, context.mustNoteRead { cell.owner.noteRead(cell.slot, context) }
        return values
      }
      let values = try query.values(in: context.store, try reader(for: query.condition))
      // Another thread may have moved the view meanwhile.
      if context.transaction != nil || stamp == VersionStamp(context.snapshot) {
        remember(values, stamp)
      }
      return values
    } catch {
      report(error)
      return []
    }
  }

  /// What a condition on values reads: collections in the values, which are written first in a write.
  private func reader(for condition: Condition) throws(Failure) -> any TableReader {
    guard let transaction = context.transaction else { return context.snapshot }
    if condition.paths.contains(where: { !$0.steps.isEmpty }) { try transaction.flush() }
    return transaction.reader
  }

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
      report(error)
      return nil
    }
  }
}
