import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension Syntax {
  /// The replacement for a removed `node`: the line break and the comments before it.
  fileprivate static func nothing(insteadOf node: some SyntaxProtocol) -> Syntax {
    Syntax(
      TokenSyntax(.unknown(""), leadingTrivia: node.leadingTrivia, presence: .present))
  }
}

/// The message of a fix-it.
private struct FixItText: FixItMessage {
  let message: String
  let id: String

  var fixItID: MessageID { MessageID(domain: "VarveMacros", id: id) }
}

extension FixIt {
  private init(_ message: String, id: String, _ changes: [Change]) {
    self.init(message: FixItText(message: message, id: id), changes: changes)
  }

  static func replaceLet(_ specifier: TokenSyntax) -> FixIt {
    let variable = TokenSyntax.keyword(.var)
      .with(\.leadingTrivia, specifier.leadingTrivia)
      .with(\.trailingTrivia, specifier.trailingTrivia)
    return FixIt(
      "replace 'let' with 'var'", id: "replaceLet",
      [.replace(oldNode: Syntax(specifier), newNode: Syntax(variable))])
  }

  static func removeModifier(_ modifier: DeclModifierSyntax) -> FixIt {
    FixIt(
      "remove '\(modifier.name.text)'", id: "removeModifier",
      [.replace(oldNode: Syntax(modifier), newNode: .nothing(insteadOf: modifier))])
  }

  static func removeAttribute(_ attribute: AttributeSyntax) -> FixIt {
    FixIt(
      "remove '\(attribute.trimmedDescription)'", id: "removeAttribute",
      [.replace(oldNode: Syntax(attribute), newNode: .nothing(insteadOf: attribute))])
  }

  /// Replaces the type. An initial value is removed, because the new type may not accept it.
  static func replaceType(of property: PersistedProperty, with type: String) -> FixIt {
    var binding = property.binding
    let trailing = binding.trailingTrivia
    if binding.typeAnnotation == nil { binding.pattern.trailingTrivia = [] }
    binding.typeAnnotation = TypeAnnotationSyntax(
      colon: .colonToken(trailingTrivia: .space), type: TypeSyntax("\(raw: type)"))
    binding.initializer = nil
    binding.trailingTrivia = trailing
    return FixIt(
      "replace the type with '\(type)'", id: "replaceType",
      [.replace(oldNode: Syntax(property.binding), newNode: Syntax(binding))])
  }

  static func removeInitialValue(of property: PersistedProperty) -> FixIt {
    var binding = property.binding
    let trailing = binding.trailingTrivia
    binding.initializer = nil
    binding.trailingTrivia = trailing
    return FixIt(
      "remove the initial value", id: "removeInitialValue",
      [.replace(oldNode: Syntax(property.binding), newNode: Syntax(binding))])
  }

  /// Inserts `primaryKey: true` before the other arguments of the attribute.
  static func insertPrimaryKey(in attribute: AttributeSyntax) -> FixIt {
    var result = attribute
    if case .argumentList(let list)? = attribute.arguments {
      let others = list.filter { $0.label?.text != "primaryKey" }
      let key = LabeledExprSyntax(
        label: .identifier("primaryKey"), colon: .colonToken(trailingTrivia: .space),
        expression: BooleanLiteralExprSyntax(literal: .keyword(.true)),
        trailingComma: .commaToken(trailingTrivia: .space))
      result.arguments = .argumentList(LabeledExprListSyntax([key] + Array(others)))
    }
    return FixIt(
      "add 'primaryKey: true'", id: "insertPrimaryKey",
      [.replace(oldNode: Syntax(attribute), newNode: Syntax(result))])
  }

  static func insertSuperclass(into declaration: ClassDeclSyntax) -> FixIt {
    var result = declaration
    let object = InheritedTypeSyntax(type: TypeSyntax("Object"))
    if var clause = declaration.inheritanceClause {
      let first = object.with(\.trailingComma, .commaToken(trailingTrivia: .space))
      clause.inheritedTypes = InheritedTypeListSyntax([first] + Array(clause.inheritedTypes))
      result.inheritanceClause = clause
    } else {
      let last = declaration.genericParameterClause.map(Syntax.init) ?? Syntax(declaration.name)
      result.inheritanceClause = InheritanceClauseSyntax(
        colon: .colonToken(trailingTrivia: .space),
        inheritedTypes: InheritedTypeListSyntax([object]),
        trailingTrivia: last.trailingTrivia)
      result.name.trailingTrivia = []
      result.genericParameterClause?.trailingTrivia = []
    }
    return FixIt(
      "inherit from 'Object'", id: "insertSuperclass",
      [.replace(oldNode: Syntax(declaration), newNode: Syntax(result))])
  }

  /// Splits `declaration` into a declaration for each variable.
  static func splitBindings(of declaration: VariableDeclSyntax) -> FixIt {
    var type: TypeAnnotationSyntax?
    // In `var a, b: Int`, the type of `b` is also the type of `a`.
    let lines = declaration.bindings.reversed().map { binding -> String in
      var single = binding.with(\.trailingComma, nil)
      type = binding.typeAnnotation ?? (binding.initializer == nil ? type : nil)
      if single.typeAnnotation == nil { single.typeAnnotation = type }
      let list = PatternBindingListSyntax([single.trimmed])
      return declaration.with(\.bindings, list).trimmedDescription
    }
    let indentation =
      declaration.leadingTrivia.description.split(
        separator: "\n", omittingEmptySubsequences: false
      ).last ?? ""
    let text = lines.reversed().joined(separator: "\n" + indentation)
    let result = DeclSyntax("\(raw: text)")
      .with(\.leadingTrivia, declaration.leadingTrivia)
      .with(\.trailingTrivia, declaration.trailingTrivia)
    return FixIt(
      "declare each variable separately", id: "splitBindings",
      [.replace(oldNode: Syntax(declaration), newNode: Syntax(result))])
  }
}
