import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

extension ModelClass {
  /// Reads the declaration that `@Model` is attached to.
  ///
  /// - Throws: `DiagnosticsError` when the declaration is not a class, is a local class, or is
  ///   isolated to the main actor.
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

  /// Whether a class inside `scopes` is local.
  static func isLocal(in scopes: some Sequence<Syntax>) -> Bool {
    scopes.contains(where: \.isFunctionLike)
  }

  /// Whether `@Model` rejects the class, so that the class has no slots.
  func isRefused(in scopes: some Sequence<Syntax>) -> Bool {
    superclass == nil || isIsolated || Self.isLocal(in: scopes)
  }

  /// Returns the superclass, which a model must have.
  ///
  /// - Throws: `DiagnosticsError` when the declaration names no superclass.
  func superclass(attribute: AttributeSyntax) throws -> String {
    if let superclass { return superclass.trimmedDescription }
    throw DiagnosticsError(
      declaration.name, .missingSuperclass(name), fixIts: [.insertSuperclass(into: declaration)])
  }
}

extension Syntax {
  /// Whether declarations inside this node are local.
  fileprivate var isFunctionLike: Bool {
    switch kind {
    case .functionDecl, .initializerDecl, .deinitializerDecl, .accessorDecl, .subscriptDecl,
      .closureExpr, .variableDecl:
      true
    default: false
    }
  }

  /// Whether types inside this node may not have static stored properties.
  ///
  /// The syntax of an extension does not show whether the extended type is generic, so it is
  /// treated as generic. Functions are not considered, because a type cannot be nested in a
  /// generic function.
  var maybeGeneric: Bool {
    self.is(ExtensionDeclSyntax.self)
      || asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
  }
}
