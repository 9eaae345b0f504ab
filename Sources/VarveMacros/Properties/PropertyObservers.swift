import SwiftSyntax

/// The `willSet` and `didSet` of a property.
///
/// The compiler silently drops them when a macro adds `get` and `set`. The setter therefore runs
/// their bodies itself, according to the rules of Swift.
extension PersistedProperty {
  /// Generates the setter.
  ///
  /// `slot`: The expression for the property's slot.
  func setter(slot: String) -> AccessorDeclSyntax {
    let willSet = observer(.willSet)
    let didSet = observer(.didSet)
    let store = "_$set(\(slot), newValue)"
    guard willSet != nil || didSet != nil else { return AccessorDeclSyntax(.set, "{ \(store) }") }

    var lines: [String] = []
    if [willSet, didSet].contains(where: { $0?.usesOwnProperty == true }) {
      lines.append(ownProperty(slot: slot))
    }
    let oldValue = didSet?.parameter ?? "oldValue"
    let needsOldValue = didSet?.mentions(oldValue) == true
    if needsOldValue { lines.append("let _$old = self.\(spelling)") }
    if let willSet {
      let binding = willSet.parameter.flatMap { name in
        willSet.mentions(name) && name != "newValue" ? bind(name, to: "newValue") : nil
      }
      lines.append(block(of: willSet, binding: binding, isLast: false))
    }
    lines.append(store)
    if let didSet {
      let binding = needsOldValue ? bind(oldValue, to: "_$old") : nil
      lines.append(block(of: didSet, binding: binding, isLast: true))
    }
    return AccessorDeclSyntax(.set, "{\n\(lines.joined(separator: "\n"))\n}")
  }

  private func observer(_ keyword: Keyword) -> ObserverBody? {
    guard case .accessors(let list)? = binding.accessorBlock?.accessors,
      let accessor = list.first(where: { $0.accessorSpecifier.tokenKind == .keyword(keyword) }),
      let body = accessor.body
    else { return nil }
    return ObserverBody(
      accessor, body: body, property: identifier,
      replacement: type == nil ? "_$own.value" : "_$own")
  }

  /// Returns the declaration with which the bodies access the property itself.
  private func ownProperty(slot: String) -> String {
    guard let type else { return "let _$own = Varve._ObservedProperty(self, \(slot), newValue)" }
    return """
      var _$own: \(type.trimmedDescription) {
      get { _$get(\(slot)) }
      set { _$set(\(slot), newValue) }
      }
      """
  }

  private func bind(_ name: String, to value: String) -> String {
    // Without the annotation, the value of an implicitly unwrapped property would be an optional.
    let isUnwrapped = type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
    let annotation = isUnwrapped ? type.map { ": \($0.trimmedDescription)" } ?? "" : ""
    return "let \(name)\(annotation) = \(value)"
  }

  private func block(of observer: ObserverBody, binding: String?, isLast: Bool) -> String {
    // A `return` in `willSet` returns from the observer, not from the setter.
    let block =
      observer.returns && !isLast
      ? "_ = { () -> Swift.Void in\n\(observer.statements)\n}()" : "do {\n\(observer.statements)\n}"
    guard let binding else { return block }
    return "do {\n\(binding)\n\(block)\n}"
  }
}

/// The body of an observer.
private struct ObserverBody {
  /// The name of the observer's parameter.
  let parameter: String?
  /// The statements, which access the property itself without its observers.
  let statements: String
  /// Whether the statements refer to the property.
  let usesOwnProperty: Bool
  private let body: CodeBlockSyntax

  /// - Parameters:
  ///   - accessor: The `willSet` or `didSet`.
  ///   - body: The body of the accessor.
  ///   - property: The name of the observed property.
  ///   - replacement: The expression for the property without its observers.
  init(
    _ accessor: AccessorDeclSyntax, body: CodeBlockSyntax, property: String, replacement: String
  ) {
    parameter = accessor.parameters?.name.text
    self.body = body
    let rewriter = OwnPropertyRewriter(
      property: property, replacement: replacement, in: body, parameter: parameter)
    let rewritten = rewriter.visit(body)
    statements = rewritten.statements.trimmedDescription
    usesOwnProperty = rewriter.hasReplaced
  }

  /// Returns whether `name` occurs in the body, so that no unused constant with this name is
  /// generated.
  func mentions(_ name: String) -> Bool {
    body.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
  }

  /// Whether a `return` may leave the observer.
  var returns: Bool {
    body.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
  }
}
