import SwiftDiagnostics
import SwiftSyntax

/// The argument of `@Model` that requires or prevents the memberwise initializers.
struct MemberwiseArgument {
  static let label = "memberwise"

  /// The value of the argument; nil where there is none.
  private let expression: ExprSyntax?

  init(of attribute: AttributeSyntax) {
    guard case .argumentList(let arguments)? = attribute.arguments else {
      expression = nil
      return
    }
    expression = arguments.first { $0.label?.text == Self.label }?.expression
  }

  private var literal: Bool? {
    (expression?.as(BooleanLiteralExprSyntax.self)?.literal.tokenKind).map { $0 == .keyword(.true) }
  }

  /// Whether the class is to have the initializers where they are possible.
  var isAllowed: Bool { literal != false }

  /// Reports a value that is not a literal, the obstacle to a required initializer, and the
  /// properties that the initializers lack.
  func remarks(_ members: MemberwiseMembers) -> [Diagnostic] {
    guard let expression else { return members.omissions }
    guard let literal else {
      return [Diagnostic(node: expression, message: MacroDiagnostic.memberwiseNeedsLiteral)]
    }
    guard literal else { return [] }
    guard let obstacle = members.initializerObstacle else { return members.omissions }
    return [
      Diagnostic(
        node: expression,
        message: MacroDiagnostic.noMemberwiseInitializer(members.model.name, obstacle))
    ]
  }
}
