import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing
import VarveMacros

/// The macros under test.
let macroSpecs = [
  "Model": MacroSpec(
    type: ModelMacro.self,
    conformances: [TypeSyntax(IdentifierTypeSyntax(name: .identifier("Sendable")))]),
  "Persisted": MacroSpec(type: PersistedMacro.self),
]

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
