package import VarveEncoding
import VarveStorage

extension ResultsCell {
  /// Calls `body` with the value of a property of each object that is not null.
  package func forEachValue(_ path: [String], _ body: (Value) -> Void) {
    do throws(Failure) {
      try walk(path, body)
    } catch {
      _ = report(error)
    }
  }

  /// The sum of a property. Nulls are left out.
  package func sum(_ path: [String]) -> ValueSum {
    var sum = ValueSum()
    forEachValue(path) { sum.add($0) }
    return sum
  }

  /// The least or the greatest value of a property of a type. Nulls and NaNs are left out.
  package func extreme(
    _ path: [String], _ end: ValueExtreme.End, of type: PropertyType
  ) -> Value? {
    var extreme = ValueExtreme(end, of: type)
    forEachValue(path) { extreme.add($0) }
    return extreme.value
  }

  private func walk(_ path: [String], _ body: (Value) -> Void) throws(Failure) {
    let transaction = context.transaction
    noteRead(path)
    try transaction?.flush()
    let reader: any TableReader = transaction?.reader ?? context.snapshot
    let property = try PropertyPath(path, of: query.model, reader, context.store)
    let ids = (reader as? Snapshot).map { objectIDs(pinned: $0) } ?? objectIDs
    for id in ids {
      let value = try property.value(ofObject: id, reader)
      if !value.isNull { body(value) }
    }
  }
}
