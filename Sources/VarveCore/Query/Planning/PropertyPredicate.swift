package import VarveEncoding

/// A comparison of one property with constants that an index or a scan can answer (a sargable
/// predicate).
///
/// It has the semantics of ``Value/satisfies(_:_:_:)``: numbers compare exactly across types, null
/// is not ordered, and strings and data compare by bytes.
package struct PropertyPredicate: Sendable {
  package enum Kind: Sendable {
    case compared(Condition.Operation, Value)
    /// Greater than or equal to the first value, and less than or equal to the second value.
    case between(Value, Value)
    /// Equal to one of the values, which are in any order.
    case among([Value])
    /// Contains the words of a full-text query.
    case text(FullTextQuery, String)
  }

  /// The path to the property.
  let path: QueryPath
  package let kind: Kind

  /// Creates a predicate. An order comparison that includes null, such as `<= null`, is satisfied
  /// by null alone and becomes an equality.
  package init(_ path: QueryPath, _ kind: Kind) {
    self.path = path
    switch kind {
    case .compared(.lessOrEqual, .null), .compared(.greaterOrEqual, .null), .between(.null, .null):
      self.kind = .compared(.equal, .null)
    default: self.kind = kind
    }
  }

  /// - Returns: nil for a comparison that is not a predicate on one property.
  init?(_ comparison: Condition.Comparison, in store: StoreFile) {
    guard comparison.folding.isEmpty, comparison.quantifier == .any else { return nil }
    switch (comparison.left, comparison.operation, comparison.right) {
    case (.path(let path), .in, .constants(let constants)):
      self.init(path, .among(constants.map { $0.value(in: store) }))
    case (.path(let path), .between, .constants(let bounds)) where bounds.count == 2:
      self.init(path, .between(bounds[0].value(in: store), bounds[1].value(in: store)))
    case (.path(let path), .text, .constant(.value(.string(let words)))):
      self.init(path, .text(FullTextQuery(words), words))
    case (.path(let path), let operation, .constant(let constant)):
      switch operation {
      case .between, .in, .like, .matches, .text, .geoWithin: return nil
      default: self.init(path, .compared(operation, constant.value(in: store)))
      }
    case (.constant(let constant), let operation, .path(let path)):
      guard let operation = operation.turned else { return nil }
      self.init(path, .compared(operation, constant.value(in: store)))
    default: return nil
    }
  }

  /// See ``QueryPath/ownProperty(_:in:)``.
  func ownProperty(_ model: ClassDescription, in schema: ClassSchema) -> StoredProperty? {
    path.ownProperty(model, in: schema)
  }

  /// Whether a value satisfies the predicate. Scans and indexes must agree with this method.
  package func matches(_ value: Value) -> Bool {
    switch kind {
    case .compared(let operation, let constant): value.satisfies(operation, constant, [])
    case .between(let lower, let upper):
      value.satisfies(.greaterOrEqual, lower, []) && value.satisfies(.lessOrEqual, upper, [])
    case .among(let constants): constants.contains { value.satisfies(.in, $0, []) }
    case .text: false
    }
  }

  /// Whether a scan can decide the predicate from the bytes of a row.
  var isScannable: Bool {
    switch kind {
    case .compared(.follows, _), .compared(.precedes, _), .compared(.doesNotFollow, _),
      .compared(.doesNotPrecede, _), .text:
      false
    case .compared, .between, .among: true
    }
  }

  /// Whether any value can satisfy the predicate. No value is less or greater than an unordered
  /// value.
  var isSatisfiable: Bool {
    switch kind {
    case .compared(let operation, let constant): !operation.isOrder || constant.hasOrder
    case .between(let lower, let upper): lower.hasOrder && upper.hasOrder
    case .among, .text: true
    }
  }

  /// The bounds of the values that satisfy the predicate, or nil for a predicate without bounds.
  var bounds: ValueBounds? {
    switch kind {
    case .compared(.less, let value): ValueBounds(.none, .exclusive(value))
    case .compared(.lessOrEqual, let value): ValueBounds(.none, .inclusive(value))
    case .compared(.greater, let value): ValueBounds(.exclusive(value), .none)
    case .compared(.greaterOrEqual, let value): ValueBounds(.inclusive(value), .none)
    case .compared(.doesNotFollow, let value):
      ValueBounds(.none, .inclusive(value), inSortOrder: true)
    case .compared(.doesNotPrecede, let value):
      ValueBounds(.inclusive(value), .none, inSortOrder: true)
    case .between(let lower, let upper): ValueBounds(.inclusive(lower), .inclusive(upper))
    case .compared, .among, .text: nil
    }
  }

  /// Whether the values that satisfy the predicate are adjacent in sort order.
  var isContiguous: Bool {
    switch kind {
    case .compared(.equal, _), .compared(.beginsWith, _), .among: true
    default: bounds != nil
    }
  }

  /// The text of the predicate in a plan.
  var text: String {
    switch kind {
    // Null and NaN, which sort before all values, do not justify an operator of their own in a
    // plan.
    case .compared(.doesNotFollow, let constant): "<= \(constant.text)"
    case .compared(.doesNotPrecede, let constant): ">= \(constant.text)"
    case .compared(let operation, let constant): "\(operation.rawValue) \(constant.text)"
    case .between(let lower, let upper): "BETWEEN {\(lower.text), \(upper.text)}"
    case .text(_, let words): "TEXT \(Value.string(words).text)"
    case .among(let constants):
      constants.count <= 8
        ? "IN {\(constants.map(\.text).joined(separator: ", "))}" : "IN {\(constants.count) values}"
    }
  }
}

extension QueryPath {
  /// The property, if it belongs to the class itself. Nil for a property at the end of links, and
  /// for a property that the file does not store.
  func ownProperty(_ model: ClassDescription, in schema: ClassSchema) -> StoredProperty? {
    guard steps.count == 1, case .property(let name) = steps[0] else { return nil }
    return model.storedProperty(named: name, in: schema)
  }
}

extension Condition.Operation {
  /// The operation with its operands exchanged, or nil for an operation that has no such
  /// counterpart.
  var turned: Condition.Operation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
