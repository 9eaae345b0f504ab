/// Decimal long arithmetic, rounded once to the 34 digits of a decimal, ties to even.
extension ExactNumber {
  static func + (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    if a.kind == .nan || b.kind == .nan { return .nan }
    if a.kind == .infinite {
      return b.kind == .infinite && a.isNegative != b.isNegative ? .nan : a
    }
    if b.kind == .infinite { return b }
    // Digits far below the kept ones affect rounding only by being nonzero, so thousands of zeros
    // between can be skipped.
    if !a.isZero, !b.isZero, abs(a.point - b.point) > 200 {
      let (great, small) = a.point > b.point ? (a, b) : (b, a)
      if small.point < great.exponent - 100 {
        let trace = ExactNumber(
          isNegative: small.isNegative, digits: [1], exponent: great.exponent - 100)
        return great + trace
      }
    }
    let exponent = min(a.exponent, b.exponent)
    let left = a.digits(from: exponent)
    let right = b.digits(from: exponent)
    if a.isNegative == b.isNegative {
      return ExactNumber(
        isNegative: a.isNegative, digits: LongDigits.sum(left, right), exponent: exponent
      ).rounded()
    }
    let isLess = LongDigits.isLess(left, right)
    return ExactNumber(
      isNegative: isLess ? b.isNegative : a.isNegative,
      digits: isLess ? LongDigits.difference(right, left) : LongDigits.difference(left, right),
      exponent: exponent
    ).rounded()
  }

  static func - (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    var negated = b
    negated.isNegative.toggle()
    return a + negated
  }

  static func * (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    if a.kind == .nan || b.kind == .nan { return .nan }
    let isNegative = a.isNegative != b.isNegative
    if a.kind == .infinite || b.kind == .infinite {
      return a.isZero || b.isZero ? .nan : .infinity(isNegative: isNegative)
    }
    return ExactNumber(
      isNegative: isNegative, digits: LongDigits.product(a.digits, b.digits),
      exponent: a.exponent + b.exponent
    ).rounded()
  }

  /// `b` is not zero.
  static func / (a: ExactNumber, b: ExactNumber) -> ExactNumber {
    if a.kind == .nan || b.kind == .nan { return .nan }
    let isNegative = a.isNegative != b.isNegative
    if a.kind == .infinite { return b.kind == .infinite ? .nan : .infinity(isNegative: isNegative) }
    if b.kind == .infinite || a.isZero {
      return ExactNumber(isNegative: isNegative, digits: [], exponent: 0)
    }
    // Enough zeros for a quotient of 40 digits.
    let zeros = max(0, 40 + b.digits.count - a.digits.count)
    var (digits, hasRest) = LongDigits.quotient(
      a.digits + Array(repeating: 0, count: zeros), b.digits)
    digits.append(hasRest ? 1 : 0)
    return ExactNumber(
      isNegative: isNegative, digits: digits, exponent: a.exponent - b.exponent - zeros - 1
    ).rounded()
  }

  /// The digits of the number as a multiple of a power of ten.
  private func digits(from exponent: Int) -> [UInt8] {
    digits + Array(repeating: 0, count: digits.isEmpty ? 0 : self.exponent - exponent)
  }

  /// The number rounded to the precision and range of a decimal.
  func rounded() -> ExactNumber {
    guard kind == .finite, !digits.isEmpty else { return self }
    let kept = min(34, point + 6176)
    var result = self
    if kept < digits.count {
      var digits = Array(self.digits.prefix(max(0, kept)))
      if kept >= 0, isRoundedUp(from: kept) { digits = LongDigits.sum(digits, [1]) }
      result = ExactNumber(
        isNegative: isNegative, digits: digits, exponent: point - max(0, kept))
    }
    return result.point > 6145 ? .infinity(isNegative: isNegative) : result
  }

  private func isRoundedUp(from index: Int) -> Bool {
    if digits[index] != 5 { return digits[index] > 5 }
    // There are no trailing zeros, so any digit that follows is nonzero.
    if digits.count > index + 1 { return true }
    return index > 0 && digits[index - 1] % 2 == 1
  }
}

/// Sums, products and quotients of digits, most significant digit first.
enum LongDigits {
  static func isLess(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    let a = Array(a.drop { $0 == 0 })
    let b = Array(b.drop { $0 == 0 })
    return a.count == b.count ? a.lexicographicallyPrecedes(b) : a.count < b.count
  }

  static func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var sum: [UInt8] = []
    var carry: UInt8 = 0
    for index in 1...max(a.count, b.count) + 1 {
      let digit =
        (index <= a.count ? a[a.count - index] : 0)
        + (index <= b.count ? b[b.count - index] : 0) + carry
      sum.append(digit % 10)
      carry = digit / 10
    }
    return sum.reversed()
  }

  /// `a` is not less than `b`.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var difference: [UInt8] = []
    var borrowed: UInt8 = 0
    for index in 1...max(a.count, b.count, 1) {
      let top = (index <= a.count ? a[a.count - index] : 0) + 10
      let digit = top - (index <= b.count ? b[b.count - index] : 0) - borrowed
      difference.append(digit % 10)
      borrowed = digit < 10 ? 1 : 0
    }
    return difference.reversed()
  }

  static func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
    var columns = [Int](repeating: 0, count: a.count + b.count + 1)
    for (i, x) in a.reversed().enumerated() {
      for (j, y) in b.reversed().enumerated() { columns[i + j] += Int(x) * Int(y) }
    }
    for index in 0..<columns.count - 1 {
      columns[index + 1] += columns[index] / 10
      columns[index] %= 10
    }
    return columns.reversed().map(UInt8.init)
  }

  static func quotient(_ a: [UInt8], _ b: [UInt8]) -> (digits: [UInt8], hasRest: Bool) {
    var digits: [UInt8] = []
    var rest: [UInt8] = []
    for digit in a {
      rest.append(digit)
      var times: UInt8 = 0
      while !isLess(rest, b) {
        rest = Array(difference(rest, b).drop { $0 == 0 })
        times += 1
      }
      digits.append(times)
    }
    return (digits, rest.contains { $0 != 0 })
  }
}
