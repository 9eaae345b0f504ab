import VarveEncoding
import VarveStorage

/// One step of a query plan.
package indirect enum PlanStep: Sendable, Hashable {
  /// Nothing is read: the condition is always false, or the file does not contain the class.
  case nothing
  /// All objects of a class are visited in id order.
  case scan(className: String, count: Int)
  /// A range of a property index or of the primary key is read.
  case range(property: String, condition: String, isPrimaryKey: Bool, estimate: Int)
  /// Several ranges are read, and their objects are merged.
  case union([PlanStep], estimate: Int)
  /// Objects of another class are found first, then the objects that link to them through a
  /// property.
  case links(property: String, of: [PlanStep], estimate: Int)
  /// The elements of a collection are visited: a list, a map, a set or linking objects.
  case collection(String)
  /// The objects of another query are found.
  case query([PlanStep])
  /// A filter is evaluated for each object found so far.
  case filter(String)
  /// An index is read in key order, so no sort is needed.
  case order(property: String, isAscending: Bool)
  case sort([ElementQuery.SortKey])
  /// The first object of each group of equal values is kept.
  case distinct([[String]])
  /// The first `offset` objects are skipped, and at most `limit` objects are returned.
  case limit(offset: Int, limit: Int?)
}

extension ElementQuery {
  /// The plan steps of a query for objects.
  package func objectSteps(in scope: ReadScope) -> [PlanStep] {
    guard let schema = scope.schema(of: model) else { return [.nothing] }
    let reader = scope.reader
    var steps: [PlanStep] = []
    var isSorted = sortKeys.isEmpty
    switch source {
    case .all:
      let plan = QueryPlanner(model, schema, scope).plan(condition)
      let needed = distinct.isEmpty ? limitClause?.needed(for: .max) ?? .max : .max
      if !isSorted, distinct.isEmpty {
        let ordered = OrderedPlan(plan, sortKeys, scope)
        if let walk = ordered.walk(limit: needed) {
          if let range = walk.condition { steps.append(range.step(reader)) }
          steps.append(.order(property: walk.name, isAscending: sortKeys[0].isAscending))
          if !walk.filter.isAlways { steps.append(.filter("\(walk.filter)")) }
          isSorted = true
        } else if ordered.isByKey {
          steps = plan.limited(to: needed, reader).steps(reader)
          steps.append(
            .order(property: sortKeys[0].path[0], isAscending: sortKeys[0].isAscending))
          isSorted = true
        }
      }
      if steps.isEmpty {
        steps = (isSorted ? plan.limited(to: needed, reader) : plan).steps(reader)
      }
    case .collection(let collection): steps = filtered(.collection(collection.kind.planName))
    case .linking(let source):
      let origin =
        model.property(storedAs: source.originPropertyName)?.alias ?? source.originPropertyName
      steps = filtered(.collection("linking objects through \(origin)"))
    case .query(let inner):
      steps = filtered(.query(inner.objectSteps(in: scope)))
    }
    for distinct in distinct { steps.append(.distinct(distinct.paths)) }
    if !isSorted { steps.append(.sort(sortKeys)) }
    return steps + windowSteps
  }

  /// The plan steps of a query for values.
  var valueSteps: [PlanStep] {
    var steps =
      switch source {
      case .all, .linking: filtered(.nothing)
      case .collection(let collection): filtered(.collection(collection.kind.planName))
      case .query(let inner): filtered(.query(inner.valueSteps))
      }
    if !sortKeys.isEmpty { steps.append(.sort(sortKeys)) }
    for distinct in distinct { steps.append(.distinct(distinct.paths)) }
    return steps + windowSteps
  }

  private func filtered(_ source: PlanStep) -> [PlanStep] {
    condition.isAlways ? [source] : [source, .filter("\(condition)")]
  }

  private var windowSteps: [PlanStep] {
    limitClause.map { [.limit(offset: $0.offset, limit: $0.limit)] } ?? []
  }
}

extension CollectionKind {
  fileprivate var planName: String {
    switch self {
    case .list, .none: "list"
    case .dictionary: "map"
    case .set: "set"
    }
  }
}

extension QueryPlan {
  func steps(_ reader: any TableReader) -> [PlanStep] {
    var steps: [PlanStep] = []
    switch access {
    case .nothing: return [.nothing]
    case .table: steps.append(.scan(className: model.name, count: visitedCount))
    case .range(let range): steps.append(range.step(reader))
    }
    if !filter.isAlways { steps.append(.filter("\(filter)")) }
    return steps
  }
}

extension PlannedRange {
  func step(_ reader: any TableReader) -> PlanStep {
    let estimate = estimate(reader)
    switch self {
    case .index(let range, let name, let text):
      return .range(
        property: name, condition: text.text, isPrimaryKey: range.index.isPrimary,
        estimate: estimate)
    case .union(let union, let name, let text):
      return .range(
        property: name, condition: text.text, isPrimaryKey: union.index.isPrimary,
        estimate: estimate)
    case .words(_, _, let name, let text):
      return .range(property: name, condition: text.text, isPrimaryKey: false, estimate: estimate)
    case .keys(_, let name, let text), .objects(_, _, let name, let text):
      return .range(property: name, condition: text.text, isPrimaryKey: true, estimate: estimate)
    case .linking(let range):
      return .links(
        property: range.name, of: range.farPlan.steps(reader), estimate: estimate)
    case .any(let ranges):
      return .union(ranges.map { $0.step(reader) }, estimate: estimate)
    }
  }
}

extension PlanStep: CustomStringConvertible {
  package var description: String {
    switch self {
    case .nothing: "nothing"
    case .scan(let name, let count): "scan \(name) (\(count) objects)"
    case .range(let property, let condition, let isPrimaryKey, let estimate):
      "\(isPrimaryKey ? "primary key" : "index") \(property) \(condition) (about \(estimate))"
    case .union(let steps, let estimate):
      "union (about \(estimate)) of {\(steps.map(\.description).joined(separator: "; "))}"
    case .links(let property, let steps, let estimate):
      "links through \(property) (about \(estimate)) to {\(steps.map(\.description).joined(separator: "; "))}"
    case .collection(let name): "elements of the \(name)"
    case .query(let steps): "{\(steps.map(\.description).joined(separator: "; "))}"
    case .filter(let condition): "filter \(condition)"
    case .order(let property, let isAscending):
      "in the order of index \(property)\(isAscending ? "" : ", descending")"
    case .sort(let keys):
      "sort by "
        + keys.map { $0.path.joined(separator: ".") + ($0.isAscending ? "" : " descending") }
        .joined(separator: ", ")
    case .distinct(let paths):
      "distinct by " + paths.map { $0.joined(separator: ".") }.joined(separator: ", ")
    case .limit(let offset, let limit):
      "objects \(offset)..<"
        + (limit.map { "\(offset.addingReportingOverflow($0).overflow ? .max : offset + $0)" }
          ?? "end")
    }
  }
}
