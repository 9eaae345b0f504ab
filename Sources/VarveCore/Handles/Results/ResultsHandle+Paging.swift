import VarveEncoding
import VarveStorage

extension ResultsHandle {
  /// Returns the position of an object in the order of the results, whether they contain it or not.
  ///
  /// - Throws: `.unmanaged`, `.foreignObject`, `.invalidatedObject`; `.invalidInput` for results
  ///   whose order is not that of values and ids, see ``ElementQuery/valueOrder``; `.corrupted`.
  /// - Complexity: O(sort keys).
  package func position(of handle: borrowing RowHandle) throws(Failure) -> ResultsPosition {
    let scope = try context.scope()
    let keys = try orderKeys()
    let id = try id(of: handle)
    var values: [Value] = []
    for key in keys {
      let path = try PropertyPath(key.path, of: query.model, scope)
      values.append(try path.value(ofObject: id, scope.reader))
    }
    return ResultsPosition(order: try query.model.orderTag(keys), values: values, id: id)
  }

  /// Returns the condition that matches the objects after a position in the order of the results.
  ///
  /// - Returns: Nil where no condition expresses that order; see ``offset(after:)``.
  /// - Throws: `.invalidCursor` for a position in another order; the errors of ``position(of:)``.
  package func condition(after position: ResultsPosition) throws(Failure) -> Condition? {
    let scope = try context.scope()
    let keys = try orderKeys(of: position, scope)
    guard isOrderedClass, let schema = scope.schema(of: query.model) else { return nil }
    for key in keys {
      // Values of several types have an order that comparisons do not implement.
      let path = try PropertyPath(key.path, of: query.model, scope)
      if key.collation != .bytes || path.isMixed { return nil }
    }
    let object = ObjectReference(position.id, of: schema, in: context.store, nil)
    return Condition.behind(keys, position.values, object)
  }

  /// Returns the number of objects up to a position in the order of the results.
  ///
  /// - Throws: See ``condition(after:)``.
  /// - Complexity: That of ``objectIDs``, and O(log n) reads.
  package func offset(after position: ResultsPosition) throws(Failure) -> Int {
    let scope = try context.scope()
    let keys = try orderKeys(of: position, scope)
    var columns: [(path: PropertyPath, key: ElementQuery.SortKey, value: Value)] = []
    for (key, value) in zip(keys, position.values) {
      let path = try PropertyPath(key.path, of: query.model, scope)
      columns.append((path, key, value.collated(key.collation)))
    }
    return try objectIDs.countAscending { (id) throws(Failure) in
      for (path, key, value) in columns {
        let other = try path.value(ofObject: id, scope.reader).collated(key.collation)
        switch SortOrder.order(other, value) {
        case .ascending: return key.isAscending
        case .descending: return !key.isAscending
        case .equal, .unordered: continue
        }
      }
      return id <= position.id
    }
  }

  /// Returns the index after the last occurrence of an object in a collection with an order of its
  /// own, or nil when it is not among the results; nil, too, for other results.
  package func offset(after handle: borrowing RowHandle) throws(Failure) -> Int?? {
    guard query.valueOrder == nil else { return nil }
    let id = try id(of: handle)
    return .some(objectIDs.lastIndex(of: id).map { $0 + 1 })
  }

  /// Whether the results are objects of a class in the order of values.
  private var isOrderedClass: Bool {
    guard query.distinct.isEmpty, query.limitClause == nil else { return false }
    if case .all = query.source { return true }
    return false
  }

  /// Returns the id of an object of the store that exists in the version that is read.
  private func id(of handle: borrowing RowHandle) throws(Failure) -> UInt64 {
    guard let object = ObjectReference(handle) else {
      throw Failure(
        .unmanaged, "A page begins only after a managed object.", className: query.model.name)
    }
    let classID = try context.scope().schema(of: query.model)?.id
    guard handle.context?.store === context.store, handle.binding.schema?.id == classID else {
      throw Failure(
        .foreignObject, "The object belongs to another store or class than the results.",
        className: query.model.name)
    }
    guard case .link(_, let id) = object.value(in: context.store), handle.exists(in: context) else {
      throw .invalidatedObject(query.model.name)
    }
    return id
  }

  private func orderKeys() throws(Failure) -> [ElementQuery.SortKey] {
    if let keys = query.valueOrder { return keys }
    throw Failure(
      .invalidInput, "A collection in its own order has no cursors; sort all objects of a class.",
      className: query.ownerName)
  }

  /// Returns the keys of the order, after checking that a position belongs to it.
  private func orderKeys(
    of position: ResultsPosition, _ scope: ReadScope
  ) throws(Failure) -> [ElementQuery.SortKey] {
    let keys = try orderKeys()
    guard position.order == (try query.model.orderTag(keys)), position.values.count == keys.count
    else {
      throw Failure(
        .invalidCursor, "The cursor belongs to results of another class or order.",
        className: query.model.name)
    }
    return keys
  }
}

extension ElementQuery {
  /// The sort keys that determine the order of the elements together with their ids; nil for a
  /// list or a dictionary, whose order is its own.
  var valueOrder: [SortKey]? {
    let keys = sortKeys + distinct.reversed().flatMap(\.sortKeys)
    switch source {
    case .all, .linking: return keys
    case .collection(let collection): return collection.kind == .set ? keys : nil
    case .query(let inner): return inner.valueOrder.map { keys + $0 }
    }
  }
}

extension ClassDescription {
  /// A number that differs for other classes and other orders, and for properties of other types.
  /// It is the same in every process, and for an alias and its stored name.
  fileprivate func orderTag(_ keys: [ElementQuery.SortKey]) throws(Failure) -> UInt32 {
    var text = name
    for key in keys {
      let properties = try properties(along: key.path)
      let path = properties.map { $0.model.properties[$0.slot].name }.joined(separator: ".")
      let type = properties.last.map { $0.model.properties[$0.slot].kind.type.rawValue } ?? 0
      text += "\n\(path) \(type) \(key.isAscending) \(key.collation)"
    }
    return Array(text.utf8).withUnsafeBytes { CRC32C.checksum($0) }
  }
}

extension Condition {
  /// Matches the objects after one with the given sort values.
  ///
  /// The first comparison alone allows reading an index from the boundary; the others resolve ties.
  fileprivate static func behind(
    _ keys: [ElementQuery.SortKey], _ values: [Value], _ object: ObjectReference
  ) -> Condition {
    var behind = comparison(
      Comparison(.path(.itself), .follows, .constant(.object(object))))
    for (key, value) in zip(keys, values).reversed() {
      let later = after(key, value)
      let same = equal(key, value)
      behind = .or(later, .and(same, behind))
    }
    guard let key = keys.first, let value = values.first else { return behind }
    // In a descending order nothing but null comes after null.
    if !key.isAscending, value.isNull { return .and(equal(key, value), behind) }
    guard let operation = boundary(key, value) else { return behind }
    let path = QueryExpression.path(QueryPath(key.path))
    return .and(comparison(Comparison(path, operation, .constant(.value(value)))), behind)
  }

  /// Returns the operation that matches a value and all values after it in the direction of a sort
  /// key, or nil where indexes do not support it.
  private static func boundary(_ key: ElementQuery.SortKey, _ value: Value) -> Operation? {
    switch value {
    case .null, .link, .nested: nil
    case _ where value.isNaN: nil
    default: key.isAscending ? value.hasOrder ? .greaterOrEqual : .doesNotPrecede : .doesNotFollow
    }
  }

  /// Matches the values after another one in the direction of a sort key.
  private static func after(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    func compare(_ operation: Operation, _ value: Value) -> Condition {
      comparison(Comparison(path, operation, .constant(.value(value))))
    }
    // Ascending: null, NaN, values; descending the other way.
    switch (key.isAscending, value.isNull, value.isNaN) {
    case (true, true, _): return compare(.notEqual, .null)
    case (true, _, true): return .and(compare(.notEqual, .null), .not(isNaN(path)))
    case (true, _, _): return compare(.follows, value)
    case (false, true, _): return .never
    case (false, _, true): return compare(.equal, .null)
    case (false, _, _): return .or(compare(.precedes, value), unordered(key, value))
    }
  }

  /// Matches null and NaN.
  private static func unordered(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    let isNull = comparison(Comparison(path, .equal, .constant(.value(.null))))
    return value.mayBeNaN ? .or(isNull, isNaN(path)) : isNull
  }

  private static func equal(_ key: ElementQuery.SortKey, _ value: Value) -> Condition {
    let path = QueryExpression.path(QueryPath(key.path))
    if value.isNaN { return isNaN(path) }
    return comparison(Comparison(path, .equal, .constant(.value(value))))
  }

  /// Matches NaN, the only value that is not equal to itself.
  private static func isNaN(_ path: QueryExpression) -> Condition {
    comparison(Comparison(path, .notEqual, path))
  }
}

extension Value {
  /// Whether values of the type can be NaN.
  fileprivate var mayBeNaN: Bool {
    switch self {
    case .float, .double, .decimal, .date: true
    default: false
    }
  }
}
