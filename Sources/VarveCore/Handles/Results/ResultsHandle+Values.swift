package import VarveEncoding
import VarveLocks
import VarveStorage

extension ResultsHandle {
  /// The values of a query of values, in order. A failure marks the running transaction as failed,
  /// or is logged.
  ///
  /// - Complexity: That of the query, once per version.
  package var values: [Value] {
    if context.isInvalidated { return [] }
    if context.mustNoteRead, !context.readsTransaction, let collection = query.collection {
      context.noteRead(collection.model, collection.ownerID, collection.slot)
    }
    return reporting([]) { () throws(Failure) in
      let stamp = context.versionStamp
      if let values = found.withLock({ $0.values(stamp) }) { return values }
      let values = try query.values(in: try scope(for: query.condition))
      // Another thread may have moved the view meanwhile.
      if context.transaction != nil || stamp == VersionStamp(context.snapshot) {
        _ = found.withLock { $0.elements.remember(.values(values), stamp) }
      }
      return values
    }
  }

  /// Returns the scope for reading the values and evaluating a condition on them. A running
  /// transaction reads a list in memory, and first flushes all other buffered changes.
  private func scope(for condition: Condition) throws(Failure) -> ReadScope {
    guard let transaction = context.transaction, query.collection?.kind == .list,
      !condition.paths.contains(where: { !$0.steps.isEmpty })
    else { return try context.scope() }
    return ReadScope(transaction, of: context.store)
  }

  /// Returns the value at an index, or nil out of bounds.
  package func value(at index: Int) -> Value? {
    let values = values
    return values.indices.contains(index) ? values[index] : nil
  }

  /// Returns the index of the first value that matches a condition, or nil when there is none.
  package func index(satisfying condition: Condition) -> Int? {
    return reporting(nil) { () throws(Failure) in
      let scope = try scope(for: condition)
      let test = try ConditionEvaluator(condition, on: nil, in: scope)
      let property = scope.property(of: query)
      for (index, value) in values.enumerated() where try test.matches(value, in: property) {
        return index
      }
      return nil
    }
  }
}
