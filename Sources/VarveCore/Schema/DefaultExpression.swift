package import VarveEncoding

/// A declared default that is not a literal.
///
/// It is evaluated several times when it is needed for the first time. If the results are equal,
/// the default is a constant of the program, such as `5 * 60`; otherwise it is made for each
/// object, such as `UUID()`. A time within a day of now is always made for each object
/// (``NearTime``).
///
/// Thread safety: any thread may use it. The expression runs code of the model, under no lock.
package final class DefaultExpression: Sendable {
  package enum Kind: Sendable {
    case constant(Value)
    /// The default of each object is another one; `sample` is one of them.
    case perObject(sample: Value)
  }

  /// The evaluations after which equal results are taken for a constant.
  private static let evaluations = 16

  /// Evaluates the expression.
  package let make: @Sendable () -> Value
  private let evaluation: ModelEvaluation<Kind>

  package init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
    evaluation = ModelEvaluation(nested: .perObject(sample: .null)) { Self.kind(of: make) }
  }

  /// Whether the default is a constant. The first call evaluates the expression.
  ///
  /// To the expression itself, which may read objects of the class, its value is unknown.
  package var kind: Kind { evaluation.result }

  package var isPerObject: Bool { if case .perObject = kind { true } else { false } }

  private static func kind(of make: () -> Value) -> Kind {
    let first = make()
    if NearTime.isNow(first) { return .perObject(sample: first) }
    for _ in 1..<evaluations where !make().isIdentical(to: first) {
      return .perObject(sample: first)
    }
    return .constant(first)
  }
}

extension PropertyDescription {
  /// Whether the default is an object, or a collection with elements.
  package var hasContentDefault: Bool { contentDefault?.hasContent ?? false }

  /// The constant of the property in the file: rows that lack the property read it, and releases of
  /// the program that do not know the property store it.
  ///
  /// Evaluates the default if it is an expression. The constant of a default that is made for each
  /// object is the mark of the type (``DefaultMark``), or a sample where the type has none.
  var storedConstant: Value {
    guard !isPrimaryKey, let defaultExpression else { return addedConstant }
    switch defaultExpression.kind {
    case .constant(let value): return value
    case .perObject(let sample): return DefaultMark.value(for: kind.type) ?? sample
    }
  }

  /// The value that conditions and orders see while the file lacks the property; null for a default
  /// that is made for each object.
  var unstoredConstant: Value {
    guard let defaultExpression else { return addedConstant }
    if case .constant(let value) = defaultExpression.kind { return value }
    return .null
  }

  /// Returns the default of one object.
  func makeDefault() -> Value { defaultExpression?.make() ?? addedConstant }
}

extension ClassDescription {
  /// Evaluates the defaults that are expressions, so that registering the class runs no code of the
  /// model.
  func classifyDefaults() {
    for property in properties where property.isStored && !property.isPrimaryKey {
      _ = property.defaultExpression?.kind
    }
  }
}
