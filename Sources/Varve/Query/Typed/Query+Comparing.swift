import VarveCore
import VarveEncoding

extension Query {
  /// Compares with what knows no object: a constant, several, a region.
  func compare(
    _ operation: Condition.Operation, _ right: QueryExpression, folding: TextFolding = []
  ) -> Query<Bool> {
    switch content {
    case .expression(let left, _):
      Query<Bool>(
        .comparison(Condition.Comparison(left, operation, right, folding: folding)), scope)
    case .condition(let condition):
      Query<Bool>(condition.compared(operation, right), scope)
    }
  }

  func compare(
    _ operation: Condition.Operation, _ value: some RealmCollectionValue
  ) -> Query<Bool> {
    let boxed = value._$boxed
    if case .collection = boxed.content, operation == .equal || operation == .notEqual {
      return Query<Bool>(
        .comparison(of: path, with: boxed.queryContents, isEqual: operation == .equal), scope)
    }
    return compare(operation, .constant(boxed.queryConstant))
  }

  /// Compares with another query of the same closure.
  func compare<U>(
    _ operation: Condition.Operation, _ other: Query<U>, folding: TextFolding = []
  ) -> Query<Bool> {
    let scope = scope.joined(other.scope)
    switch (content, other.content) {
    case (.expression(let left, _), .expression(let right, _)):
      if left.isMany && right.isMany {
        QueryMisuse.trap(
          "Both sides of a comparison lead over collections, '\(left)' and '\(right)': one of them may."
        )
      }
      return Query<Bool>(
        .comparison(Condition.Comparison(left, operation, right, folding: folding)), scope)
    case (.condition(let left), .condition(let right)):
      return Query<Bool>(.same(left, right).turned(by: operation), scope)
    case (.condition(let condition), .expression(let value, _)),
      (.expression(let value, _), .condition(let condition)):
      return Query<Bool>(condition.isSame(as: value).turned(by: operation), scope)
    }
  }
}

extension Condition {
  /// A condition that `==` gives, as `!=` has it.
  fileprivate func turned(by operation: Operation) -> Condition {
    operation == .notEqual ? .not(self) : self
  }

  /// Whether the condition is what a Bool says; one that is null says neither.
  fileprivate func isSame(as value: QueryExpression) -> Condition {
    if value.isMany {
      QueryMisuse.trap("A condition can be compared with one Bool, not with those of '\(value)'.")
    }
    let isTrue = Condition.comparison(
      Comparison(value, .equal, .constant(.value(.bool(true)))))
    let isThere = Condition.comparison(Comparison(value, .notEqual, .constant(.value(.null))))
    return .and(.same(isTrue, self), isThere)
  }

  /// The condition as a Bool, compared with constants; only equality is asked for.
  fileprivate func compared(_ operation: Operation, _ right: QueryExpression) -> Condition {
    let constants: [Constant] =
      switch right {
      case .constant(let constant): [constant]
      case .constants(let constants): constants
      default: []
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

extension Query {
  /// Whether the value is among some, of which lists and dictionaries are compared by their contents.
  func isAmong(_ values: some Sequence<some RealmCollectionValue>) -> Query<Bool> {
    let boxes = values.map(\._$boxed)
    let collections = boxes.filter(\.isCollection)
    if collections.isEmpty { return compare(.in, .constants(boxes.map(\.queryConstant))) }
    let others = boxes.filter { !$0.isCollection }
    var condition = compare(.in, .constants(others.map(\.queryConstant))).condition
    for collection in collections {
      condition = .or(
        condition, .comparison(of: path, with: collection.queryContents, isEqual: true))
    }
    return Query<Bool>(condition, scope)
  }
}

extension _Boxed {
  fileprivate var isCollection: Bool {
    if case .collection = content { true } else { false }
  }

  /// What a comparison asks for, with what is in a list or a dictionary. What is nested more than 100 levels deep, or contains
  /// itself, is equal to nothing that can be stored.
  var queryContents: ConstantContents {
    guard let copy = try? copied() else { return .constant(.value(ObjectReference.nowhere)) }
    return copy.copiedContents
  }

  /// As ``queryContents``, of a copy.
  private var copiedContents: ConstantContents {
    guard case .collection(let collection) = content else { return .constant(queryConstant) }
    if collection.isDictionary {
      return .dictionary(
        collection.unmanagedEntries.map {
          ConstantContents.Entry(key: $0.key, value: $0.value.copiedContents)
        })
    }
    return .list(collection.unmanagedElements.map(\.copiedContents))
  }

  /// What a comparison asks for.
  var queryConstant: Condition.Constant {
    switch content {
    case .value(let value): .value(value)
    case .object(let object):
      ObjectReference(object.handle).map { .object($0) } ?? .value(ObjectReference.nowhere)
    case .collection: .value(ObjectReference.nowhere)
    case .unset: .value(.null)
    }
  }
}
