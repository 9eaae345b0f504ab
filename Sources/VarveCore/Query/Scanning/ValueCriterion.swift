package import VarveEncoding

/// What a scan asks of the value of one property of the object itself.
///
/// It means what ``Value/satisfies(_:_:_:)`` means: numbers compare across types and exactly, null has no
/// place in an order, strings and data compare by bytes.
///
/// Thread safety: an immutable value.
package struct ValueCriterion: Sendable {
  /// How a value stands to a constant.
  package enum Relation: Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains
  }

  package enum Question: Sendable {
    case compared(Relation, Value)
    /// Not less than the first value, and not greater than the second one.
    case between(Value, Value)
    /// Equal to one of the values, in any order.
    case among([Value])
  }

  package let propertyID: UInt32
  package let question: Question

  package init(_ propertyID: UInt32, _ question: Question) {
    self.propertyID = propertyID
    self.question = question.answered
  }

  package init(_ propertyID: UInt32, _ relation: Relation, _ constant: Value) {
    self.init(propertyID, .compared(relation, constant))
  }

  /// Whether a property is null.
  package static func isNull(_ propertyID: UInt32) -> ValueCriterion {
    ValueCriterion(propertyID, .equal, .null)
  }

  /// Whether a value satisfies the criterion: what every faster way must agree with.
  package func holds(_ value: Value) -> Bool {
    switch question {
    case .compared(let relation, let constant):
      value.satisfies(relation.operation, constant, [])
    case .between(let lower, let upper):
      value.satisfies(.greaterOrEqual, lower, []) && value.satisfies(.lessOrEqual, upper, [])
    case .among(let constants): constants.contains { value.satisfies(.in, $0, []) }
    }
  }
}

extension ValueCriterion.Relation {
  /// The same among the operations of conditions.
  var operation: Condition.Operation {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    }
  }
}

extension ValueCriterion.Question {
  /// The question, or one that nothing satisfies: order is asked only of what has one, and null is not less than null but
  /// equal.
  fileprivate var answered: ValueCriterion.Question {
    switch self {
    case .compared(.lessOrEqual, .null), .compared(.greaterOrEqual, .null), .between(.null, .null):
      .compared(.equal, .null)
    case .compared(.less, let value), .compared(.lessOrEqual, let value),
      .compared(.greater, let value), .compared(.greaterOrEqual, let value):
      value.hasOrder ? self : .among([])
    case .between(let lower, let upper):
      lower.hasOrder && upper.hasOrder ? self : .among([])
    case .compared, .among: self
    }
  }
}
