import VarveCore
import VarveEncoding

extension Query {
  /// Compares the value with an operand that does not depend on the object: a constant, several
  /// constants or a region.
  func compare(
    _ operation: Condition.Operation, _ right: QueryExpression, folding: TextFolding = .exact
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

  /// Compares the value with another query of the same closure.
  func compare<U>(
    _ operation: Condition.Operation, _ other: Query<U>, folding: TextFolding = .exact
  ) -> Query<Bool> {
    let scope = scope.joined(other.scope)
    switch (content, other.content) {
    case (.expression(let left, _), .expression(let right, _)):
      if left.isMany && right.isMany {
        Misuse.trap(
          "Both sides of a comparison have many values, '\(left)' and '\(right)': only one may."
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
  /// The condition, negated for `!=`.
  fileprivate func turned(by operation: Operation) -> Condition {
    operation == .notEqual ? .not(self) : self
  }

  /// A condition that is true when this condition is equal to a Bool property. It is false when the
  /// property is null.
  fileprivate func isSame(as value: QueryExpression) -> Condition {
    if value.isMany {
      Misuse.trap(
        "A condition can be compared with a single Bool, not with the values of '\(value)'.")
    }
    let isTrue = Condition.comparison(
      Comparison(value, .equal, .constant(.value(.bool(true)))))
    let isNotNull = Condition.comparison(Comparison(value, .notEqual, .constant(.value(.null))))
    return .and(.same(isTrue, self), isNotNull)
  }

  /// Compares the condition, taken as a Bool, with constants. Only equality is possible.
  fileprivate func compared(_ operation: Operation, _ right: QueryExpression) -> Condition {
    let constants: [Constant] =
      switch right {
      case .constant(let constant): [constant]
      case .constants(let constants): constants
      default: []
      }
    func isTrue(for value: Bool) -> Bool {
      let isAmong = constants.contains { if case .value(.bool(value)) = $0 { true } else { false } }
      return isAmong != (operation == .notEqual)
    }
    return switch (isTrue(for: true), isTrue(for: false)) {
    case (true, true): .always
    case (true, false): self
    case (false, true): .not(self)
    case (false, false): .never
    }
  }
}

extension Query {
  /// Whether the value is equal to one of several values. Lists and dictionaries among them are
  /// compared by their contents.
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

  /// The operand of a comparison, including the contents of a list or a dictionary. A collection
  /// that is nested more than 100 levels deep, or contains itself, is equal to no stored value.
  var queryContents: ConstantContents {
    guard let copy = try? copied() else { return .constant(.value(ObjectReference.nowhere)) }
    return copy.copiedContents
  }

  /// The operand of a comparison, including the contents, of a copied value.
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

  /// The operand of a comparison.
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
