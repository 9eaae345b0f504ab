import VarveEncoding

/// One side of a comparison, with what the class says of it.
struct BoundOperand {
  var expression: QueryExpression
  /// The type of its values; a single one each.
  var kind: PropertyKind
  /// The class of the objects that it leads to, where its type is a link.
  var target: ClassDescription?
  /// Whether the path ends in a collection as a whole, which stands for its elements.
  var isCollection = false
  var quantifier: TextPredicate.Path.Quantifier?
  var position: Int
  /// What errors name.
  var className: String?
  var propertyName: String?

  var type: PropertyType { kind.type }
  var isMany: Bool { expression.isMany }
  var typeName: String { kind.typeName(target: target?.name) }

  /// An error about the operand.
  func error(_ message: String, at position: Int? = nil) -> TextPredicateError {
    TextPredicateError(
      message: message, position: position ?? self.position, className: className,
      propertyName: propertyName)
  }
}

extension PropertyType {
  var isInteger: Bool {
    switch self {
    case .int8, .int16, .int32, .int64: true
    default: false
    }
  }

  /// Whether values of the type are numbers.
  var isNumber: Bool {
    switch self {
    case .float, .double, .decimal128: true
    default: isInteger
    }
  }

  /// Whether values of the type may be numbers.
  var mayBeNumber: Bool { isNumber || self == .mixed }
}
