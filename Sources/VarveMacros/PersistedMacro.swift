import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Persisted`: generates the accessors of a property.
///
/// In a class with `@Model`, the slot comes from the generated enumeration. In any other class, the
/// property generates its own description as a peer, so that an unchanged model file of Realm Swift
/// compiles.
package struct PersistedMacro {
  package static var formatMode: FormatMode { .disabled }

  /// Reads the property and the class that declares it.
  ///
  /// - Throws: `DiagnosticsError` when the property is declared elsewhere or cannot be persisted.
  private static func read(
    _ declaration: some DeclSyntaxProtocol,
    attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) throws -> (property: PersistedProperty, model: ModelClass) {
    guard let scope = context.lexicalContext.first?.as(ClassDeclSyntax.self) else {
      throw DiagnosticsError(attribute, .persistedOutsideClass)
    }
    let model = ModelClass(scope)
    let property = try PersistedProperty(checking: declaration, attribute: attribute)
    // With `@Model`, the class itself reports the following errors once.
    if !model.isMarked {
      if let condition = scope.attributes.condition(around: "Model") {
        throw DiagnosticsError(attribute, .conditionalModel(condition))
      }
      if model.superclass == nil {
        throw DiagnosticsError(attribute, .missingSuperclass(model.name))
      }
      if model.isIsolated {
        throw DiagnosticsError(attribute, .isolatedModel(model.name))
      }
    }
    return (property, model)
  }
}

extension PersistedMacro: AccessorMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    let (property, model) = try read(declaration, attribute: node, in: context)
    if model.isMarked, model.isRefused(in: context.lexicalContext.dropFirst()) {
      // The class has reported the reason. Without this, each property would also report an error
      // about its slot.
      return [
        AccessorDeclSyntax(.get, "{ Swift.fatalError() }"), AccessorDeclSyntax(.set, "{}"),
      ]
    }
    let slot =
      model.isMarked
      ? "_$Slot.\(property.slotCase)._$i" : "\(model.name).\(property.prefixed("_$s_"))"
    let getter = AccessorDeclSyntax(.get, "{ _$get(\(slot)) }")
    // Inverse relationships follow from the links of other objects and cannot be set.
    return property.isInverse ? [getter] : [getter, property.setter(slot: slot)]
  }
}

extension PersistedMacro: PeerMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    // The accessors report errors of the declaration.
    guard let (property, model) = try? read(declaration, attribute: node, in: context),
      !model.isMarked
    else { return [] }
    let marker = property.prefixed("_$P_")
    let name = property.identifier.asStringLiteral
    let slot = "Varve._$resolveSlot(\(model.name).self, \(name))"
    let isGeneric = context.lexicalContext.contains(where: \.maybeGeneric)
    let attribute =
      property.declaration.attributes.isDeprecated ? "@available(*, deprecated)\n" : ""
    return [
      """
      private struct \(marker): Varve._PropertyMarker {
        \(attribute)static func meta() -> Varve.PropertyDescriptor {
          \(property.descriptor(slot: "-1", in: model))
        }
      \(CodingNames.function(of: property, in: model))
      }
      """,
      "private let \(property.prefixed("_$f_")) = \(marker)()",
      isGeneric
        ? "private static var \(property.prefixed("_$s_")): Swift.Int { \(slot) }"
        : "private static let \(property.prefixed("_$s_")): Swift.Int = \(slot)",
    ].map(DeclSyntax.init(text:))
  }
}
