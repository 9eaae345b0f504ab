import SwiftDiagnostics
import SwiftSyntax

extension PersistedProperty {
  /// Rejects an invalid `autoIncrement`, as far as the syntax shows it.
  ///
  /// - Throws: `DiagnosticsError` with the code to write instead.
  func checkAutoIncrement() throws {
    if cannotBePrimaryKey {
      throw DiagnosticsError(
        attribute, .autoIncrementNeedsPrimaryKey, fixIts: [.insertPrimaryKey(in: attribute)])
    }
    if let type, type.wrappedType != nil {
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
  /// The wrapped integer type of an optional.
  fileprivate var wrappedInteger: String? {
    guard let wrapped = wrappedType, let name = wrapped.lastName,
      ["Int", "Int8", "Int16", "Int32", "Int64"].contains(name)
    else { return nil }
    return wrapped.trimmedDescription
  }
}

extension ExprSyntax {
  fileprivate var isZero: Bool {
    self.as(IntegerLiteralExprSyntax.self)?.literal.text == "0"
  }
}
