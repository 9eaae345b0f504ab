import SwiftSyntax

/// What the class declares besides its persisted properties, as far as it decides on the memberwise
/// initializers.
struct DeclaredMembers {
  /// Whether the class overrides `init()`, which may set properties.
  private(set) var hasInit = false
  /// Whether the class has an initializer other than `init()` and `init(from:)`.
  private(set) var hasOtherInitializer = false
  /// Whether the class overrides `defaultPropertyValues()`.
  private(set) var hasComputedDefaults = false
  /// Whether the class has a member `New`.
  private(set) var hasNew = false

  /// Whether code of the class gives properties other values than their declarations do.
  var hasComputedValues: Bool { hasInit || hasComputedDefaults }

  init(_ model: ModelClass) {
    for member in model.declaration.memberBlock.members.flattened {
      if let initializer = member.as(InitializerDeclSyntax.self) {
        let parameters = initializer.signature.parameterClause.parameters
        if parameters.isEmpty {
          hasInit = true
        } else if !(parameters.count == 1 && parameters.first?.firstName.text == "from") {
          hasOtherInitializer = true
        }
      } else if let function = member.as(FunctionDeclSyntax.self) {
        if function.name.text == "defaultPropertyValues" { hasComputedDefaults = true }
      } else if let variable = member.as(VariableDeclSyntax.self) {
        hasNew = hasNew || variable.bindings.contains { $0.pattern.trimmedDescription == "New" }
      } else if member.asProtocol((any NamedDeclSyntax).self)?.name.text == "New" {
        hasNew = true
      }
    }
  }
}
