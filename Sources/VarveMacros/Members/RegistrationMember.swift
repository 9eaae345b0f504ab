import SwiftSyntax
import SwiftSyntaxMacros

/// The function that returns the class, in a section of the object file, by which the program finds
/// all of its models.
enum RegistrationMember {
  /// - Returns: The member. Nil for a generic class and for a class in a generic type, because each
  ///   specialization is a separate class.
  static func declaration(
    in model: ModelClass, context: some MacroExpansionContext
  ) -> DeclSyntax? {
    guard model.declaration.genericParameterClause == nil,
      !context.lexicalContext.contains(where: \.maybeGeneric)
    else { return nil }
    // A unique name, because a class declared inside its superclass would otherwise override the
    // member.
    let name = context.makeUniqueName("model")
    // The compiler (Swift 6.3) evaluates the constant only in a module without errors such as a
    // property that an initializer does not set. Otherwise it reports each constant in a section,
    // whatever its value is, with the lines around it.
    return DeclSyntax(
      text: """
        // Errors about this constant follow from another error in the module, and vanish with it.
        @section("varve_models") @used
        private nonisolated static let \(name.text): @convention(c) () -> Swift.UInt = {
          Varve._$modelReference(\(model.name).self)
        }
        """)
  }
}
