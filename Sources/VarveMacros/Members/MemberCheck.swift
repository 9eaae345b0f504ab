import SwiftDiagnostics
import SwiftSyntax

/// Checks of the persisted properties that require the whole class.
enum MemberCheck {
  /// Reports every primary key after the first. Primary keys in `#if` may be mutually exclusive and
  /// are checked by the schema.
  static func primaryKeys(_ members: [PersistedMember]) -> [Diagnostic] {
    let keys = PersistedMember.properties(members, conditional: false).filter(\.isPrimaryKey)
    guard let first = keys.first else { return [] }
    return keys.dropFirst().map { key in
      Diagnostic(node: key.attribute, message: MacroDiagnostic.secondPrimaryKey(first.identifier))
    }
  }

  /// Offers to split `@Persisted var a: Int, b: Int`.
  ///
  /// The compiler rejects such a declaration before it expands `@Persisted`, without a fix-it.
  static func separateDeclarations(_ members: MemberBlockItemListSyntax) -> [Diagnostic] {
    members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
      .filter { $0.bindings.count > 1 && $0.attributes.first(named: "Persisted") != nil }
      .map { declaration in
        Diagnostic(
          node: declaration.bindings, message: MacroDiagnostic.separateDeclarations,
          fixIt: .splitBindings(of: declaration))
      }
  }
}
