import VarveEncoding

/// A comparison of one property with constants, such as an index can answer.
///
/// Thread safety: an immutable value.
struct PropertyCriterion: Sendable {
  enum Question: Sendable {
    case compared(Condition.Operation, Value)
    case between(Value, Value)
    case among([Value])
    /// The words of a text.
    case text(FullTextQuery, String)
  }

  /// The way to the property; the last step.
  let path: QueryPath
  let question: Question

  /// - Returns: nil for a comparison of another kind.
  init?(_ comparison: Condition.Comparison, in store: Store) {
    guard comparison.folding.isEmpty, comparison.quantifier == .any else { return nil }
    switch (comparison.left, comparison.operation, comparison.right) {
    case (.path(let path), .in, .constants(let constants)):
      self.path = path
      question = .among(constants.map { $0.value(in: store) })
    case (.path(let path), .between, .constants(let bounds)) where bounds.count == 2:
      self.path = path
      question = Question.between(bounds[0].value(in: store), bounds[1].value(in: store)).ofNull
    case (.path(let path), .text, .constant(.value(.string(let words)))):
      self.path = path
      question = .text(FullTextQuery(words), words)
    case (.path(let path), let operation, .constant(let constant)):
      guard let operation = operation.scanned else { return nil }
      self.path = path
      question = Question.compared(operation, constant.value(in: store)).ofNull
    case (.constant(let constant), let operation, .path(let path)):
      guard let operation = operation.turned else { return nil }
      self.path = path
      question = Question.compared(operation, constant.value(in: store)).ofNull
    default: return nil
    }
  }

  init(path: QueryPath, question: Question) {
    self.path = path
    self.question = question
  }

  /// The property, where it is one of the class itself; nil at the end of links, and for one that the file does not store.
  func ownProperty(_ model: ClassDescription, in schema: ClassSchema) -> StoredProperty? {
    guard path.steps.count == 1, case .property(let name) = path.steps[0] else { return nil }
    return model.storedProperty(named: name, in: schema)
  }

  /// Whether null satisfies the comparison, so that objects do that have nothing at the end of the path.
  var holdsForNull: Bool {
    switch question {
    case .compared(let operation, let constant): Value.null.satisfies(operation, constant, [])
    case .between, .text: false
    case .among(let constants): constants.contains { $0.isNull }
    }
  }

  /// Between which values those lie that satisfy the comparison; nil for a comparison of another kind.
  var bounds: ValueBounds? {
    switch question {
    case .compared(.less, let value): ValueBounds(.none, .exclusive(value))
    case .compared(.lessOrEqual, let value): ValueBounds(.none, .inclusive(value))
    case .compared(.greater, let value): ValueBounds(.exclusive(value), .none)
    case .compared(.greaterOrEqual, let value): ValueBounds(.inclusive(value), .none)
    case .compared(.doesNotFollow, let value):
      ValueBounds(.none, .inclusive(value), inSortOrder: true)
    case .compared(.doesNotPrecede, let value):
      ValueBounds(.inclusive(value), .none, inSortOrder: true)
    case .between(let lower, let upper): ValueBounds(.inclusive(lower), .inclusive(upper))
    case .compared, .among, .text: nil
    }
  }

  /// Whether the values that satisfy the comparison lie together in the order of sorting, so that objects in that order
  /// satisfy it one after the other, and not here and there.
  var isContiguous: Bool {
    switch question {
    case .compared(.equal, _), .compared(.beginsWith, _), .among: true
    default: bounds != nil
    }
  }

  /// The comparison in words.
  var text: String {
    switch question {
    // Null and NaN, which come before all values, are not worth a word of their own.
    case .compared(.doesNotFollow, let constant): "<= \(constant.text)"
    case .compared(.doesNotPrecede, let constant): ">= \(constant.text)"
    case .compared(let operation, let constant): "\(operation.rawValue) \(constant.text)"
    case .between(let lower, let upper): "BETWEEN {\(lower.text), \(upper.text)}"
    case .text(_, let words): "TEXT \(Value.string(words).text)"
    case .among(let constants):
      constants.count <= 8
        ? "IN {\(constants.map(\.text).joined(separator: ", "))}" : "IN {\(constants.count) values}"
    }
  }
}

extension PropertyCriterion.Question {
  /// The question, where it asks for an order of null for what null alone satisfies.
  fileprivate var ofNull: PropertyCriterion.Question {
    switch self {
    case .compared(.lessOrEqual, .null), .compared(.greaterOrEqual, .null), .between(.null, .null):
      .compared(.equal, .null)
    default: self
    }
  }
}

extension Condition.Operation {
  /// The operation, where a property and a constant suffice for it.
  fileprivate var scanned: Condition.Operation? {
    switch self {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith, .endsWith,
      .contains, .follows, .precedes, .doesNotFollow, .doesNotPrecede:
      self
    case .between, .in, .like, .matches, .text, .geoWithin: nil
    }
  }

  /// What holds when both sides are exchanged; nil for operations that have sides.
  var turned: Condition.Operation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}
