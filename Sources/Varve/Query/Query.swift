import VarveCore
import VarveEncoding

/// A typed condition, as the closure of ``RealmCollection/where(_:)`` builds it.
///
/// Properties are reached by their names; operators and methods compare them. A wrong name or type
/// does not compile, and neither do members of a property's value: `$0.name.count`. A computed property
/// of the model is not stored, so that no query can ask for it: it ends the program with a message.
///
/// ```swift
/// dogs.where { $0.age > 5 && $0.owner.name == "Ann" }
/// ```
///
/// An object given to `==`, `!=` or `in` stands for itself in its store, and equals no object of another
/// store. It is taken as it is at that moment: an unmanaged one equals none, even when it is added later.
///
/// Enumerations have no order: of a ``PersistableEnum`` queries know `==`, `!=` and `in`, and of its `rawValue` all.
///
/// Complexity: conditions are joined in constant time, to any number and depth.
///
/// Thread safety: an immutable value.
@dynamicMemberLookup
public struct Query<T>: Sendable {
  private enum Content {
    /// A property by the names that lead to it; no name for the object itself.
    case path([String])
    /// What a comparison gave.
    case condition(Condition)
  }

  private let content: Content

  /// The object itself.
  init() { content = .path([]) }

  private init(path: [String]) { content = .path(path) }

  init(_ condition: Condition) { content = .condition(condition) }

  /// The condition; of a property, which is a Bool then: that it is true.
  var condition: Condition {
    switch content {
    case .condition(let condition): condition
    case .path: compare(.equal, .constant(.value(.bool(true)))).condition
    }
  }
}

/// A class whose properties queries reach by their names.
///
/// Subscripts ask for this protocol and not for its superclass: where one member follows another, the
/// compiler (Swift 6.3) lets any type pass for a subclass, `$0.name.count` too.
public protocol _QueryRoot: ObjectBase {}
extension ObjectBase: _QueryRoot {}

extension Query where T: _QueryRoot {
  /// A property.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<V: _Persistable>(dynamicMember keyPath: KeyPath<T, V>) -> Query<V> {
    member(keyPath)
  }
}

extension Query {
  /// A property of a linked object; null when the link is.
  ///
  /// - Precondition: the key path is a persisted property, not a computed one.
  public subscript<O: _QueryRoot, V: _Persistable>(
    dynamicMember keyPath: KeyPath<O, V>
  ) -> Query<V> where T == O? {
    member(keyPath)
  }

  func member<O: ObjectBase, V>(_ keyPath: KeyPath<O, V>) -> Query<V> {
    guard case .path(let names) = content else {
      preconditionFailure("Only a Bool is a condition, and a Bool has no members.")
    }
    return Query<V>(path: names + ClassInfo.path(keyPath))
  }

  /// The same property, taken as what is stored of it.
  func retyped<V>() -> Query<V> {
    switch content {
    case .path(let names): Query<V>(path: names)
    case .condition(let condition): Query<V>(condition)
    }
  }

  func compare(
    _ operation: Condition.Operation, _ operand: Condition.Operand, caseInsensitive: Bool = false
  ) -> Query<Bool> {
    switch content {
    case .path(let path):
      Query<Bool>(
        .comparison(
          Condition.Comparison(path, operation, operand, isCaseInsensitive: caseInsensitive)))
    case .condition(let condition):
      Query<Bool>(condition.compared(operation, operand))
    }
  }

  /// Whether this and another property, or condition, are equal.
  func isEqual(to other: Query<T>) -> Query<Bool> {
    if case .path(let path) = other.content, case .path = content {
      return compare(.equal, .path(path))
    }
    return Query<Bool>(.same(condition, other.condition))
  }
}

extension Condition {
  /// The condition as a Bool, compared with constants; only equality is asked for.
  fileprivate func compared(_ operation: Operation, _ operand: Operand) -> Condition {
    let constants: [Constant] =
      switch operand {
      case .constant(let constant): [constant]
      case .constants(let constants): constants
      case .path, .region: []
      }
    func holds(for value: Bool) -> Bool {
      let isAmong = constants.contains { if case .value(.bool(value)) = $0 { true } else { false } }
      return isAmong != (operation == .notEqual)
    }
    return switch (holds(for: true), holds(for: false)) {
    case (true, true): .always
    case (true, false): self
    case (false, true): .not(self)
    case (false, false): .never
    }
  }
}
