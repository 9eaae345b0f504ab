import VarveCore

/// How results are found, as ``Results/explain()`` tells it.
///
/// Its text is for people and may be worded otherwise in later versions; programs and tests compare ``steps``.
///
/// Thread safety: a value.
public struct QueryPlan: Sendable, Hashable {
  /// One step, in the order in which they are taken.
  public indirect enum Step: Sendable, Hashable {
    /// Nothing is read.
    case nothing
    /// All objects of a class are visited.
    case scan(className: String)
    /// A range of the index of a property is read.
    case index(property: String)
    /// A range of the primary key is read, or some keys are looked up.
    case primaryKey(property: String)
    /// Each of several ways is taken, and what they find is put together.
    case union([Step])
    /// Objects of another class are found, and then those that link to them through a property.
    case links(property: String, to: [Step])
    /// The elements of a list, a map, a set or linking objects are visited.
    case collection
    /// The elements of other results are found, of which these are a part.
    case results([Step])
    /// Each element that was found so far is asked a condition.
    case filter
    /// The index of a property is walked in its order: nothing is sorted.
    case order(property: String)
    /// What was found is sorted.
    case sort
    /// Of equal elements the first one is kept.
    case distinct
    /// Elements are left out at the beginning or at the end.
    case limit
  }

  /// The steps.
  public let steps: [Step]
  /// About how many objects are read to begin with; nil where that is not known before.
  public let estimatedCount: Int?
  private let text: String

  init(_ planned: [PlanStep]) {
    steps = planned.map(Step.init)
    estimatedCount = planned.first?.estimate
    text = planned.map(\.description).joined(separator: "\n")
  }

  /// Whether all objects of a class are visited somewhere.
  public var scansClass: Bool { steps.contains { $0.scansClass } }
}

extension QueryPlan: CustomStringConvertible {
  /// A line for each step, with estimates.
  public var description: String { text }
}

extension QueryPlan.Step {
  fileprivate init(_ step: PlanStep) {
    self =
      switch step {
      case .nothing: .nothing
      case .scan(let name, _): .scan(className: name)
      case .range(let property, _, true, _): .primaryKey(property: property)
      case .range(let property, _, false, _): .index(property: property)
      case .union(let steps, _): .union(steps.map(QueryPlan.Step.init))
      case .links(let property, let steps, _):
        .links(property: property, to: steps.map(QueryPlan.Step.init))
      case .collection: .collection
      case .query(let steps): .results(steps.map(QueryPlan.Step.init))
      case .filter: .filter
      case .order(let property, _): .order(property: property)
      case .sort: .sort
      case .distinct: .distinct
      case .limit: .limit
      }
  }

  fileprivate var scansClass: Bool {
    switch self {
    case .scan: true
    case .union(let steps), .links(_, let steps), .results(let steps):
      steps.contains { $0.scansClass }
    default: false
    }
  }
}

extension PlanStep {
  fileprivate var estimate: Int? {
    switch self {
    case .nothing: 0
    case .scan(_, let count): count
    case .range(_, _, _, let estimate), .union(_, let estimate), .links(_, _, let estimate):
      estimate
    case .query(let steps): steps.first?.estimate
    default: nil
    }
  }
}
