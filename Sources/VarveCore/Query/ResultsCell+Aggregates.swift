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

  /// The least or the greatest value of a property. Nulls and NaNs are left out.
  package func extreme(_ path: [String], _ end: ValueExtreme.End) -> Value? {
    var extreme = ValueExtreme(end)
    forEachValue(path) { extreme.add($0) }
    return extreme.value
  }

  private func walk(_ path: [String], _ body: (Value) -> Void) throws(Failure) {
    let transaction = context.transaction
    try transaction?.flush()
    let reader: any TableReader = transaction?.reader ?? context.snapshot
    let file = transaction?.schema ?? context.store.schema
    guard let schema = file.schema(named: query.model.name) else { return }
    let (properties, classes) = try file.resolve(path, from: schema)
    let ids = (reader as? Snapshot).map { objectIDs(pinned: $0) } ?? objectIDs
    for id in ids {
      var value = try reader.value(classes[0], id, properties[0]) ?? .null
      for step in properties.indices.dropFirst() {
        guard case .link(_, let target) = value else { break }
        value = try reader.value(classes[step], target, properties[step]) ?? .null
      }
      if !value.isNull { body(value) }
    }
  }
}
