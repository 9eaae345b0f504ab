import VarveEncoding
import VarveStorage

/// The objects of a class that satisfy a condition, found by visiting every one.
///
/// What compares properties of the object itself with constants is asked of the bytes of the rows; only what is left is asked
/// of values.
///
/// Thread safety: one thread at a time, as the reader.
struct FilteredTable {
  private let scan: RowScan

  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(size of the condition).
  init(
    _ condition: Condition, of model: ClassDescription, _ schema: ClassSchema,
    _ reader: any TableReader, _ store: Store, within ids: ClosedRange<UInt64>
  ) throws(Failure) {
    if condition.isAlways {
      scan = RowScan(reader, schema, ids: ids)
      return
    }
    if let test = RowTest(condition, model, schema, store) {
      scan = RowScan(reader, schema, test: test, ids: ids)
      return
    }
    var quick: [Condition] = []
    var slow: [Condition] = []
    for part in condition.conjuncts {
      if RowTest(part, model, schema, store) == nil {
        slow.append(part)
      } else {
        quick.append(part)
      }
    }
    let evaluator = try ConditionEvaluator(
      Condition.all(slow), on: model, reader: reader, store: store)
    scan = RowScan(
      reader, schema,
      test: quick.isEmpty ? nil : RowTest(Condition.all(quick), model, schema, store), ids: ids,
      further: { (row, id) throws(Failure) in try evaluator.matches(row, id: id) })
  }

  /// - Parameters:
  ///   - plan: what is asked of each object.
  ///   - reader: a version, or the running transaction of this thread.
  ///   - store: the store of both.
  ///   - ids: the objects that are visited.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  init(
    _ plan: QueryPlan, _ reader: any TableReader, _ store: Store,
    within ids: ClosedRange<UInt64> = 0...UInt64.max
  ) throws(Failure) {
    try self.init(plan.filter, of: plan.model, plan.schema, reader, store, within: ids)
  }

  /// - Throws: `.corrupted`.
  func count() throws(Failure) -> Int { try scan.count() }

  /// The ids, ascending.
  func ids(limit: Int) throws(Failure) -> [UInt64] { try scan.ids(limit: limit) }

  func sum(_ property: StoredProperty) throws(Failure) -> ValueSum { try scan.sum(property) }

  func extreme(
    _ property: StoredProperty, _ end: ValueExtreme.End
  ) throws(Failure) -> Value? {
    try scan.extreme(property, end)
  }

  /// The first ids in the order of a property; nil for one of a type that is not compared by its bytes.
  func firstIDs(
    sortedBy property: StoredProperty, isAscending: Bool, limit: Int
  ) throws(Failure) -> [UInt64]? {
    try scan.firstIDs(sortedBy: property, isAscending: isAscending, limit: limit)
  }
}

extension RowTest {
  /// The condition as a filter on bytes; nil where a comparison needs more than a property and constants.
  fileprivate init?(
    _ condition: Condition, _ model: ClassDescription, _ schema: ClassSchema, _ store: Store
  ) {
    let flow = ConditionFlow(condition)
    var steps: [Step] = []
    steps.reserveCapacity(flow.steps.count)
    for step in flow.steps {
      guard let criterion = PropertyCriterion(step.comparison, in: store),
        let question = criterion.scanned,
        let property = criterion.ownProperty(model, in: schema)
      else { return nil }
      steps.append(
        Step(
          ValueCriterion(property.id, question), ifTrue: step.ifTrue, ifFalse: step.ifFalse))
    }
    self.init(steps, start: flow.start, of: schema)
  }
}

extension PropertyCriterion {
  /// What a scan asks; nil for what it does not know.
  fileprivate var scanned: ValueCriterion.Question? {
    switch question {
    case .compared(let operation, let value):
      return operation.relation.map { .compared($0, value) }
    case .between(let lower, let upper): return .between(lower, upper)
    case .among(let values): return .among(values)
    case .text: return nil
    }
  }
}

extension Condition.Operation {
  /// The same among the relations of scans; nil for an operation that they do not know.
  fileprivate var relation: ValueCriterion.Relation? {
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
    case .between, .like, .matches, .text, .in, .geoWithin, .follows, .precedes, .doesNotFollow,
      .doesNotPrecede:
      nil
    }
  }
}
