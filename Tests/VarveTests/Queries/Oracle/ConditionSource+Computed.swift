import VarveCore
import VarveTestSupport

/// Aggregates, subqueries, arithmetic, and compound conditions.
extension ConditionSource {
  func addAggregates() {
    let functions = QueryAggregate.Function.allCases
    for type in OracleType.allCases {
      for kind in ["List", "Set", "Map"] {
        let step = QueryPath.Step.property(type.rawValue + kind)
        for function in functions {
          let isOfNumbers = type.isNumber || type == .mixed
          let isExtreme = function == .min || function == .max
          guard function == .count || isOfNumbers || (isExtreme && type == .date) else { continue }
          let constant: QueryExpression =
            function == .count
            ? .constant(.int(Int64(random.below(5))))
            : .constant(
              random.pick(constants(for: type == .date ? .date : .decimal)))
          for operation in [
            random.pick(ConditionSource.equality), random.pick(ConditionSource.orders),
          ] {
            add(.aggregate(function, step, .elements), operation, constant)
            add(.aggregate(function, step), operation, constant)
          }
          add(.aggregate(function, step), .equal, .constant(.null))
          add(.aggregate(function, step), .equal, .constant(.int(0)))
          if isOfNumbers { add(.aggregate(function, step), .lessOrEqual, .path("doubleOrNull")) }
          if isExtreme, isOfNumbers, kind == "List" {
            add(.aggregate(function, step), .equal, .steps(step, .element(.first)))
          }
        }
      }
    }
    let paths: [[QueryPath.Step]] = [
      [.property("partList"), .elements, .property("number")],
      [.property("partSet"), .elements, .property("number")],
      [.property("partMap"), .elements, .property("number")],
      [.property("partList"), .elements, .property("ratio")],
      [.property("partList"), .elements, .property("scores"), .elements],
      [.property("part"), .property("scores")],
      [.property("next"), .property("intList")],
      [.property("previous"), .elements, .property("int32")],
      [.links(className: className, property: "next"), .property("int8OrNull")],
      [.property("mixed"), .elements],
    ]
    for path in paths {
      for function in functions {
        let aggregate = QueryExpression.aggregate(QueryAggregate(function, QueryPath(path)))
        for operation in ConditionSource.relations {
          add(
            aggregate, operation,
            .constant(random.pick([.int(0), .int(1), .int(42), .double(0.5), .null])))
        }
        add(aggregate, .greater, .aggregate(.min, .property("intList")))
        add(aggregate, .notEqual, .aggregate(.count, .property("partList")))
      }
    }
    for path in [["previous"], ["part", "tags"], ["next", "partList"], ["partSet"], ["partMap"]] {
      for count in 0..<4 {
        add(
          .aggregate(QueryAggregate(.count, QueryPath(path))),
          random.pick(ConditionSource.relations),
          .constant(.int(Int64(count))))
      }
    }
  }

  func addSubqueries() {
    let paths: [QueryPath] = [
      QueryPath([.property("partList"), .elements]), QueryPath([.property("partSet"), .elements]),
      QueryPath([.property("partMap"), .elements]),
      QueryPath([.property("next"), .property("partList"), .elements]),
      QueryPath([.property("partList"), .elements, .property("other")]),
    ]
    for path in paths {
      for _ in 0..<12 {
        var condition = partCondition
        if random.oneIn(2) { condition = .not(condition) }
        if random.oneIn(3) { condition = .or(condition, partCondition) }
        let count = QueryExpression.matchCount(path, condition)
        add(count, random.pick(ConditionSource.relations), .constant(.int(Int64(random.below(3)))))
        if random.oneIn(3) { add(count, .less, .aggregate(.count, .property("partList"))) }
        if random.oneIn(4) { add(count, .equal, .path("int8")) }
      }
    }
    let previous = QueryPath([.property("previous"), .elements])
    for operation in ConditionSource.relations {
      let inner = Condition.comparison(
        Condition.Comparison(.path("intOrNull"), operation, .constant(.int(0))))
      add(.matchCount(previous, inner), .greater, .constant(.int(0)))
      // A nested subquery.
      add(
        .matchCount(
          previous,
          .comparison(
            Condition.Comparison(
              .matchCount(QueryPath([.property("partList"), .elements]), partCondition),
              operation, .constant(.int(1))))),
        .notEqual, .constant(.int(0)))
    }
  }

  /// A condition on a part.
  private var partCondition: Condition {
    let choices: [(QueryExpression, OracleType)] = [
      (.path("number"), .int), (.path("name"), .string), (.path("ratio"), .double),
      (.path("value"), .mixed), (.path("other", "number"), .int),
      (.steps(.property("tags"), .elements), .string),
      (.aggregate(.count, .property("tags")), .int),
    ]
    let (left, type) = random.pick(choices)
    return .comparison(
      Condition.Comparison(
        left, random.pick(ConditionSource.relations(of: type)), constant(for: type),
        quantifier: left.isMany ? random.pick(ConditionSource.quantifiers) : .any))
  }

  func addArithmetic() {
    let names =
      OracleType.allCases.filter(\.isNumber).flatMap { [$0.rawValue, $0.rawValue + "OrNull"] }
      + ["mixed"]
    for operation in QueryArithmetic.allCases {
      for _ in 0..<70 {
        let left = random.pick(names)
        var right: QueryExpression = .path(random.pick(names))
        if random.oneIn(2) { right = constant(for: .int) }
        let result: QueryExpression =
          random.oneIn(4)
          ? .arithmetic(operation, right, .path(left)) : .arithmetic(operation, .path(left), right)
        add(result, random.pick(ConditionSource.relations), constant(for: .int))
        add(result, .equal, random.oneIn(2) ? .constant(.null) : .path(random.pick(names)))
        let nested = QueryExpression.arithmetic(
          random.pick(QueryArithmetic.allCases), result, .path(random.pick(names)))
        add(nested, random.pick(ConditionSource.orders), .constant(.int(0)))
      }
    }
    add(
      .arithmetic(
        .divide, .aggregate(.sum, .property("intList")), .aggregate(.count, .property("intList"))),
      .equal, .aggregate(.average, .property("intList")))
    add(.arithmetic(.add, .path("next", "int8"), .path("int8")), .greater, .constant(.int(0)))
    add(.arithmetic(.subtract, .path("string"), .path("int")), .equal, .constant(.null))
  }

  /// Trees of the conditions added before.
  func addTrees(_ count: Int) {
    let leaves = conditions
    for _ in 0..<count { add(tree(leaves, depth: random.int(1...6))) }
  }

  private func tree(_ leaves: [Condition], depth: Int) -> Condition {
    if depth == 0 || random.oneIn(6) {
      return random.oneIn(30) ? random.pick([.always, .never]) : random.pick(leaves)
    }
    let left = tree(leaves, depth: depth - 1)
    switch random.below(7) {
    case 0: return .not(left)
    case 1: return .same(left, tree(leaves, depth: depth - 1))
    case 2, 3, 4: return .or(left, tree(leaves, depth: depth - 1))
    default: return .and(left, tree(leaves, depth: depth - 1))
    }
  }
}
