import SwiftDiagnostics
import SwiftSyntax

/// The override that lists the indexes declared with `@Model`.
enum IndexMethod {
  /// - Returns: The override, or nil for an attribute without indexes.
  static func declaration(
    of attribute: AttributeSyntax, in model: ModelClass
  ) -> DeclSyntax? {
    let arguments = lists(in: attribute)
    guard !arguments.isEmpty else { return nil }
    let access = model.isOpen ? "open " : model.access
    let lists = arguments.map { argument in
      "\(argument.expression.trimmedDescription).map { Varve._ClassIndex($0, isUnique: "
        + "\(argument.label?.text == "unique")) }"
    }
    return DeclSyntax(
      text: """
        \(access)override class func _$indexes() -> [Varve._ClassIndex] {
          super._$indexes() + \(lists.joined(separator: " + "))
        }
        """)
  }

  /// Reports names that are not persisted properties of the class, and lists that are not literals.
  static func remarks(
    _ attribute: AttributeSyntax, _ members: [PersistedMember], in model: ModelClass
  ) -> [Diagnostic] {
    let names = Set(
      PersistedMember.properties(members, conditional: true).filter { !$0.isInverse }
        .map(\.identifier))
    return lists(in: attribute).flatMap { argument in
      lists(argument.expression).flatMap { list in
        elements(list).flatMap { element -> [Diagnostic] in
          guard let name = literal(element) else {
            return [Diagnostic(node: element, message: MacroDiagnostic.indexNeedsLiterals)]
          }
          return names.contains(name)
            ? []
            : [
              Diagnostic(
                node: element, message: MacroDiagnostic.unknownIndexedProperty(name, model.name))
            ]
        }
      }
    }
  }

  /// Returns the text of a string literal without escapes and interpolations, which no name needs.
  private static func literal(_ expression: ExprSyntax) -> String? {
    guard let string = expression.as(StringLiteralExprSyntax.self), string.segments.count == 1
    else {
      return nil
    }
    return string.segments.first?.as(StringSegmentSyntax.self)?.content.text
  }

  /// Returns the arguments that list indexes.
  private static func lists(in attribute: AttributeSyntax) -> [LabeledExprSyntax] {
    guard case .argumentList(let arguments)? = attribute.arguments else { return [] }
    return arguments.filter { $0.label?.text != MemberwiseArgument.label }
  }

  private static func lists(_ expression: ExprSyntax) -> [ExprSyntax] { elements(expression) }

  /// Returns the elements of an array literal, or the expression itself when it is not one.
  private static func elements(_ expression: ExprSyntax) -> [ExprSyntax] {
    expression.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? [expression]
  }
}
