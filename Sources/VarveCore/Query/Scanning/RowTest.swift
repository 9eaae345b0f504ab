import Synchronization
import VarveEncoding

/// A filter that is asked about the bytes of rows, without making values of them.
///
/// It is a program of criteria, each of which says where to go on when it holds and when it does not, as in
/// ``ConditionFlow``. For each layout of the class it is compiled at the first row.
///
/// Thread safety: any thread. It belongs to the schema that it was made with.
package struct RowTest: Sendable {
  package struct Step: Sendable {
    package let criterion: ValueCriterion
    /// The next step, or ``RowTest/accepted`` or ``RowTest/rejected``.
    package let ifTrue: Int
    package let ifFalse: Int

    package init(_ criterion: ValueCriterion, ifTrue: Int, ifFalse: Int) {
      self.criterion = criterion
      self.ifTrue = ifTrue
      self.ifFalse = ifFalse
    }
  }

  /// The ends of the program, as in ``ConditionFlow``.
  package static let accepted = -1
  package static let rejected = -2

  final class Content: Sendable {
    let steps: [Step]
    let start: Int
    /// The properties of the steps.
    let properties: [StoredProperty]
    /// Guards what was compiled, by layout.
    let plans = Mutex<[UInt16: RowPlan]>([:])

    init(_ steps: [Step], _ start: Int, _ properties: [StoredProperty]) {
      self.steps = steps
      self.start = start
      self.properties = properties
    }
  }

  let content: Content

  /// Whether a scan can answer a criterion: that of a property of the class that is no collection.
  package static func supports(_ criterion: ValueCriterion, of schema: ClassSchema) -> Bool {
    schema.property(id: criterion.propertyID)?.kind.collection == CollectionKind.none
  }

  /// Makes a filter, or nil when a scan cannot answer one of the criteria.
  ///
  /// - Parameters:
  ///   - steps: the program; from no step may one come back to it.
  ///   - start: where it begins: a step, ``accepted`` or ``rejected``.
  ///   - schema: the class.
  /// - Complexity: O(steps).
  package init?(_ steps: [Step], start: Int, of schema: ClassSchema) {
    var properties: [StoredProperty] = []
    properties.reserveCapacity(steps.count)
    for step in steps {
      guard let property = schema.property(id: step.criterion.propertyID),
        property.kind.collection == .none
      else { return nil }
      properties.append(property)
    }
    content = Content(steps, start, properties)
  }

  /// A filter of one criterion, or of several that must all hold.
  package init?(all criteria: [ValueCriterion], of schema: ClassSchema) {
    let last = criteria.count - 1
    let steps = criteria.enumerated().map { index, criterion in
      Step(
        criterion, ifTrue: index == last ? RowTest.accepted : index + 1,
        ifFalse: RowTest.rejected)
    }
    self.init(steps, start: steps.isEmpty ? RowTest.accepted : 0, of: schema)
  }

  /// The filter compiled for a layout.
  ///
  /// - Complexity: O(constants) the first time, else O(1).
  func plan(for layout: RowLayout) -> RowPlan {
    content.plans.withLock { plans in
      if let plan = plans[layout.id] { return plan }
      let plan = RowPlan(content, layout)
      plans[layout.id] = plan
      return plan
    }
  }
}
