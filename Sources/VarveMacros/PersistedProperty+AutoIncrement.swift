import SwiftDiagnostics
import SwiftSyntax

extension PersistedProperty {
  /// Refuses `autoIncrement` where it cannot be, as far as that can be told from the spelling.
  ///
  /// - Throws: `DiagnosticsError`, with what to write instead.
  func checkAutoIncrement() throws {
    if cannotBePrimaryKey {
      throw DiagnosticsError(
        attribute, .autoIncrementNeedsPrimaryKey, fixIts: [.insertPrimaryKey(in: attribute)])
    }
    if let type, type.isOptional {
      throw DiagnosticsError(
        type, .optionalAutoIncrement(type.trimmedDescription),
        fixIts: [.replaceType(of: self, with: type.wrappedInteger ?? "Int")])
    }
    if let type, let name = type.lastName, Self.otherTypes.contains(name) {
      throw DiagnosticsError(
        type, .autoIncrementNeedsInteger(type.trimmedDescription),
        fixIts: [.replaceType(of: self, with: "Int")])
    }
    guard let initialValue, !initialValue.isZero else { return }
    throw DiagnosticsError(
      initialValue, .autoIncrementInitialValue,
      fixIts: [type == nil ? .replaceType(of: self, with: "Int") : .removeInitialValue(of: self)])
  }

  private static let otherTypes: Set = [
    "AnyRealmValue", "Bool", "Data", "Date", "Decimal", "Decimal128", "Double", "Float", "List",
    "Map", "MutableSet", "ObjectId", "String", "UUID",
  ]
}

extension TypeSyntax {
  fileprivate var isOptional: Bool { optionalContent != nil }

  /// The integer type in an optional one.
  fileprivate var wrappedInteger: String? {
    guard let wrapped = optionalContent, let name = wrapped.lastName,
      ["Int", "Int8", "Int16", "Int32", "Int64"].contains(name)
    else { return nil }
    return wrapped.trimmedDescription
  }

  private var optionalContent: TypeSyntax? {
    self.as(OptionalTypeSyntax.self)?.wrappedType
      ?? self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self)?.wrappedType
      ?? (lastName == "Optional" ? genericArguments.first : nil)
  }
}

extension ExprSyntax {
  fileprivate var isZero: Bool {
    self.as(IntegerLiteralExprSyntax.self)?.literal.text == "0"
  }
}
