import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing
import VarveMacros

/// Expands `source` and compares the diagnostics of the macros, but not the expansion.
///
/// - Parameters:
///   - messages: The messages in order.
///   - positions: The line and column of each message.
///   - fixIts: The texts of all fix-its.
///   - fixed: The source after all fix-its, if there are any.
func expectMessages(
  _ source: String,
  _ messages: [String],
  at positions: [(line: Int, column: Int)],
  fixIts: [String] = [],
  fixed: String? = nil,
  fileID: String = #fileID,
  filePath: String = #filePath,
  line: UInt = #line
) {
  let location = Testing.SourceLocation(
    fileID: fileID, filePath: filePath, line: Int(line), column: 1)
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  _ = file.expand(
    macroSpecs: macroSpecs,
    contextGenerator: { node in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    })

  #expect(context.diagnostics.map(\.message) == messages, sourceLocation: location)
  let found = context.diagnostics.map { diagnostic in
    let position = context.location(
      for: diagnostic.position, anchoredAt: diagnostic.node, fileName: "test.swift")
    return [position.line, position.column]
  }
  #expect(found == positions.map { [$0.line, $0.column] }, sourceLocation: location)
  let offered = context.diagnostics.flatMap(\.fixIts)
  #expect(offered.map(\.message.message) == fixIts, sourceLocation: location)
  guard let fixed else { return }

  var text = Array(source.utf8)
  // From the end, so that the offsets of earlier changes stay valid.
  for change in offered.flatMap(\.changes).reversed() {
    guard case .replace(let old, let new) = change else { continue }
    // The macros receive detached copies. The context has their original positions.
    let start = context.location(for: old.position, anchoredAt: old, fileName: "test.swift")
    text.replaceSubrange(
      start.offset..<start.offset + old.totalLength.utf8Length, with: Array(new.description.utf8))
  }
  #expect(String(decoding: text, as: UTF8.self) == fixed, sourceLocation: location)
}

/// Returns `source` with all macros expanded.
func expansion(_ source: String) -> String {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "test.swift")])
  let expanded = file.expand(
    macroSpecs: macroSpecs,
    contextGenerator: { node in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2))
  return expanded.description
}
