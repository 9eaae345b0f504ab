package import VarveEncoding
import VarveLocks
import VarveStorage

/// A condition bound to a class of a file, which can be evaluated for rows.
///
/// It is a program of tests, each with a successor for true and a successor for false, as in
/// ``ConditionFlow``. Predicates on properties of the class itself read the bytes of rows without
/// decoding values. The program is compiled for each layout when the first row of that layout is
/// read.
///
/// Thread safety: safe to use from any thread, if ``isShareable``. A test belongs to the schema
/// that it was created with.
package final class RowTest: Sendable {
  package struct Step: Sendable {
    enum Test: Sendable {
      /// Decided from the bytes of the property in the row. The predicate is scannable, and the
      /// property is not a collection.
      case predicate(PropertyPredicate, StoredProperty)
      case comparison(BoundComparison)
    }

    let test: Test
    /// The next step, or ``RowTest/accepted`` or ``RowTest/rejected``.
    package let ifTrue: Int
    package let ifFalse: Int
  }

  /// The exits of the program, as in ``ConditionFlow``.
  package static let accepted = -1
  package static let rejected = -2

  let steps: [Step]
  let start: Int
  /// Guards the compiled plans, which are keyed by layout id.
  private let plans = Lock<[UInt16: RowPlan]>([:])

  /// Creates a filter from a program.
  ///
  /// - Parameters:
  ///   - steps: The program. It must not contain cycles.
  ///   - start: The first step, or ``accepted`` or ``rejected``.
  package init(_ steps: [Step], start: Int) {
    self.steps = steps
    self.start = start
  }

  /// Binds a condition. Conjuncts that are decided from the bytes of a row are evaluated first.
  ///
  /// - Parameters:
  ///   - model: The class of the objects, or nil for values.
  ///   - schema: The class as the file stores it. Nil if the file does not contain it, and for
  ///     values.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class lacks.
  /// - Complexity: O(size of the condition).
  convenience init(
    _ condition: Condition, on model: ClassDescription?, _ schema: ClassSchema?,
    _ scope: ReadScope
  ) throws(Failure) {
    func predicate(_ comparison: Condition.Comparison) -> Step.Test? {
      guard let model, let schema, let predicate = PropertyPredicate(comparison, in: scope.store),
        predicate.isScannable, let property = predicate.ownProperty(model, in: schema),
        property.kind.collection == .none, !scope.mayContainMarks(property)
      else { return nil }
      return .predicate(predicate, property)
    }
    var flow = ConditionFlow(condition)
    var tests = flow.steps.map { predicate($0.comparison) }
    if tests.contains(where: { $0 == nil }), tests.contains(where: { $0 != nil }) {
      let parts = condition.conjuncts
      let isFast = parts.map { part in
        ConditionFlow(part).steps.allSatisfy { predicate($0.comparison) != nil }
      }
      let order = parts.indices.filter { isFast[$0] } + parts.indices.filter { !isFast[$0] }
      flow = ConditionFlow(.all(order.map { parts[$0] }))
      tests = flow.steps.map { predicate($0.comparison) }
    }
    var steps: [Step] = []
    steps.reserveCapacity(tests.count)
    for (predicate, step) in zip(tests, flow.steps) {
      let test: Step.Test
      if let predicate {
        test = predicate
      } else {
        test = .comparison(try BoundComparison(step.comparison, model, scope))
      }
      steps.append(Step(test: test, ifTrue: step.ifTrue, ifFalse: step.ifFalse))
    }
    self.init(steps, start: flow.start)
  }

  /// Whether several threads may evaluate the test concurrently. False if a step must decode values
  /// or follow references.
  var isShareable: Bool {
    steps.allSatisfy { if case .predicate = $0.test { true } else { false } }
  }

  /// Returns the filter compiled for a layout.
  ///
  /// - Complexity: O(constants) the first time, otherwise O(1).
  func plan(for layout: RowLayout) -> RowPlan {
    plans.withLock { plans in
      if let plan = plans[layout.id] { return plan }
      let plan = RowPlan(steps, from: start, layout)
      plans[layout.id] = plan
      return plan
    }
  }
}
