import VarveCore

/// The plan of a query, as ``Results/explain()`` reports it.
///
/// The description is meant for people and may change between versions. In programs and tests,
/// compare ``steps`` instead. Unstable: a minor release before 1.0 may change this type.
public struct QueryPlan: Sendable, Hashable {
  /// A step of the plan. Steps are listed in the order of execution.
  public indirect enum Step: Sendable, Hashable {
    /// Reads nothing: the results are empty.
    case nothing
    /// Reads all objects of a class.
    case scan(className: String)
    /// Reads a range of the index of a property.
    case index(property: String)
    /// Reads a range of the primary key, or looks up individual keys.
    case primaryKey(property: String)
    /// Runs several plans and combines their results.
    case union([Step])
    /// Finds objects of another class, and then the objects that link to them through a property.
    case links(property: String, to: [Step])
    /// Reads the elements of a list, a map, a set or linking objects.
    case collection
    /// Finds the elements of the results that these results are a part of.
    case results([Step])
    /// Evaluates a condition on each element found so far.
    case filter
    /// Reads the index of a property in its order, which avoids a sort.
    case order(property: String)
    /// Sorts the elements found so far.
    case sort
    /// Keeps the first of each group of equal elements.
    case distinct
    /// Omits elements at the beginning or at the end.
    case limit
  }

  /// The steps of the plan, in the order of execution.
  public let steps: [Step]
  /// The estimated number of objects that the first step reads; nil when it is not known in
  /// advance.
  public let estimatedCount: Int?
  private let text: String

  init(_ planned: [PlanStep]) {
    steps = planned.map(Step.init)
    estimatedCount = planned.first?.estimate
    text = planned.map(\.description).joined(separator: "\n")
  }

  /// Whether a step reads all objects of a class.
  public var scansClass: Bool { steps.contains { $0.scansClass } }
}

extension QueryPlan: CustomStringConvertible {
  /// The plan as text, one line for each step, with estimates.
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
