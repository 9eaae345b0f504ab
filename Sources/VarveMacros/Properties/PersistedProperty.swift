import SwiftSyntax

/// One `@Persisted` property as declared.
struct PersistedProperty {
  let declaration: VariableDeclSyntax
  let binding: PatternBindingSyntax
  let attribute: AttributeSyntax
  let name: TokenSyntax

  /// The name as the source spells it, with backticks if it needs them.
  var spelling: String { name.text }

  /// The name without backticks, which is what the schema stores.
  var identifier: String { name.identifierText }

  var type: TypeSyntax? { binding.typeAnnotation?.type }

  var initialValue: ExprSyntax? { binding.initializer?.value }

  /// The name of the case in the slot enumeration.
  ///
  /// The prefix keeps properties called `rawValue`, `self` or `init` apart from what enumerations
  /// have or cannot have.
  var slotCase: String { prefixed("_") }

  /// A generated name made of `prefix` and the property's.
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

  /// The literal that the attribute gives for a label; nil for none, and for another expression.
  private func literal(_ label: String) -> Bool? {
    let argument = arguments.first { $0.label?.text == label }
    guard let literal = argument?.expression.as(BooleanLiteralExprSyntax.self) else { return nil }
    return literal.literal.tokenKind == .keyword(.true)
  }

  /// Whether the attribute leaves open what is the primary key, or says that the property is not.
  var cannotBePrimaryKey: Bool {
    !arguments.contains { $0.label?.text == "primaryKey" } || literal("primaryKey") == false
  }

  private var arguments: [LabeledExprSyntax] {
    guard case .argumentList(let list)? = attribute.arguments else { return [] }
    return Array(list)
  }

  private func keyPath(in model: ModelClass) -> String {
    // `\Dog.self` is the object and `\Dog.Type` a type, with backticks too, but not without a root.
    ["self", "Type", "Protocol"].contains(identifier)
      ? "\\.\(spelling) as Swift.KeyPath<\(model.name), _>" : "\\\(model.name).\(spelling)"
  }

  /// The call that describes the property to the schema.
  ///
  ///
  /// `slot`: The expression for the property's slot.
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
  /// Whether the expression is a literal, so that its value is the same at every evaluation.
  fileprivate var isConstant: Bool {
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
