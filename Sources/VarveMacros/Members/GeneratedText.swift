import SwiftSyntax

// The macros return their code as text in a single token. The compiler parses the text of an
// expansion in any case. Parsing and formatting it in the macro as well would take three quarters
// of the macro's time; it is compiled without optimization in the debug builds of a program.

extension DeclSyntax {
  /// Creates a declaration from its text.
  init(text: String) {
    self.init(MissingDeclSyntax(placeholder: .generated(text)))
  }
}

extension AccessorDeclSyntax {
  /// Creates an accessor from the text of its body, including the braces.
  init(_ specifier: Keyword, _ body: String) {
    self.init(
      accessorSpecifier: .keyword(specifier, trailingTrivia: .space),
      body: CodeBlockSyntax(
        leftBrace: .leftBraceToken(presence: .missing),
        statements: [
          CodeBlockItemSyntax(
            item: .expr(ExprSyntax(MissingExprSyntax(placeholder: .generated(body)))))
        ], rightBrace: .rightBraceToken(presence: .missing)))
  }
}

extension TokenSyntax {
  fileprivate static func generated(_ text: String) -> TokenSyntax {
    TokenSyntax(.unknown(text), presence: .present)
  }
}
