import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The function that gives the class, in a section of the object file: so the program knows all of its models.
enum RegistrationMember {
  /// - Returns: nil for a generic class, and one inside of a generic type: each use of it is a class of its own.
  static func declaration(
    in model: ModelClass, context: some MacroExpansionContext
  ) -> DeclSyntax? {
    guard model.declaration.genericParameterClause == nil,
      !context.lexicalContext.contains(where: \.maybeGeneric)
    else { return nil }
    // A name of its own: a class that is declared inside of its superclass would override it.
    let name = context.makeUniqueName("model")
    return """
      @section("varve_models") @used
      private nonisolated static let \(name): @convention(c) () -> Swift.UnsafeRawPointer = {
      Varve._$modelReference(\(raw: model.name).self)
      }
      """
  }
}
