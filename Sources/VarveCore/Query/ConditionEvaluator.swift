import Foundation
package import VarveEncoding
package import VarveStorage

/// A condition tied to a stored class, ready to be asked about rows.
///
/// Thread safety: none; each evaluation makes its own.
package final class ConditionEvaluator {
  private let reader: any TableReader
  private let schema: FileSchema
  private let root: Node

  private indirect enum Node {
    case constant(Bool)
    case leaf(Leaf)
    case and(Node, Node)
    case or(Node, Node)
    case not(Node)
  }

  /// A comparison with its properties resolved: links first, the compared property last.
  private final class Leaf {
    let path: [StoredProperty]
    let classes: [ClassSchema]
    let comparison: Condition.Comparison
    let otherPath: [StoredProperty]
    let otherClasses: [ClassSchema]
    /// The field of the property in rows of `layoutID`, for single-step paths.
    var layoutID: UInt16?
    var field: RowField?

    init(
      _ comparison: Condition.Comparison, _ path: ([StoredProperty], [ClassSchema]),
      _ other: ([StoredProperty], [ClassSchema])
    ) {
      self.comparison = comparison
      self.path = path.0
      classes = path.1
      otherPath = other.0
      otherClasses = other.1
    }
  }

  /// - Throws: `.unknownProperty` for a path that the class does not have.
  package init(
    _ condition: Condition, on schema: ClassSchema, in file: FileSchema, reader: any TableReader
  ) throws(Failure) {
    self.reader = reader
    self.schema = file
    root = try ConditionEvaluator.node(condition, schema, file)
  }

  private static func node(
    _ condition: Condition, _ schema: ClassSchema, _ file: FileSchema
  ) throws(Failure) -> Node {
    switch condition {
    case .always: return .constant(true)
    case .never: return .constant(false)
    case .and(let left, let right):
      return .and(try node(left, schema, file), try node(right, schema, file))
    case .or(let left, let right):
      return .or(try node(left, schema, file), try node(right, schema, file))
    case .not(let inner): return .not(try node(inner, schema, file))
    case .comparison(let comparison):
      var other: ([StoredProperty], [ClassSchema]) = ([], [])
      if case .path(let names) = comparison.operand {
        other = try file.resolve(names, from: schema)
      }
      return .leaf(Leaf(comparison, try file.resolve(comparison.path, from: schema), other))
    }
  }

  /// Whether the row of an object satisfies the condition.
  ///
  /// - Throws: `.corrupted` when bytes on the way are damaged.
  package func matches(_ row: RowReader, id: UInt64) throws(Failure) -> Bool {
    try evaluate(root, row, id)
  }

  private func evaluate(_ node: Node, _ row: RowReader, _ id: UInt64) throws(Failure) -> Bool {
    switch node {
    case .constant(let value): return value
    case .and(let left, let right):
      guard try evaluate(left, row, id) else { return false }
      return try evaluate(right, row, id)
    case .or(let left, let right):
      if try evaluate(left, row, id) { return true }
      return try evaluate(right, row, id)
    case .not(let inner): return try !evaluate(inner, row, id)
    case .leaf(let leaf): return try evaluate(leaf, row, id)
    }
  }

  private func evaluate(_ leaf: Leaf, _ row: RowReader, _ id: UInt64) throws(Failure) -> Bool {
    if leaf.path.count == 1, let quick = evaluateFixed(leaf, row) { return quick }
    let left = try value(leaf.path, leaf.classes, row, id)
    switch leaf.comparison.operand {
    case .value(let right): return Self.holds(left, leaf.comparison, right)
    case .values(let values):
      return values.contains { left.compared(to: $0) == .equal }
    case .path:
      return Self.holds(
        left, leaf.comparison, try value(leaf.otherPath, leaf.otherClasses, row, id))
    }
  }

  /// Integers and doubles that stand in the row, without making a value of them.
  private func evaluateFixed(_ leaf: Leaf, _ row: RowReader) -> Bool? {
    guard case .value(let constant) = leaf.comparison.operand else { return nil }
    if leaf.layoutID != row.layout.id {
      leaf.layoutID = row.layout.id
      leaf.field = row.layout.field(forProperty: leaf.path[0].id)
    }
    guard let field = leaf.field, field.isStored, !row.isNull(field) else { return nil }
    switch (field.kind.type, constant) {
    case (.int8, .int(let right)), (.int16, .int(let right)), (.int32, .int(let right)),
      (.int64, .int(let right)):
      return Self.holds(ValueOrdering(row.int64(field), right), leaf.comparison.operation)
    case (.double, .double(let right)):
      return Self.holds(ValueOrdering(row.double(field), right), leaf.comparison.operation)
    default: return nil
    }
  }

  /// Follows a path from an object; null when a link on the way is null.
  private func value(
    _ path: [StoredProperty], _ classes: [ClassSchema], _ row: RowReader, _ id: UInt64
  ) throws(Failure) -> Value {
    var value = try reader.value(of: row, id, path[0])
    for step in path.indices.dropFirst() {
      guard case .link(_, let target) = value else { return .null }
      value = try reader.value(classes[step], target, path[step]) ?? .null
    }
    return value
  }

  private static func holds(_ ordering: ValueOrdering, _ operation: Condition.Operation) -> Bool {
    switch operation {
    case .equal, .in: ordering == .equal
    case .notEqual: ordering != .equal
    case .less: ordering == .ascending
    case .lessOrEqual: ordering == .ascending || ordering == .equal
    case .greater: ordering == .descending
    case .greaterOrEqual: ordering == .descending || ordering == .equal
    case .beginsWith, .endsWith, .contains: false
    }
  }

  private static func holds(
    _ left: Value, _ comparison: Condition.Comparison, _ right: Value
  ) -> Bool {
    switch comparison.operation {
    case .equal, .notEqual, .in:
      let isEqual =
        comparison.isCaseInsensitive
        ? left.folded.compared(to: right.folded) == .equal : left.compared(to: right) == .equal
      return comparison.operation == .notEqual ? !isEqual : isEqual
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      // Null has no place in an order.
      guard !left.isNull, !right.isNull else { return false }
      return holds(left.compared(to: right), comparison.operation)
    case .beginsWith, .endsWith, .contains:
      return comparison.isCaseInsensitive
        ? left.folded.holds(comparison.operation, part: right.folded)
        : left.holds(comparison.operation, part: right)
    }
  }
}

extension Value {
  /// A string with its case folded; other values as they are.
  fileprivate var folded: Value {
    if case .string(let string) = self { .string(string.lowercased()) } else { self }
  }

  /// Whether a string or data begins with, ends with or contains a part. An empty part holds for
  /// none.
  fileprivate func holds(_ operation: Condition.Operation, part: Value) -> Bool {
    switch (self, part) {
    case (.string(let whole), .string(let part)):
      Value.holds(Array(whole.utf8), operation, Array(part.utf8))
    case (.data(let whole), .data(let part)): Value.holds(Array(whole), operation, Array(part))
    default: false
    }
  }

  private static func holds(
    _ whole: [UInt8], _ operation: Condition.Operation, _ part: [UInt8]
  ) -> Bool {
    guard !part.isEmpty, part.count <= whole.count else { return false }
    switch operation {
    case .beginsWith: return whole.starts(with: part)
    case .endsWith: return whole.suffix(part.count).elementsEqual(part)
    case .contains: return whole.firstRange(of: part) != nil
    default: return false
    }
  }
}

extension FileSchema {
  /// The stored properties that a path names, and the classes they belong to.
  ///
  /// - Throws: `.unknownProperty`, or `.invalidInput` when the path goes through something that is
  ///   no link.
  package func resolve(
    _ names: [String], from start: ClassSchema
  ) throws(Failure) -> ([StoredProperty], [ClassSchema]) {
    var properties: [StoredProperty] = []
    var classes: [ClassSchema] = []
    var schema: ClassSchema? = start
    for name in names {
      guard let current = schema else {
        throw Failure(
          .invalidInput, "The path goes through a property that is no link.",
          className: start.name, propertyName: names.joined(separator: "."))
      }
      guard let property = current.property(named: name) else {
        throw Failure(
          .unknownProperty, "The class has no such property.", className: current.name,
          propertyName: name)
      }
      properties.append(property)
      classes.append(current)
      schema =
        property.kind.type == .link && property.kind.collection == .none
        ? self.schema(ofClass: property.linkedClassID) : nil
    }
    return (properties, classes)
  }
}
