import VarveEncoding

@testable import VarveCore

extension RowTest.Step {
  /// - Precondition: A scan can evaluate the predicate, and the property is not a collection.
  init(_ predicate: PropertyPredicate, _ property: StoredProperty, ifTrue: Int, ifFalse: Int) {
    self.init(test: .predicate(predicate, property), ifTrue: ifTrue, ifFalse: ifFalse)
  }
}

extension RowTest {
  /// A filter of predicates on properties that must all be true.
  convenience init(all predicates: [(StoredProperty, PropertyPredicate)]) {
    let last = predicates.count - 1
    let steps = predicates.enumerated().map { index, each in
      Step(
        each.1, each.0, ifTrue: index == last ? RowTest.accepted : index + 1,
        ifFalse: RowTest.rejected)
    }
    self.init(steps, start: steps.isEmpty ? RowTest.accepted : 0)
  }

  /// A filter that compares one property with a constant.
  convenience init(_ property: StoredProperty, _ operation: Condition.Operation, _ constant: Value)
  {
    self.init(all: [
      (property, PropertyPredicate(QueryPath([property.name]), .compared(operation, constant)))
    ])
  }
}
