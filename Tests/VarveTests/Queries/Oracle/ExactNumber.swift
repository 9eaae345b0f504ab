import Foundation
import VarveEncoding

/// A number as its decimal digits, of which every integer, double and decimal has finitely many:
/// the reference for the library's exact comparisons.
struct ExactNumber {
  enum Kind { case finite, infinite, nan }

  var kind = Kind.finite
  var isNegative = false
  /// Without leading or trailing zeros; empty for zero. The value is 0.d₁d₂d₃… · 10^point.
  private(set) var digits: [UInt8] = []
  private(set) var point = 0

  static let nan = ExactNumber(kind: .nan)
  static func infinity(isNegative: Bool) -> ExactNumber {
    ExactNumber(kind: .infinite, isNegative: isNegative)
  }

  private init(kind: Kind, isNegative: Bool = false) {
    self.kind = kind
    self.isNegative = isNegative
  }

  /// An integer given by its digits, times ten to the power of `exponent`.
  init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    self.isNegative = isNegative
    let zeros = digits.prefix { $0 == 0 }.count
    self.digits = Array(digits[zeros...])
    point = self.digits.count + exponent
    while self.digits.last == 0 { self.digits.removeLast() }
    if self.digits.isEmpty { point = 0 }
  }

  init(_ integer: Int64) { self.init(text: "\(integer)") }

  /// The exact value: a double has at most 767 digits.
  init(_ double: Double) {
    guard double.isFinite else {
      self = double.isNaN ? .nan : .infinity(isNegative: double < 0)
      return
    }
    // Fewer digits suffice near one: 1 + 52 binary places, and the exponent.
    let isNear = double == 0 || (0x1p-60...0x1p60).contains(double.magnitude)
    var text = [CChar](repeating: 0, count: 1024)
    _ = withVaList([double]) {
      vsnprintf(&text, text.count, isNear ? "%.130e" : "%.800e", $0)
    }
    self.init(text: String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self))
  }

  /// The value of the shortest decimal text that reads back as the double.
  init(shortest double: Double) {
    self = double.isFinite ? ExactNumber(text: "\(double)") : ExactNumber(double)
  }

  init(_ decimal: Decimal128Bits) { self.init(text: decimal.description) }

  /// Reads `-12.5e+3`, `NaN`, `Inf` and `-Inf`.
  init(text: String) {
    var bytes = Array(text.utf8)[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes.removeFirst() }
    if bytes.first == UInt8(ascii: "N") { self = .nan; return }
    if bytes.first == UInt8(ascii: "I") { self = .infinity(isNegative: isNegative); return }
    var digits: [UInt8] = []
    var exponent = 0
    var isFraction = false
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: ".") {
        isFraction = true
      } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
        exponent += Int(String(decoding: bytes, as: UTF8.self)) ?? 0
        break
      } else {
        digits.append(byte - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      }
    }
    self.init(isNegative: isNegative, digits: digits, exponent: exponent)
  }

  var isZero: Bool { kind == .finite && digits.isEmpty }

  /// The power of ten of the last digit.
  var exponent: Int { point - digits.count }

  /// The nearest double.
  var double: Double {
    switch kind {
    case .nan: return .nan
    case .infinite: return isNegative ? -.infinity : .infinity
    case .finite:
      let text = digits.isEmpty ? "0" : digits.map { "\($0)" }.joined()
      return strtod("\(isNegative ? "-" : "")0.\(text)e\(point)", nil)
    }
  }
}

extension ExactNumber {
  /// -1, 0 or 1; nil with NaN.
  func order(_ other: ExactNumber) -> Int? {
    if kind == .nan || other.kind == .nan { return nil }
    if isZero && other.isZero { return 0 }
    if isZero { return other.isNegative ? 1 : -1 }
    if other.isZero { return isNegative ? -1 : 1 }
    if isNegative != other.isNegative { return isNegative ? -1 : 1 }
    return isNegative ? other.magnitudeOrder(self) : magnitudeOrder(other)
  }

  private func magnitudeOrder(_ other: ExactNumber) -> Int {
    if kind == .infinite || other.kind == .infinite {
      return kind == other.kind ? 0 : kind == .infinite ? 1 : -1
    }
    if point != other.point { return point < other.point ? -1 : 1 }
    for (a, b) in zip(digits, other.digits) where a != b { return a < b ? -1 : 1 }
    return digits.count == other.digits.count ? 0 : digits.count < other.digits.count ? -1 : 1
  }
}
