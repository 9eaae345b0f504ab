/// Doubles mapped to integers with the same order, unsigned.
@usableFromInline
package enum OrderedDouble {
  /// Returns the ordered bits of a Double: -0.0 gives those of 0.0, every NaN gives 0, below all
  /// numbers.
  @inlinable
  package static func bits(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    let bits = value == 0 ? 0 : value.bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Returns the greatest Double that is not above the integer.
  package static func floor(_ value: Int64) -> Double {
    let nearest = Double(value)
    // Rounding may have gone up, at the top even beyond Int64's range.
    if let back = Int64(exactly: nearest), back <= value { return nearest }
    return nearest.nextDown
  }
}
