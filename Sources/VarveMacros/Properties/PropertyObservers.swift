import SwiftSyntax
import SwiftSyntaxBuilder

/// The `willSet` and `didSet` of a property.
///
/// The compiler drops them without a word when a macro adds `get` and `set`, so the setter runs
/// their bodies itself, with the rules that they have in Swift.
extension PersistedProperty {
  /// Writes the setter.
  ///
  /// `slot`: The expression for the property's slot.
  func setter(slot: String) -> AccessorDeclSyntax {
    let willSet = observer(.willSet)
    let didSet = observer(.didSet)
    let store = "_$set(\(slot), newValue)"
    guard willSet != nil || didSet != nil else { return "set { \(raw: store) }" }

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
    return "set {\n\(raw: lines.joined(separator: "\n"))\n}"
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

  /// What the bodies use for the property itself.
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
    // Without the annotation a value of an implicitly unwrapped property arrives as an optional.
    let isUnwrapped = type?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true
    let annotation = isUnwrapped ? type.map { ": \($0.trimmedDescription)" } ?? "" : ""
    return "let \(name)\(annotation) = \(value)"
  }

  private func block(of observer: ObserverBody, binding: String?, isLast: Bool) -> String {
    // A `return` in `willSet` leaves the observer, not the setter.
    let block =
      observer.returns && !isLast
      ? "_ = { () -> Swift.Void in\n\(observer.statements)\n}()" : "do {\n\(observer.statements)\n}"
    guard let binding else { return block }
    return "do {\n\(binding)\n\(block)\n}"
  }
}

/// The body of one observer.
private struct ObserverBody {
  /// The name that the observer gives to its value.
  let parameter: String?
  /// The statements, where the property itself is reached without its observers.
  let statements: String
  /// Whether the statements name the property.
  let usesOwnProperty: Bool
  private let body: CodeBlockSyntax

  /// - Parameters:
  ///   - accessor: The `willSet` or `didSet`.
  ///   - body: Its body.
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

  /// Whether `name` occurs anywhere, so that a constant of that name is not left unused.
  func mentions(_ name: String) -> Bool {
    body.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
  }

  /// Whether a `return` may leave the observer.
  var returns: Bool {
    body.tokens(viewMode: .sourceAccurate).contains { $0.tokenKind == .keyword(.return) }
  }
}
