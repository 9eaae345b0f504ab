/// The position of a number of any type among the integers.
package struct IntegerEdges: Hashable, Sendable {
  /// The least integer that is not less than the number; nil if all are less.
  package let lower: Int64?
  /// The least integer that is greater than the number; nil if none is.
  package let upper: Int64?

  /// - Returns: nil for NaN, and for a value that is not a number.
  package init?(_ constant: Value) {
    switch constant {
    case .int(let value): self.init(floor: value, isExact: true)
    case .float(let value): self.init(Double(value))
    case .double(let value): self.init(value)
    case .decimal(let value): self.init(value)
    default: return nil
    }
  }

  /// Creates the edges of a number from its floor; nil means a number below all integers.
  private init(floor: Int64?, isExact: Bool) {
    guard let floor else {
      lower = .min
      upper = .min
      return
    }
    upper = floor == .max ? nil : floor + 1
    lower = isExact ? floor : upper
  }

  private init?(_ double: Double) {
    if double.isNaN { return nil }
    if double >= 0x1p63 {
      self.init(floor: .max, isExact: false)
    } else if double < -0x1p63 {
      self.init(floor: nil, isExact: false)
    } else {
      let whole = double.rounded(.down)
      self.init(floor: Int64(whole), isExact: whole == double)
    }
  }

  private init?(_ decimal: Decimal128Bits) {
    if decimal.isNaN { return nil }
    if decimal.order(Decimal128Bits(Int64.min)) == -1 {
      self.init(floor: nil, isExact: false)
      return
    }
    // The greatest integer that is not above it, found by 64 comparisons.
    var floor = Int64.min
    for bit in (0..<64).reversed() {
      // The common upper bits of the next integers, in unsigned order.
      let next = Int64(bitPattern: UInt64(bitPattern: floor) &+ 1 << bit)
      if next > floor, decimal.order(Decimal128Bits(next)) != -1 { floor = next }
    }
    self.init(floor: floor, isExact: decimal.order(Decimal128Bits(floor)) == 0)
  }
}
