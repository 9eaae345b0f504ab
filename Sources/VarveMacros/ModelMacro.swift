import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Model`: generates the slots, the schema, the memberwise initializers and the `Codable`
/// members of a class, and its `Sendable` extension.
package struct ModelMacro {
  package static var formatMode: FormatMode { .disabled }
}

extension ModelMacro: MemberMacro {
  package static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    let model = try ModelClass(checking: declaration, attribute: node, in: context)
    let members = PersistedMember.all(in: declaration.memberBlock.members)
    let memberwise = MemberwiseMembers(members, in: model)
    let argument = MemberwiseArgument(of: node)
    let remarks =
      MemberCheck.primaryKeys(members)
      + MemberCheck.separateDeclarations(declaration.memberBlock.members)
      + IndexMethod.remarks(node, members, in: model)
      + argument.remarks(memberwise)
    for remark in remarks { context.diagnose(remark) }
    let superclass = try model.superclass(attribute: node)
    return [
      SlotEnumeration.declaration(of: members, in: model, superclass: superclass, context: context),
      SchemaMethod.declaration(of: members, in: model, superclass: superclass),
    ] + [RegistrationMember.declaration(in: model, context: context)].compactMap(\.self)
      + [IndexMethod.declaration(of: node, in: model)].compactMap(\.self)
      + [CodingNames.method(of: members, in: model)].compactMap(\.self)
      + CodableMembers.declarations(in: model)
      + memberwise.declarations(isAllowed: argument.isAllowed)
  }
}

extension ModelMacro: ExtensionMacro {
  package static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // `protocols` does not help: `Sendable` is inherited, but every subclass must restate it.
    guard let declaration = declaration.as(ClassDeclSyntax.self) else { return [] }
    let model = ModelClass(declaration)
    guard !model.inherits(from: ["Sendable"]) else { return [] }
    // A use of a deprecated class causes a warning, except in a declaration that is itself
    // deprecated.
    let attribute = declaration.attributes.isDeprecated ? "@available(*, deprecated)\n" : ""
    let result: DeclSyntax =
      "\(raw: attribute)extension \(type.trimmed): @unchecked Swift.Sendable {}"
    return result.as(ExtensionDeclSyntax.self).map { [$0] } ?? []
  }
}
