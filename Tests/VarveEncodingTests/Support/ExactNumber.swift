/// An exact number of any size: ± digits × 10^exponent. The oracle for decimal arithmetic,
/// comparisons and keys.
struct ExactNumber: Equatable, CustomStringConvertible {
  var isNegative: Bool
  /// The digits from the highest to the lowest, without leading or trailing zeros. Empty for 0.
  var digits: [Int]
  var exponent: Int

  init(isNegative: Bool, digits: [Int], exponent: Int) {
    var digits = Array(digits.drop { $0 == 0 })
    var exponent = exponent
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    self.isNegative = isNegative && !digits.isEmpty
    self.digits = digits
    self.exponent = digits.isEmpty ? 0 : exponent
  }

  /// Parses a text such as `-12.50E+3`. Returns nil when it is not a number.
  init?(_ text: String) {
    let parts = text.lowercased().split(separator: "e")
    guard let first = parts.first, parts.count <= 2, first.contains(where: \.isNumber),
      let exponent = parts.count == 2 ? Int(parts[1]) : 0
    else { return nil }
    let number = first.split(separator: ".", omittingEmptySubsequences: false)
    self.init(
      isNegative: text.hasPrefix("-"), digits: first.compactMap(\.wholeNumberValue),
      exponent: exponent - (number.count == 2 ? number[1].count : 0))
  }

  init(_ value: Int64) {
    self.init(
      isNegative: value < 0, digits: "\(value)".compactMap(\.wholeNumberValue), exponent: 0)
  }

  /// The exact value of a finite Double.
  init(_ value: Double) {
    var number = ExactNumber(Int64(value.magnitude.significand * 0x1p52))
    let binary = value == 0 ? 0 : Int(value.exponent) - 52
    for _ in 0..<binary.magnitude {
      number.digits = ExactNumber.product(number.digits, binary > 0 ? 2 : 5)
      if binary < 0 { number.exponent -= 1 }
    }
    self.init(isNegative: value < 0, digits: number.digits, exponent: number.exponent)
  }

  var description: String {
    "\(isNegative ? "-" : "")\(digits.map(String.init).joined())E\(exponent)"
  }

  /// The exponent of the number written as 0.d₁d₂… × 10^start.
  private var start: Int { exponent + digits.count }

  static func product(_ digits: [Int], _ factor: Int) -> [Int] {
    var result: [Int] = []
    var carry = 0
    for digit in digits.reversed() {
      carry += digit * factor
      result.append(carry % 10)
      carry /= 10
    }
    while carry > 0 {
      result.append(carry % 10)
      carry /= 10
    }
    return result.reversed()
  }

  /// Returns -1, 0 or 1.
  func order(_ other: ExactNumber) -> Int {
    if digits.isEmpty || other.digits.isEmpty || isNegative != other.isNegative {
      let signs = [self, other].map { $0.digits.isEmpty ? 0 : $0.isNegative ? -1 : 1 }
      return (signs[0] - signs[1]).signum()
    }
    let sign = isNegative ? -1 : 1
    if start != other.start { return start < other.start ? -sign : sign }
    if digits == other.digits { return 0 }
    return digits.lexicographicallyPrecedes(other.digits) ? -sign : sign
  }

  static func * (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    var columns = [Int](repeating: 0, count: a.digits.count + b.digits.count)
    for (i, x) in a.digits.reversed().enumerated() {
      for (j, y) in b.digits.reversed().enumerated() { columns[i + j] += x * y }
    }
    return ExactNumber(
      isNegative: a.isNegative != b.isNegative, digits: carried(columns),
      exponent: a.exponent + b.exponent)
  }

  static func + (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    let exponent = min(a.exponent, b.exponent)
    var columns = [Int](repeating: 0, count: max(a.start, b.start, exponent) - exponent + 1)
    for number in [a, b] {
      for (index, digit) in number.digits.reversed().enumerated() {
        columns[index + number.exponent - exponent] += number.isNegative ? -digit : digit
      }
    }
    let digits = carried(columns)
    if digits.first == -1 {
      return ExactNumber(isNegative: true, digits: carried(columns.map { -$0 }), exponent: exponent)
    }
    return ExactNumber(isNegative: false, digits: digits, exponent: exponent)
  }

  /// The digits of columns that start at the lowest. They begin with -1 if the number is negative.
  private static func carried(_ columns: [Int]) -> [Int] {
    var digits: [Int] = []
    var carry = 0
    for column in columns {
      let sum = column + carry
      let digit = ((sum % 10) + 10) % 10
      digits.append(digit)
      carry = (sum - digit) / 10
    }
    while carry > 0 {
      digits.append(carry % 10)
      carry /= 10
    }
    if carry < 0 { digits.append(-1) }
    return digits.reversed()
  }

  /// The first digits of a quotient, followed by a 1 when the rest is not zero.
  static func quotient(_ a: ExactNumber, _ b: ExactNumber) -> ExactNumber {
    var digits: [Int] = []
    var rest = ExactNumber(isNegative: false, digits: a.digits, exponent: 0)
    let divisor = ExactNumber(isNegative: false, digits: b.digits, exponent: 0)
    var unit = ExactNumber(isNegative: false, digits: [1], exponent: a.digits.count)
    for _ in 0..<120 {
      var digit = 0
      let part = divisor * unit
      while rest.order(part) >= 0 {
        var negative = part
        negative.isNegative = true
        rest = rest + negative
        digit += 1
      }
      digits.append(digit)
      unit.exponent -= 1
    }
    if !rest.digits.isEmpty { digits.append(1) }
    return ExactNumber(
      isNegative: a.isNegative != b.isNegative, digits: digits,
      exponent: unit.exponent + 1 - (rest.digits.isEmpty ? 0 : 1) + a.exponent - b.exponent)
  }

  /// The nearest decimal128: 34 digits, ties to even, no digit below 10^-6176; nil when it would be
  /// too large.
  var rounded: ExactNumber? {
    let dropped = max(digits.count - 34, -6176 - exponent, 0)
    var result = self
    if dropped > 0 {
      let padded = [Int](repeating: 0, count: max(0, dropped - digits.count)) + digits
      let kept = Array(padded.dropLast(dropped))
      let rest = padded.suffix(dropped)
      let isHalf = rest.first == 5 && rest.dropFirst().allSatisfy { $0 == 0 }
      let isUp = isHalf ? (kept.last ?? 0) % 2 == 1 : (rest.first ?? 0) >= 5
      let whole = ExactNumber(isNegative: false, digits: kept, exponent: 0)
      let sum = isUp ? whole + ExactNumber(1 as Int64) : whole
      result = ExactNumber(
        isNegative: isNegative, digits: sum.digits, exponent: sum.exponent + exponent + dropped)
    }
    return result.start > 6145 ? nil : result
  }
}
