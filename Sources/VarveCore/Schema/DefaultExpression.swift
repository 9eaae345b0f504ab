import Foundation
package import VarveEncoding
import VarveLocks
import VarveStorage

/// A declared default that is not a literal.
///
/// It is evaluated several times when it is needed for the first time. If the results are equal,
/// the default is a constant of the program, such as `5 * 60`; otherwise it is made for each
/// object, such as `UUID()`. A date within a day of now is always made for each object.
///
/// Thread safety: any thread may use it. The expression runs code of the model, under no lock.
package final class DefaultExpression: Sendable {
  package enum Kind: Sendable {
    case constant(Value)
    /// The default of each object is another one; `sample` is one of them.
    case perObject(sample: Value)
  }

  /// The evaluations after which equal results are taken for a constant.
  private static let evaluations = 16
  private static let nearNow: TimeInterval = 86_400

  /// Evaluates the expression.
  package let make: @Sendable () -> Value
  private struct State {
    /// Nil until it is known.
    var kind: Kind?
    /// The thread that evaluates the expression to find the kind; 0 for none.
    var thread: UInt = 0
  }
  /// Guards the kind.
  private let state = Lock(State())

  package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

  /// Whether the default is a constant. The first call evaluates the expression.
  ///
  /// To the expression itself, which may read objects of the class, its value is unknown.
  package var kind: Kind {
    let thread = ThreadIdentity.current
    let known = state.withLock { state -> Kind? in
      if let kind = state.kind { return kind }
      if state.thread == thread { return .perObject(sample: .null) }
      state.thread = thread
      return nil
    }
    if let known { return known }
    // Outside of the lock: the expression may read and write objects.
    let found = classified()
    return state.withLock { state in
      let kind = state.kind ?? found
      state.kind = kind
      return kind
    }
  }

  package var isPerObject: Bool { if case .perObject = kind { true } else { false } }

  private func classified() -> Kind {
    let first = make()
    if case .date(let date) = first, abs(date.timeIntervalSinceNow) < Self.nearNow {
      return .perObject(sample: first)
    }
    for _ in 1..<Self.evaluations where !make().isIdentical(to: first) {
      return .perObject(sample: first)
    }
    return .constant(first)
  }
}

/// Whether a declared default is an object, or a collection with elements, which no class record can
/// contain. It is evaluated when that is first asked.
///
/// Thread safety: any thread may use it. The default runs code of the model, under no lock.
package final class ContentDefault: Sendable {
  private struct State {
    /// Nil until it is known.
    var hasContent: Bool?
    /// The threads that evaluate the default.
    var threads: Set<UInt> = []
  }
  private let evaluate: @Sendable () -> Bool
  /// Guards the answer.
  private let state = Lock(State())

  package init(_ evaluate: @escaping @Sendable () -> Bool) { self.evaluate = evaluate }

  /// Whether the default is an object, or a collection with elements. False for the default itself,
  /// which may open a realm and so compare its own class.
  package var hasContent: Bool {
    let thread = ThreadIdentity.current
    let known = state.withLock { state -> Bool? in
      if let known = state.hasContent { return known }
      return state.threads.insert(thread).inserted ? nil : false
    }
    if let known { return known }
    let found = evaluate()
    return state.withLock { state in
      state.threads.remove(thread)
      let hasContent = state.hasContent ?? found
      state.hasContent = hasContent
      return hasContent
    }
  }
}

extension PropertyDescription {
  /// Whether the default is an object, or a collection with elements.
  package var hasContentDefault: Bool { contentDefault?.hasContent ?? false }

  /// The constant of the property in the file: rows that lack the property read it, and releases of
  /// the program that do not know the property store it.
  ///
  /// Evaluates the default if it is an expression. The constant of a default that is made for each
  /// object is the mark of the type (``DefaultMark``), or a sample where the type has none.
  var storedConstant: Value {
    guard !isPrimaryKey, let defaultExpression else { return addedConstant }
    switch defaultExpression.kind {
    case .constant(let value): return value
    case .perObject(let sample): return DefaultMark.value(for: kind.type) ?? sample
    }
  }

  /// The value that conditions and orders see while the file lacks the property; null for a default
  /// that is made for each object.
  var unstoredConstant: Value {
    guard let defaultExpression else { return addedConstant }
    if case .constant(let value) = defaultExpression.kind { return value }
    return .null
  }

  /// Returns the default of one object.
  func makeDefault() -> Value { defaultExpression?.make() ?? addedConstant }
}

extension ClassDescription {
  /// Evaluates the defaults that are expressions, so that registering the class runs no code of the
  /// model.
  func classifyDefaults() {
    for property in properties where property.isStored && !property.isPrimaryKey {
      _ = property.defaultExpression?.kind
    }
  }
}
