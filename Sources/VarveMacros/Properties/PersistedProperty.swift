import SwiftSyntax

/// A `@Persisted` property as declared.
struct PersistedProperty {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let attribute: AttributeSyntax
  let name: TokenSyntax

  /// The name as spelled in the source, with backticks if it needs them.
  var spelling: String { name.text }

  /// The name without backticks, which is stored in the schema.
  var identifier: String { name.identifierText }

  var type: TypeSyntax? { binding.typeAnnotation?.type }

  var initialValue: ExprSyntax? { binding.initializer?.value }

  /// The name of the case in the slot enumeration.
  ///
  /// The prefix distinguishes properties called `rawValue`, `self` or `init` from members that
  /// enumerations have or cannot have.
  var slotCase: String { prefixed("_") }

  /// Returns a generated name that consists of `prefix` and the name of the property.
  func prefixed(_ prefix: String) -> String {
    let result = prefix + identifier
    return identifier.isPlainIdentifier ? result : "`\(result)`"
  }

  /// Whether the property is computed from the links of other objects.
  var isInverse: Bool {
    arguments.contains { $0.label?.text == "originProperty" }
  }

  var isPrimaryKey: Bool { literal("primaryKey") == true }

  var isAutoIncremented: Bool { literal("autoIncrement") == true }

  /// Returns the Boolean literal of an argument of the attribute; nil for a missing argument and
  /// for another expression.
  private func literal(_ label: String) -> Bool? {
    let argument = arguments.first { $0.label?.text == label }
    guard let literal = argument?.expression.as(BooleanLiteralExprSyntax.self) else { return nil }
    return literal.literal.tokenKind == .keyword(.true)
  }

  /// Whether the attribute does not mention the primary key, or declares that the property is not
  /// the primary key.
  var cannotBePrimaryKey: Bool {
    !arguments.contains { $0.label?.text == "primaryKey" } || literal("primaryKey") == false
  }

  private var arguments: [LabeledExprSyntax] {
    guard case .argumentList(let list)? = attribute.arguments else { return [] }
    return Array(list)
  }

  private func keyPath(in model: ModelClass) -> String {
    // `\Dog.self` is the object and `\Dog.Type` a type, even with backticks, but not in a key path
    // without a root.
    ["self", "Type", "Protocol"].contains(identifier)
      ? "\\.\(spelling) as Swift.KeyPath<\(model.name), _>" : "\\\(model.name).\(spelling)"
  }

  /// Returns the call that describes the property to the schema.
  ///
  /// `slot`: The expression for the property's slot.
  ///
  /// `model`: The class that declares the property.
  func descriptor(slot: String, in model: ModelClass) -> String {
    var call = "Varve._$prop(\(identifier.asStringLiteral), \(slot), \(keyPath(in: model))"
    if let initialValue {
      call += ", default: { \(initialValue.trimmedDescription) }"
      if initialValue.isConstant { call += ", isConstantDefault: true" }
    }
    for argument in arguments {
      guard let label = argument.label else { continue }
      call += ", \(label.text): \(argument.expression.trimmedDescription)"
    }
    return call + ")"
  }
}

extension ExprSyntax {
  /// Whether the expression is a literal, which has the same value at every evaluation.
  var isConstant: Bool {
    if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
      return ["-", "+"].contains(prefixed.operator.text) && prefixed.expression.isNumber
    }
    if let string = self.as(StringLiteralExprSyntax.self) {
      return string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
    }
    return isNumber || self.is(BooleanLiteralExprSyntax.self) || self.is(NilLiteralExprSyntax.self)
  }

  private var isNumber: Bool {
    self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
  }
}
