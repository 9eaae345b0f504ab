import Synchronization
package import VarveEncoding
import VarveStorage

/// A condition bound to a class of a file, ready to be asked about rows.
///
/// It is a program of tests, each of which says where to go on when it holds and when it does not, as in
/// ``ConditionFlow``. Predicates on properties of the class itself read the bytes of rows, without making values of them.
/// For each layout of the class the program is compiled at the first row.
///
/// Thread safety: any thread, if ``isShareable``. It belongs to the schema that it was made with.
package final class RowTest: Sendable {
  package struct Step: Sendable {
    enum Test: Sendable {
      /// Decided by the bytes of the property in the row: a scan can, and the property is no collection.
      case predicate(PropertyPredicate, StoredProperty)
      case comparison(BoundComparison)
    }

    let test: Test
    /// The next step, or ``RowTest/accepted`` or ``RowTest/rejected``.
    package let ifTrue: Int
    package let ifFalse: Int
  }

  /// The ends of the program, as in ``ConditionFlow``.
  package static let accepted = -1
  package static let rejected = -2

  let steps: [Step]
  let start: Int
  /// Guards what was compiled, by layout.
  private let plans = Mutex<[UInt16: RowPlan]>([:])

  /// Makes a filter.
  ///
  /// - Parameters:
  ///   - steps: the program; from no step may one come back to it.
  ///   - start: where it begins: a step, ``accepted`` or ``rejected``.
  package init(_ steps: [Step], start: Int) {
    self.steps = steps
    self.start = start
  }

  /// Binds a condition. Of the parts that AND joins, those come first that bytes decide.
  ///
  /// - Parameters:
  ///   - condition: the condition.
  ///   - model: the class of the objects; nil for values.
  ///   - schema: the class as the file stores it; nil where it does not, and for values.
  ///   - scope: what is read.
  /// - Throws: `.unknownProperty` or `.invalidInput` for a path that the class does not have.
  /// - Complexity: O(size of the condition).
  convenience init(
    _ condition: Condition, on model: ClassDescription?, _ schema: ClassSchema?,
    _ scope: ReadScope
  ) throws(Failure) {
    func predicate(_ comparison: Condition.Comparison) -> Step.Test? {
      guard let model, let schema, let predicate = PropertyPredicate(comparison, in: scope.store),
        predicate.isScannable, let property = predicate.ownProperty(model, in: schema),
        property.kind.collection == .none
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
      let places = parts.indices.filter { isFast[$0] } + parts.indices.filter { !isFast[$0] }
      flow = ConditionFlow(.all(places.map { parts[$0] }))
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

  /// Whether several threads may ask at once: not where values have to be made of what the rows refer to.
  var isShareable: Bool {
    steps.allSatisfy { if case .predicate = $0.test { true } else { false } }
  }

  /// The filter compiled for a layout.
  ///
  /// - Complexity: O(constants) the first time, else O(1).
  func plan(for layout: RowLayout) -> RowPlan {
    plans.withLock { plans in
      if let plan = plans[layout.id] { return plan }
      let plan = RowPlan(steps, from: start, layout)
      plans[layout.id] = plan
      return plan
    }
  }
}
