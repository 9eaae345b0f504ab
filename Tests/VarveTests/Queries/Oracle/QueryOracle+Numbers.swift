import VarveCore

extension QueryOracle {
  func value(of aggregate: QueryAggregate, _ subject: OracleValue) -> OracleValue {
    var path = aggregate.path
    if OraclePath.endsInCollection(path) { path = path.appending(.elements) }
    let all = values(path, subject)
    let numbers = all.compactMap(\.number).filter { !$0.isNaN }
    let isMixed = OraclePath.isMixed(path)
    switch aggregate.function {
    case .count: return .int(Int64(all.count))
    case .min: return extreme(all, isMixed) { $0 < 0 }
    case .max: return extreme(all, isMixed) { $0 > 0 }
    case .sum: return sum(numbers, isMixed)
    case .average:
      guard !numbers.isEmpty else { return .null }
      guard numbers.contains(where: { $0.kind == .decimal }) else {
        return .double(doubleSum(numbers) / Double(numbers.count))
      }
      let average = decimalSum(numbers) / ExactNumber(Int64(numbers.count))
      return isMixed ? .double(average.double) : .number(OracleNumber(decimal: average))
    }
  }

  private func extreme(
    _ values: [OracleValue], _ isMixed: Bool, _ isBetter: (Int) -> Bool
  ) -> OracleValue {
    var best: OracleValue?
    for value in values {
      switch value {
      case .number(let number) where !number.isNaN: break
      case .date(let seconds) where !isMixed && !seconds.isNaN: break
      default: continue
      }
      guard let found = best else { best = value; continue }
      if let order = value.order(found), isBetter(order) { best = value }
    }
    return best ?? .null
  }

  private func sum(_ numbers: [OracleNumber], _ isMixed: Bool) -> OracleValue {
    if numbers.contains(where: { $0.kind == .decimal }) {
      return .number(OracleNumber(decimal: decimalSum(numbers)))
    }
    if numbers.allSatisfy({ $0.kind == .int }) {
      return .int(numbers.reduce(0) { $0 &+ $1.integer })
    }
    let sum = doubleSum(numbers)
    return !isMixed && numbers[0].kind == .float ? .float(Float(sum)) : .double(sum)
  }

  /// The exact sum of the integers, and the sum of floats and doubles added in order.
  private func doubleSum(_ numbers: [OracleNumber]) -> Double {
    let integers = numbers.filter { $0.kind == .int }.reduce(Int128(0)) { $0 + Int128($1.integer) }
    return Double(integers) + numbers.filter { $0.kind != .int }.reduce(0) { $0 + $1.double }
  }

  /// The sum of the decimals, and of the other numbers converted by way of doubles.
  private func decimalSum(_ numbers: [OracleNumber]) -> ExactNumber {
    var sum: ExactNumber?
    for number in numbers where number.kind == .decimal {
      sum = sum.map { $0 + number.exact } ?? number.exact
    }
    let others = doubleSum(numbers.filter { $0.kind != .decimal })
    let decimals = sum ?? ExactNumber(Int64(0))
    return others == 0 ? decimals : decimals + ExactNumber(shortest: others)
  }
}

extension OracleNumber {
  /// The result of arithmetic.
  func combined(_ operation: QueryArithmetic, _ other: OracleNumber) -> OracleValue {
    if operation == .divide, other.exact.isZero { return .null }
    if kind == .int, other.kind == .int {
      return OracleNumber.integer(operation, Int128(integer), Int128(other.integer))
    }
    if kind == .decimal || other.kind == .decimal {
      let (a, b) = (decimal, other.decimal)
      let result =
        switch operation {
        case .add: a + b
        case .subtract: a - b
        case .multiply: a * b
        case .divide: a / b
        }
      return .number(OracleNumber(decimal: result))
    }
    return switch operation {
    case .add: .double(double + other.double)
    case .subtract: .double(double - other.double)
    case .multiply: .double(double * other.double)
    case .divide: .double(double / other.double)
    }
  }

  private static func integer(
    _ operation: QueryArithmetic, _ a: Int128, _ b: Int128
  ) -> OracleValue {
    let result =
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      }
    return Int64(exactly: result).map { .int($0) } ?? .null
  }
}
