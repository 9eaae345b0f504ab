import VarveCore
import VarveTestSupport

/// Generates conditions of every kind on the items of a world.
final class ConditionSource {
  static let equality: [Condition.Operation] = [.equal, .notEqual]
  static let orders: [Condition.Operation] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
  static let relations = equality + orders

  let className: String
  let items: [OracleObject]
  let parts: [OracleObject]
  /// Objects that no property links to: deleted, or of another class.
  let others: [OracleObject]
  var random: SeededRandom
  private(set) var conditions: [Condition] = []
  /// Numbers of all types, a null and values that are not numbers.
  private let numbers: [OracleValue] =
    OracleType.allCases.filter { $0.isNumber && $0 != .int8 && $0 != .int16 }
    .flatMap { OracleSamples.values(of: $0) } + [.null, .string("1"), .bool(true)]

  init(_ className: String, _ world: OracleWorld, _ random: SeededRandom) {
    self.className = className
    items = world.items[className] ?? []
    parts = world.parts
    others = world.deleted + world.strangers
    self.random = random
  }

  func add(
    _ left: QueryExpression, _ operation: Condition.Operation, _ right: QueryExpression,
    _ quantifier: Condition.Quantifier = .any, _ folding: TextFolding = []
  ) {
    conditions.append(
      .comparison(
        Condition.Comparison(left, operation, right, quantifier: quantifier, folding: folding)))
  }

  func add(_ condition: Condition) { conditions.append(condition) }

  /// The constants that values of a type are compared with; numbers are compared with numbers of
  /// all types.
  func constants(for type: OracleType) -> [OracleValue] {
    if type.isNumber { return numbers }
    let strange: [OracleValue] = [.null, type == .string ? .int(1) : .string("1")]
    return OracleSamples.values(of: type) + strange
  }

  func constant(for type: OracleType) -> QueryExpression {
    .constant(random.pick(constants(for: type)).constant)
  }

  static func relations(of type: OracleType) -> [Condition.Operation] {
    type.hasOrder ? relations : equality
  }
}

extension QueryExpression {
  static func path(_ names: String...) -> QueryExpression { .path(QueryPath(names)) }
  static func steps(_ steps: QueryPath.Step...) -> QueryExpression { .path(QueryPath(steps)) }
  static func constant(_ value: OracleValue) -> QueryExpression { .constant(value.constant) }
  static func constants(_ values: [OracleValue]) -> QueryExpression {
    .constants(values.map(\.constant))
  }
  static func aggregate(
    _ function: QueryAggregate.Function, _ steps: QueryPath.Step...
  ) -> QueryExpression {
    .aggregate(QueryAggregate(function, QueryPath(steps)))
  }
}
