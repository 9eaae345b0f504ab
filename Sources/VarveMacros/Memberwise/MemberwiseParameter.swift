import SwiftSyntax

/// A parameter of the memberwise initializers: the value of a persisted property.
struct MemberwiseParameter {
  /// What the value becomes.
  enum Form {
    case single
    case list, set, map
  }

  let property: PersistedProperty
  let form: Form
  /// The type of the parameter. Nil for a property whose type the syntax does not show, which is
  /// not a parameter and keeps its default.
  let type: String?
  /// The default argument in the signature.
  let defaultArgument: String?
  /// Whether the parameter is nil for the default of the class, which is code.
  let nilMeansDefault: Bool

  /// - Parameters:
  ///   - property: A stored property.
  ///   - hasComputedValues: Whether code of the class gives properties other values than their
  ///     declarations do.
  init(_ property: PersistedProperty, hasComputedValues: Bool) {
    self.property = property
    let initial = property.initialValue
    if let (form, type) = property.type?.elements {
      let isCode = initial != nil || hasComputedValues
      self.form = form
      self.type = isCode ? type + "?" : type
      defaultArgument = isCode ? "nil" : form == .map ? "[:]" : "[]"
      nilMeansDefault = isCode
      return
    }
    form = .single
    guard let type = property.type?.parameterType ?? initial?.evidentType else {
      self.type = nil
      defaultArgument = nil
      nilMeansDefault = false
      return
    }
    let isOptional = property.type?.wrappedType != nil
    let isGenerated = property.isAutoIncremented && type.isInteger
    let literal = hasComputedValues || initial?.isShortLiteral == false ? nil : initial
    nilMeansDefault =
      !isOptional && literal == nil && (initial != nil || hasComputedValues && isGenerated)
    self.type = nilMeansDefault ? type + "?" : type
    if nilMeansDefault {
      defaultArgument = "nil"
    } else if let literal {
      defaultArgument = literal.trimmedDescription
    } else if isOptional {
      // Nil would be ambiguous: null, or the default of the class.
      defaultArgument = initial == nil && !hasComputedValues ? "nil" : nil
    } else {
      defaultArgument = isGenerated ? "0" : nil
    }
  }

  /// The parameter in a signature.
  var text: String {
    "\(property.spelling): \(type ?? "")" + (defaultArgument.map { " = \($0)" } ?? "")
  }

  /// Whether a row takes the value as it is, so that no code of the program runs.
  var isBuiltIn: Bool {
    guard let type = property.type else { return true }
    return (type.wrappedType ?? type).lastName.map(Self.builtIn.contains) == true
  }

  private static let builtIn: Set = [
    "Bool", "Date", "Double", "Int", "Int16", "Int32", "Int64", "Int8", "String",
  ]
}

extension TypeSyntax {
  /// The type of the content that replaces a collection of the library in a parameter: `[Int]` for
  /// `List<Int>`.
  fileprivate var elements: (MemberwiseParameter.Form, String)? {
    let arguments = genericArguments.map(\.trimmedDescription)
    switch (lastName, arguments.count) {
    case ("List", 1): return (.list, "[\(arguments[0])]")
    case ("MutableSet", 1): return (.set, "Swift.Set<\(arguments[0])>")
    case ("Map", 2): return (.map, "[\(arguments[0]): \(arguments[1])]")
    default: return nil
    }
  }

  /// The type as written; an optional instead of an implicitly unwrapped one.
  fileprivate var parameterType: String {
    guard let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else {
      return trimmedDescription
    }
    return unwrapped.wrappedType.trimmedDescription + "?"
  }
}

extension String {
  /// Whether this is the spelling of an integer type of the standard library.
  fileprivate var isInteger: Bool {
    let name = split(separator: ".").last ?? ""
    return ["Int", "Int8", "Int16", "Int32", "Int64"].contains(name)
  }
}

extension ExprSyntax {
  /// The type of a property whose only declaration of it is this initial value; nil for a value
  /// whose type only the compiler knows.
  fileprivate var evidentType: String? {
    if let literalType { return literalType }
    let call = self.as(FunctionCallExprSyntax.self)
    // All initializers of Date return a date.
    if call?.calledExpression.trimmedDescription == "Date" { return "Date" }
    return ["UUID", "Data", "ObjectId"].first { type in
      ["\(type)()", "\(type).generate()"].contains(trimmedDescription)
    }
  }

  /// The type of a property whose only declaration of it is this initial value.
  fileprivate var literalType: String? {
    if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
      return isConstant ? prefixed.expression.literalType : nil
    }
    return switch kind {
    case .booleanLiteralExpr: "Swift.Bool"
    case .integerLiteralExpr: "Swift.Int"
    case .floatLiteralExpr: "Swift.Double"
    case .stringLiteralExpr: "Swift.String"
    default: nil
    }
  }

  /// Whether the expression is a literal that a signature can contain.
  fileprivate var isShortLiteral: Bool {
    isConstant && !description.contains { $0.isNewline }
  }
}
