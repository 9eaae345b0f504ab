import VarveEncoding

/// One side of a comparison, with its type.
struct BoundOperand {
  var expression: QueryExpression
  /// The type of the values. For a collection, the type of one element.
  var kind: PropertyKind
  /// The class of the objects, if the type is a link.
  var target: ClassDescription?
  /// Whether the path ends in a whole collection, which stands for its elements.
  var isCollection = false
  var quantifier: TextPredicate.Path.Quantifier?
  var position: Int
  /// The names for errors.
  var className: String?
  var propertyName: String?

  var type: PropertyType { kind.type }
  var isMany: Bool { expression.isMany }
  var typeName: String { kind.typeName(target: target?.name) }

  /// Creates an error about the operand.
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

  /// Whether values of the type can be numbers.
  var mayBeNumber: Bool { isNumber || self == .mixed }
}
