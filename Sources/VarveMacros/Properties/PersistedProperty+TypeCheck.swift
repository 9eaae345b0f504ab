import SwiftDiagnostics
import SwiftSyntax

extension PersistedProperty {
  /// Rejects types that are unsupported according to their spelling.
  ///
  /// All other types are left to the compiler, which can resolve names.
  ///
  /// - Throws: `DiagnosticsError`, with the type to use instead if there is one.
  func checkType() throws {
    if let type {
      if let replacement = type.persistableReplacement {
        throw DiagnosticsError(
          type, .unsupportedType(type.trimmedDescription, use: replacement),
          fixIts: [.replaceType(of: self, with: replacement)])
      }
      if type.isNeverPersistable {
        throw DiagnosticsError(type, .unsupportedType(type.trimmedDescription, use: nil))
      }
      if let collection = type.optionalCollection {
        throw DiagnosticsError(
          type, .optionalCollection(collection.trimmedDescription),
          fixIts: [.replaceType(of: self, with: collection.trimmedDescription)])
      }
      try checkInverse(type)
    } else if let literal = initialValue, literal.isCollectionLiteral {
      throw DiagnosticsError(literal, .unsupportedLiteral)
    }
  }

  private func checkInverse(_ type: TypeSyntax) throws {
    let isLinkingObjects = type.lastName == "LinkingObjects"
    if isLinkingObjects && !isInverse {
      throw DiagnosticsError(attribute, .missingOriginProperty)
    }
    // A type alias may hide the name, so only types that are certainly different are rejected.
    if isInverse && !isLinkingObjects && type.isOtherThanLinkingObjects {
      throw DiagnosticsError(type, .originPropertyElsewhere)
    }
  }
}

extension TypeSyntax {
  /// The type of the library that replaces an unsupported type of the standard library.
  fileprivate var persistableReplacement: String? {
    if let wrappedType { return wrappedType.persistableReplacement }
    if let array = self.as(ArrayTypeSyntax.self) {
      return Self.list(of: array.element.trimmedDescription)
    }
    if let dictionary = self.as(DictionaryTypeSyntax.self) {
      return Self.map(dictionary.key, dictionary.value)
    }
    guard let name = lastName else { return nil }
    let arguments = genericArguments
    switch (name, arguments.count) {
    case ("Array", 1), ("ContiguousArray", 1): return Self.list(of: arguments[0].trimmedDescription)
    case ("Set", 1): return "MutableSet<\(arguments[0].trimmedDescription)>"
    case ("Dictionary", 2): return Self.map(arguments[0], arguments[1])
    default: return nil
    }
  }

  private static func list(of element: String) -> String {
    element == "UInt8" ? "Data" : "List<\(element)>"
  }

  private static func map(_ key: TypeSyntax, _ value: TypeSyntax) -> String {
    "Map<\(key.trimmedDescription), \(value.trimmedDescription)>"
  }

  fileprivate var isNeverPersistable: Bool {
    if let wrappedType { return wrappedType.isNeverPersistable }
    return switch kind {
    case .functionType, .tupleType, .metatypeType, .someOrAnyType: true
    default: lastName.map { TypeSyntax.neverPersistable.contains($0) } ?? false
    }
  }

  private static let neverPersistable: Set = [
    "Any", "AnyObject", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
  ]

  /// The collection type that an optional type wraps.
  fileprivate var optionalCollection: TypeSyntax? {
    guard let wrapped = wrappedType, let name = wrapped.lastName else { return nil }
    let collections = ["List", "Map", "MutableSet", "LinkingObjects"]
    return collections.contains(name) && !wrapped.genericArguments.isEmpty ? wrapped : nil
  }

  fileprivate var isOtherThanLinkingObjects: Bool {
    wrappedType != nil || !genericArguments.isEmpty
      || ["Int", "String", "Bool", "Double", "Float", "Data", "Date", "UUID"]
        .contains(trimmedDescription)
  }
}

extension ExprSyntax {
  /// Whether the value is an array or a dictionary of the standard library: `[1]`, `[String]()`.
  fileprivate var isCollectionLiteral: Bool {
    let value = self.as(FunctionCallExprSyntax.self)?.calledExpression ?? self
    return value.is(ArrayExprSyntax.self) || value.is(DictionaryExprSyntax.self)
  }
}
