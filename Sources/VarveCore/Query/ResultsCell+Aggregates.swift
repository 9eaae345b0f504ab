package import VarveEncoding
import VarveStorage

/// The sum of some values, with their number.
package struct ValueSum {
  package var count = 0
  package var integer: Int64 = 0
  package var double = 0.0
  private var isInteger = true

  mutating func add(_ value: Value) {
    switch value {
    case .int(let value):
      integer &+= value
      double += Double(value)
    case .float(let value):
      isInteger = false
      double += Double(value)
    case .double(let value):
      isInteger = false
      double += value
    default: return
    }
    count += 1
  }

  /// The sum in the type of the values.
  package func value(as type: PropertyType) -> Value {
    switch type {
    case .double: .double(double)
    case .float: .float(Float(double))
    default: .int(integer)
    }
  }
}

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
  package func sum(_ path: [String]) -> (value: Value, count: Int, double: Double) {
    var sum = ValueSum()
    forEachValue(path) { sum.add($0) }
    let type = lastType(path) ?? .int64
    return (sum.value(as: type), sum.count, sum.double)
  }

  private func lastType(_ path: [String]) -> PropertyType? {
    let file = context.store.schema
    guard let schema = file.schema(named: query.model.name) else { return nil }
    return (try? file.resolve(path, from: schema))?.0.last?.kind.type
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
