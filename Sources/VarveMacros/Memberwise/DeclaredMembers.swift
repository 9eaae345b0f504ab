import SwiftSyntax

/// What the class declares besides its persisted properties, as far as it decides on the memberwise
/// initializers.
struct DeclaredMembers {
  /// Whether the class has an initializer other than `init()` and `init(from:)`.
  private(set) var hasOtherInitializer = false
  /// Whether the class overrides `defaultPropertyValues()`.
  private(set) var hasComputedDefaults = false

  init(_ model: ModelClass) {
    for member in model.declaration.memberBlock.members.flattened {
      if let initializer = member.as(InitializerDeclSyntax.self) {
        let parameters = initializer.signature.parameterClause.parameters
        let isDecoder = parameters.count == 1 && parameters.first?.firstName.text == "from"
        if !parameters.isEmpty, !isDecoder { hasOtherInitializer = true }
      } else if let function = member.as(FunctionDeclSyntax.self) {
        if function.name.text == "defaultPropertyValues" { hasComputedDefaults = true }
      }
    }
  }
}
