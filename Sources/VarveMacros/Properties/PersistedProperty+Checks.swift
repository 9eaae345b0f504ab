import SwiftDiagnostics
import SwiftSyntax

extension PersistedProperty {
  /// Reads the declaration that `attribute` is attached to.
  ///
  /// `@Persisted` reports the errors that this initializer throws. `@Model` skips such properties,
  /// so that each error is reported once.
  ///
  /// - Throws: `DiagnosticsError` when the property cannot be persisted.
  init(checking declaration: some DeclSyntaxProtocol, attribute: AttributeSyntax) throws {
    guard let declaration = declaration.as(VariableDeclSyntax.self) else {
      throw DiagnosticsError(attribute, .persistedNeedsVariable)
    }
    guard declaration.bindings.count == 1, let binding = declaration.bindings.first else {
      throw DiagnosticsError(
        declaration.bindings, .severalVariables, fixIts: [.splitBindings(of: declaration)])
    }
    guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
      throw DiagnosticsError(binding.pattern, .persistedNeedsVariable)
    }
    let specifier = declaration.bindingSpecifier
    guard specifier.tokenKind == .keyword(.var) else {
      throw DiagnosticsError(specifier, .constant, fixIts: [.replaceLet(specifier)])
    }
    for modifier in declaration.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.override):
        throw DiagnosticsError(modifier, .overridden)
      case .keyword(.static), .keyword(.class), .keyword(.lazy), .keyword(.weak),
        .keyword(.unowned):
        throw DiagnosticsError(
          modifier, .modifier(modifier.name.text), fixIts: [.removeModifier(modifier)])
      default: continue
      }
    }
    if let actor = declaration.attributes.first(named: "MainActor") {
      throw DiagnosticsError(actor, .isolatedProperty, fixIts: [.removeAttribute(actor)])
    }
    if let block = binding.accessorBlock, !block.hasOnlyObservers {
      throw DiagnosticsError(block, .computed, fixIts: [.removeAttribute(attribute)])
    }
    self.init(
      declaration: declaration, binding: binding, attribute: attribute, name: pattern.identifier)
    try checkType()
    if isAutoIncremented { try checkAutoIncrement() }
  }
}

extension AccessorBlockSyntax {
  fileprivate var hasOnlyObservers: Bool {
    guard case .accessors(let list) = accessors else { return false }
    return list.allSatisfy {
      [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
    }
  }
}
