import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelClass {
  /// Reads the declaration that `@Model` is attached to.
  ///
  /// - Throws: `DiagnosticsError` if it is no class, a local class, or isolated to the main actor.
  init(
    checking declaration: some DeclGroupSyntax,
    attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) throws {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      throw DiagnosticsError(attribute, .modelNeedsClass)
    }
    self.init(declaration)
    guard !Self.isLocal(in: context.lexicalContext) else {
      throw DiagnosticsError(attribute, .localModel(name), fixIts: [.removeAttribute(attribute)])
    }
    if let actor = declaration.attributes.first(named: "MainActor") {
      throw DiagnosticsError(actor, .isolatedModel(name), fixIts: [.removeAttribute(actor)])
    }
  }

  /// Whether a class inside of `scopes` is a local one.
  static func isLocal(in scopes: some Sequence<Syntax>) -> Bool {
    scopes.contains(where: \.isFunctionLike)
  }

  /// Whether `@Model` refuses the class, so that it has no slots.
  func isRefused(in scopes: some Sequence<Syntax>) -> Bool {
    superclass == nil || isIsolated || Self.isLocal(in: scopes)
  }

  /// The superclass, which a model must have.
  ///
  /// - Throws: `DiagnosticsError` if the declaration names none.
  func superclass(attribute: AttributeSyntax) throws -> String {
    if let superclass { return superclass.trimmedDescription }
    throw DiagnosticsError(
      declaration.name, .missingSuperclass(name), fixIts: [.insertSuperclass(into: declaration)])
  }
}

extension Syntax {
  /// Whether declarations in here are local ones.
  fileprivate var isFunctionLike: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl,
      .closureExpr, .variableDecl:
      true
    default: false
    }
  }

  /// Whether types in here may not have static stored properties.
  ///
  /// An extension does not tell whether the extended type is generic, so it counts as if it were.
  /// Functions do not matter: a generic one takes no local types.
  var maybeGeneric: Bool {
    self.is(ExtensionDeclSyntax.self)
      || asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
  }
}
