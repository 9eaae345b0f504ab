import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing
import VarveMacros

/// The macros under test.
let macroSpecs = [
  "Model": MacroSpec(
    type: FormattedModelMacro.self,
    conformances: [TypeSyntax(IdentifierTypeSyntax(name: .identifier("Sendable")))]),
  "Persisted": MacroSpec(type: FormattedPersistedMacro.self),
]

/// `@Model`, with its code parsed and formatted, which the macro leaves to the compiler.
enum FormattedModelMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try ModelMacro.expansion(
      of: node, providingMembersOf: declaration, conformingTo: protocols, in: context
    ).map(\.parsed)
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    try ModelMacro.expansion(
      of: node, attachedTo: declaration, providingExtensionsOf: type, conformingTo: protocols,
      in: context)
  }
}

/// `@Persisted`, with its code parsed and formatted, which the macro leaves to the compiler.
enum FormattedPersistedMacro: AccessorMacro, PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    try PersistedMacro.expansion(
      of: node, providingAccessorsOf: declaration, in: context
    ).map { AccessorDeclSyntax(stringLiteral: $0.description) }
  }

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    try PersistedMacro.expansion(of: node, providingPeersOf: declaration, in: context).map(\.parsed)
  }
}

extension DeclSyntax {
  /// The declaration that the text declares.
  fileprivate var parsed: DeclSyntax { DeclSyntax(stringLiteral: description) }
}

/// Expands `source` and compares the result.
///
/// - Parameters:
///   - expanded: The source after the expansion.
///   - diagnostics: The diagnostics of the macros.
///   - fixed: The source after all fix-its; nil if it is not compared.
func expectExpansion(
  _ source: String,
  _ expanded: String,
  diagnostics: [DiagnosticSpec] = [],
  fixed: String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  assertMacroExpansion(
    source,
    expandedSource: expanded,
    diagnostics: diagnostics,
    macroSpecs: macroSpecs,
    fixedSource: fixed,
    indentationWidth: .spaces(2),
    failureHandler: { failure in
      Issue.record(
        Comment(rawValue: failure.message),
        sourceLocation: Testing.SourceLocation(
          fileID: failure.location.fileID, filePath: failure.location.filePath,
          line: Int(failure.location.line), column: Int(failure.location.column)))
    },
    fileID: fileID, filePath: filePath, line: line, column: column
  )
}
