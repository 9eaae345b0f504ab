import VarveEncoding
import VarveStorage

/// An expression bound to the schema of a file.
indirect enum BoundExpression: Sendable {
  case value(Value)
  case values([Value])
  /// A property of the object, or one reached through to-one links.
  case property(PropertyPath)
  /// Any other path, which may have many values.
  case path(BoundPath)
  case aggregate(QueryAggregate.Function, BoundPath, PropertyType)
  case matchCount(BoundPath, ConditionEvaluator)
  case arithmetic(QueryArithmetic, BoundExpression, BoundExpression)

  /// - Parameter model: The class of the objects, or nil for values.
  /// - Throws: `.unknownProperty` or `.invalidInput`.
  init(
    _ expression: QueryExpression, _ model: ClassDescription?, _ scope: ReadScope
  ) throws(Failure) {
    switch expression {
    case .constant(let constant): self = .value(constant.value(in: scope.store))
    case .constants(let constants): self = .values(constants.map { $0.value(in: scope.store) })
    case .path(let path):
      if let names = path.names, let model {
        self = .property(try PropertyPath(names, of: model, scope))
      } else {
        self = .path(try BoundPath(path, of: model, scope))
      }
    case .aggregate(let aggregate):
      let path = try BoundPath(aggregate.path, of: model, scope, entersEnd: true)
      self = .aggregate(aggregate.function, path, path.endType ?? .mixed)
    case .matchCount(let path, let condition):
      let bound = try BoundPath(path, of: model, scope)
      self = .matchCount(
        bound,
        try ConditionEvaluator(condition, on: bound.endModel, in: scope))
    case .arithmetic(let operation, let left, let right):
      self = .arithmetic(
        operation, try BoundExpression(left, model, scope),
        try BoundExpression(right, model, scope))
    case .region:
      throw Failure(.invalidInput, "A region is only valid with GEOWITHIN.")
    }
  }

  var isMany: Bool {
    if case .path(let path) = self { path.isMany } else { false }
  }

  /// The value of an expression with a single value.
  ///
  /// - Throws: `.corrupted` if stored bytes are damaged.
  func value(_ subject: QuerySubject, _ reader: any TableReader) throws(Failure) -> Value {
    switch self {
    case .value(let value): return value
    case .values: return .null
    case .property(let path):
      guard case .row(let row, let id) = subject else { return .null }
      return try path.value(of: row, id, reader)
    case .path(let path): return try path.value(subject, reader)
    case .aggregate(let function, let path, let type):
      return try Self.aggregate(function, path, type, subject, reader)
    case .matchCount(let path, let evaluator):
      var count: Int64 = 0
      try path.forEach(subject, reader) { (value, property) throws(Failure) in
        if try evaluator.matches(value, in: property) { count += 1 }
        return true
      }
      return .int(count)
    case .arithmetic(let operation, let left, let right):
      return operation.result(
        try left.value(subject, reader), try right.value(subject, reader))
    }
  }

  private static func aggregate(
    _ function: QueryAggregate.Function, _ path: BoundPath, _ type: PropertyType,
    _ subject: QuerySubject, _ reader: any TableReader
  ) throws(Failure) -> Value {
    switch function {
    case .count: return .int(Int64(try path.count(subject, reader)))
    case .min, .max:
      var extreme = ValueExtreme(function == .min ? .least : .greatest, of: type)
      try path.forEach(subject, reader) { value, _ in
        extreme.add(value)
        return true
      }
      return extreme.value ?? .null
    case .sum, .average:
      var sum = ValueSum()
      try path.forEach(subject, reader) { value, _ in
        if !value.isNaN { sum.add(value) }
        return true
      }
      if function == .sum { return sum.value(as: type.summed) }
      if type == .decimal128 { return sum.decimalAverage.map { .decimal($0) } ?? .null }
      return sum.average.map { .double($0) } ?? .null
    }
  }

  /// Calls `body` with each value until it returns false.
  @discardableResult
  func forEach(
    _ subject: QuerySubject, _ reader: any TableReader,
    _ body: (Value) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    switch self {
    case .path(let path):
      return try path.forEach(subject, reader) { (value, _) throws(Failure) in try body(value) }
    case .values(let values):
      for value in values {
        guard try body(value) else { return false }
      }
      return true
    default: return try body(try value(subject, reader))
    }
  }
}

extension PropertyType {
  /// The type of a sum in a condition. Integers of all widths are added as 64-bit integers.
  fileprivate var summed: PropertyType { isInteger ? .int64 : self }
}

extension QueryArithmetic {
  /// The result for two values, or null if it is undefined.
  func result(_ left: Value, _ right: Value) -> Value {
    switch (left, right) {
    case (.int(let a), .int(let b)): return integer(a, b)
    case (.decimal(let a), _):
      guard let b = right.asDecimal else { return .null }
      return decimal(a, b)
    case (_, .decimal(let b)):
      guard let a = left.asDecimal else { return .null }
      return decimal(a, b)
    default:
      guard let a = left.asDouble, let b = right.asDouble else { return .null }
      return double(a, b)
    }
  }

  private func integer(_ a: Int64, _ b: Int64) -> Value {
    let (result, overflow) =
      switch self {
      case .add: a.addingReportingOverflow(b)
      case .subtract: a.subtractingReportingOverflow(b)
      case .multiply: a.multipliedReportingOverflow(by: b)
      case .divide: a.dividedReportingOverflow(by: b)
      }
    return overflow ? .null : .int(result)
  }

  private func double(_ a: Double, _ b: Double) -> Value {
    switch self {
    case .add: .double(a + b)
    case .subtract: .double(a - b)
    case .multiply: .double(a * b)
    case .divide: b == 0 ? .null : .double(a / b)
    }
  }

  private func decimal(_ a: Decimal128Bits, _ b: Decimal128Bits) -> Value {
    switch self {
    case .add: .decimal(a + b)
    case .subtract: .decimal(a - b)
    case .multiply: .decimal(a * b)
    case .divide: b.order(.zero) == 0 ? .null : .decimal(a / b)
    }
  }
}

extension Value {
  fileprivate var asDecimal: Decimal128Bits? {
    switch self {
    case .int(let value): Decimal128Bits(value)
    case .float(let value): Decimal128Bits(shortest: Double(value))
    case .double(let value): Decimal128Bits(shortest: value)
    case .decimal(let value): value
    default: nil
    }
  }
}
