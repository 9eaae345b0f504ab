import SwiftSyntax
import SwiftSyntaxBuilder

/// Rewrites the body of an observer so that it accesses its own property without running the
/// observers.
///
/// In Swift, an assignment to a property in its own `didSet` does not run the observers again. In a
/// generated setter, it would recurse infinitely. As in Swift, this applies to the body itself, not
/// to closures and functions in it, and only to the property of `self`.
final class OwnPropertyRewriter: SyntaxRewriter {
  private let property: String
  private let replacement: String
  /// Whether the bare name may refer to a local variable somewhere in the body.
  private let isShadowed: Bool
  /// Whether the body refers to its own property.
  private(set) var hasReplaced = false

  init(property: String, replacement: String, in body: CodeBlockSyntax, parameter: String?) {
    self.property = property
    self.replacement = replacement
    let finder = BindingFinder(name: property)
    finder.walk(body)
    isShadowed = finder.isFound || (parameter ?? "") == property
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> ExprSyntax {
    guard !isShadowed, node.argumentNames == nil, node.baseName.identifierText == property else {
      return ExprSyntax(node)
    }
    return replacement(for: node)
  }

  override func visit(_ node: MemberAccessExprSyntax) -> ExprSyntax {
    guard let base = node.base else { return ExprSyntax(node) }
    if base.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self),
      node.declName.baseName.identifierText == property
    {
      return replacement(for: node)
    }
    // The member's name is also a reference, but to a member of another object.
    return ExprSyntax(node.with(\.base, visit(base)))
  }

  override func visit(_ node: KeyPathExprSyntax) -> ExprSyntax { ExprSyntax(node) }
  override func visit(_ node: ClosureExprSyntax) -> ExprSyntax { ExprSyntax(node) }
  override func visit(_ node: FunctionDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: ClassDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: StructDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: EnumDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: ActorDeclSyntax) -> DeclSyntax { DeclSyntax(node) }

  private func replacement(for node: some ExprSyntaxProtocol) -> ExprSyntax {
    hasReplaced = true
    let access: ExprSyntax = "\(raw: replacement)"
    return access.with(\.leadingTrivia, node.leadingTrivia)
      .with(\.trailingTrivia, node.trailingTrivia)
  }
}

/// Searches for a local variable, constant or binding with a name.
private final class BindingFinder: SyntaxVisitor {
  private let name: String
  private(set) var isFound = false

  init(name: String) {
    self.name = name
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    if node.identifier.identifierText == name { isFound = true }
    return .skipChildren
  }

  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}
