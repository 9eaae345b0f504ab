import VarveEncoding
import VarveStorage

extension OrderedKey {
  /// Calls `body` with the range of the keys from this one up to, but not including, `upper`. The
  /// range has no end if `upper` is nil.
  func withRange<R, E: Error>(
    below upper: OrderedKey?, _ body: (KeyRange) throws(E) -> R
  ) throws(E) -> R {
    try withUnsafeBytes { (lower) throws(E) -> R in
      guard let upper else { return try body(.keys(from: lower, below: nil)) }
      return try upper.withUnsafeBytes { (upper) throws(E) -> R in
        try body(.keys(from: lower, below: upper))
      }
    }
  }

  /// Calls `body` with the range of the keys that begin with this one.
  func withPrefixRange<R, E: Error>(_ body: (KeyRange) throws(E) -> R) throws(E) -> R {
    try withRange(below: afterAllWithPrefix(), body)
  }
}
