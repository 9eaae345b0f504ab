import SwiftSyntax
import SwiftSyntaxBuilder
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
    return """
      @section("varve_models") @used
      private nonisolated static let \(name): @convention(c) () -> Swift.UnsafeRawPointer = {
      Varve._$modelReference(\(raw: model.name).self)
      }
      """
  }
}
