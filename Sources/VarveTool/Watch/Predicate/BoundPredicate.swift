import VarveCore
import VarveEncoding
import VarveStorage

/// A predicate tied to a class as the file stores it.
///
/// Values compare as in the queries of the library: numbers across types and exactly, texts by their UTF-8 bytes; null
/// equals null and has no place in an order.
///
/// Thread safety: an immutable value.
struct BoundPredicate: Sendable {
  private indirect enum Node: Sendable {
    case constant(Bool)
    case comparison(Comparison)
    case not(Node)
    case all([Node])
    case any([Node])
  }

  private struct Comparison: Sendable {
    let property: StoredProperty
    let operation: TextPredicate.Operation
    let isCaseInsensitive: Bool
    let operand: Operand
  }

  private enum Operand: Sendable {
    case values([Value])
    case property(StoredProperty)
  }

  private let root: Node

  /// Finds the properties that a predicate names.
  ///
  /// - Throws: ``TextPredicateError`` for a name that the class does not have, and for a comparison that properties of the
  ///   type do not know.
  init(_ predicate: TextPredicate, of schema: ClassSchema) throws(TextPredicateError) {
    root = try Self.node(predicate, schema)
  }

  private static func node(
    _ predicate: TextPredicate, _ schema: ClassSchema
  ) throws(TextPredicateError) -> Node {
    switch predicate {
    case .constant(let value): return .constant(value)
    case .comparison(let comparison): return .comparison(try bound(comparison, schema))
    case .not(let inner): return .not(try node(inner, schema))
    case .all(let parts): return .all(try nodes(parts, schema))
    case .any(let parts): return .any(try nodes(parts, schema))
    }
  }

  private static func nodes(
    _ parts: [TextPredicate], _ schema: ClassSchema
  ) throws(TextPredicateError) -> [Node] {
    var nodes: [Node] = []
    for part in parts { nodes.append(try node(part, schema)) }
    return nodes
  }

  private static func bound(
    _ comparison: TextPredicate.Comparison, _ schema: ClassSchema
  ) throws(TextPredicateError) -> Comparison {
    let property = try schema.property(comparison.property)
    try property.kind.check(comparison)
    let operand: Operand
    switch comparison.operand {
    case .literal(let literal): operand = .values([try property.kind.value(of: literal)])
    case .literals(let literals):
      var values: [Value] = []
      for literal in literals { values.append(try property.kind.value(of: literal)) }
      operand = .values(values)
    case .property(let name):
      let other = try schema.property(name)
      guard property.kind.isComparable(with: other.kind) else {
        throw TextPredicateError(
          message:
            "The type \(property.kind.typeName(target: nil)) cannot be compared with the type"
            + " \(other.kind.typeName(target: nil)).", position: name.position)
      }
      operand = .property(other)
    }
    return Comparison(
      property: property, operation: comparison.operation,
      isCaseInsensitive: comparison.isCaseInsensitive, operand: operand)
  }

  /// Whether an object satisfies the predicate.
  ///
  /// - Parameters:
  ///   - row: The object's row.
  ///   - id: The object's id.
  ///   - snapshot: The version that the row belongs to.
  /// - Returns: Whether it does.
  /// - Throws: `.corrupted`.
  func holds(_ row: RowReader, _ id: UInt64, in snapshot: Snapshot) throws(Failure) -> Bool {
    try Self.holds(root, row, id, snapshot)
  }

  private static func holds(
    _ node: Node, _ row: RowReader, _ id: UInt64, _ snapshot: Snapshot
  ) throws(Failure) -> Bool {
    switch node {
    case .constant(let value): return value
    case .not(let inner): return try !holds(inner, row, id, snapshot)
    case .all(let parts):
      for part in parts where try !holds(part, row, id, snapshot) { return false }
      return true
    case .any(let parts):
      for part in parts where try holds(part, row, id, snapshot) { return true }
      return false
    case .comparison(let comparison):
      let left = try snapshot.value(of: row, id, comparison.property)
      let right: [Value]
      switch comparison.operand {
      case .values(let values): right = values
      case .property(let property): right = [try snapshot.value(of: row, id, property)]
      }
      return right.contains {
        left.satisfies(comparison.operation, $0, comparison.isCaseInsensitive)
      }
    }
  }
}
