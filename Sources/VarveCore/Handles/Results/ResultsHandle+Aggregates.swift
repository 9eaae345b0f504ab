package import VarveEncoding
import VarveStorage

extension ResultsHandle {
  /// Calls `body` with each non-null value of a property of the objects.
  package func forEachValue(_ path: [String], _ body: (Value) -> Void) {
    reporting(()) { () throws(Failure) in try walk(path, body) }
  }

  /// Returns the sum of a property. Nulls are skipped.
  ///
  /// - Complexity: O(objects). For a whole class, or a condition on it that no index answers, a
  ///   scan.
  package func sum(_ path: [String]) -> ValueSum {
    let scanned = scan(path) { (plan, property, scope) throws(Failure) -> ValueSum? in
      guard case .table = plan.access else { return nil }
      return try plan.scan(scope).sum(property)
    }
    if let scanned { return scanned }
    var sum = ValueSum()
    forEachValue(path) { sum.add($0) }
    return sum
  }

  /// Returns the least or the greatest value of a property of a type. Nulls and NaNs are skipped.
  ///
  /// - Complexity: O(log n) for an indexed property of a whole class, otherwise that of
  ///   ``sum(_:)``.
  package func extreme(
    _ path: [String], _ end: ValueExtreme.End, of type: PropertyType
  ) -> Value? {
    let scanned = scan(path) { (plan, property, scope) throws(Failure) -> Value? in
      guard case .table = plan.access else { return nil }
      if plan.filter.isAlways, let value = try indexed(property, end, plan.schema, scope) {
        return value
      }
      return try plan.scan(scope).extreme(property, end) ?? .null
    }
    if let scanned { return scanned.isNull ? nil : scanned }
    var extreme = ValueExtreme(end, of: type)
    forEachValue(path) { extreme.add($0) }
    return extreme.value
  }

  /// Evaluates `body` with the plan of a query on a class and a property of its objects.
  ///
  /// - Returns: Nil where the values have to be read one by one.
  private func scan<R>(
    _ path: [String],
    _ body: (QueryPlan, StoredProperty, ReadScope) throws(Failure) -> R?
  ) -> R? {
    guard !context.isInvalidated, case .all = query.source, !query.isRerun, path.count == 1 else {
      return nil
    }
    noteRead(path)
    return reporting(nil) { () throws(Failure) in
      guard let scope = try tableScope(), let schema = scope.schema(of: query.model),
        let property = query.model.storedProperty(named: path[0], in: schema),
        property.kind.collection == .none, !scope.mayContainMarks(property)
      else { return nil }
      let plan = QueryPlanner(query.model, schema, scope).plan(query.condition)
      return try body(plan, property, scope)
    }
  }

  /// Returns the least or greatest value of an indexed property; null for no value, nil without an
  /// index.
  private func indexed(
    _ property: StoredProperty, _ end: ValueExtreme.End, _ schema: ClassSchema, _ scope: ReadScope
  ) throws(Failure) -> Value? {
    let reader = scope.reader
    if property.isPrimaryKey, property.kind.isIntegerKey {
      var cursor = reader.cursor(schema.table)
      guard end == .least ? cursor.seekFirst() : cursor.seekLast() else { return .null }
      return .int(ObjectKey.integer(forObjectID: cursor.id))
    }
    guard scope.hasIndexes,
      let index = schema.index(of: property, fileKey: context.store.fileKey)
    else { return nil }
    guard let id = try IndexRange.extreme(of: index, reader, ascending: end == .least) else {
      return .null
    }
    return try reader.value(schema, id, property) ?? .null
  }

  private func walk(_ path: [String], _ body: (Value) -> Void) throws(Failure) {
    noteRead(path)
    let scope = try context.scope()
    let property = try PropertyPath(path, of: query.model, scope)
    let ids = (scope.reader as? Snapshot).map { objectIDs(pinned: $0) } ?? objectIDs
    for id in ids {
      let value = try property.value(ofObject: id, scope.reader)
      if !value.isNull { body(value) }
    }
  }
}
