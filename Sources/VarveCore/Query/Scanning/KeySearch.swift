import Foundation
import VarveEncoding

/// Converts a comparison with a constant of any type into bounds on the 64-bit keys of a field.
///
/// The values of a field ascend with their keys, so a comparison is true from some key on, or up to
/// some key. A binary search finds that key by evaluating the comparison itself, which is exact for
/// fractions, decimals and integers beyond 2^53. It takes a few evaluations if the bound is next to
/// the constant's own key, and 64 otherwise.
struct KeySearch: Sendable {
  /// The keys of all values of the field, excluding NaN and null.
  let keys: ClosedRange<UInt64>
  /// Returns the value with a key.
  let value: @Sendable (UInt64) -> Value

  /// The keys whose values satisfy a comparison.
  ///
  /// - Returns: The range, or nil if it is empty. For `notEqual`, the range outside of which the
  ///   comparison is true.
  func range(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    switch operation {
    case .less, .lessOrEqual: upTo(operation, constant)
    case .greater, .greaterOrEqual: from(operation, constant)
    case .equal, .notEqual: between(constant, constant)
    default: nil
    }
  }

  /// The keys of the values between two constants, both inclusive.
  func between(_ lower: Value, _ upper: Value) -> ClosedRange<UInt64>? {
    guard let low = from(.greaterOrEqual, lower), let high = upTo(.lessOrEqual, upper),
      low.lowerBound <= high.upperBound
    else { return nil }
    return low.lowerBound...high.upperBound
  }

  private func from(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    firstKey(near: constant) { value($0).compared(to: constant).satisfies(operation) }
      .map { $0...keys.upperBound }
  }

  private func upTo(_ operation: Condition.Operation, _ constant: Value) -> ClosedRange<UInt64>? {
    func matches(_ key: UInt64) -> Bool { value(key).compared(to: constant).satisfies(operation) }
    guard matches(keys.lowerBound) else { return nil }
    let end = firstKey(near: constant) { !matches($0) }
    return keys.lowerBound...(end.map { $0 - 1 } ?? keys.upperBound)
  }

  /// The lowest key from which on a monotonic test is true, or nil if it is never true.
  private func firstKey(near constant: Value, _ matches: (UInt64) -> Bool) -> UInt64? {
    var low = keys.lowerBound
    var high = keys.upperBound
    guard matches(high) else { return nil }
    for key in nearKeys(constant) where low <= key && key < high {
      if matches(key) { high = key } else { low = key + 1 }
    }
    while low < high {
      let middle = low + (high - low) / 2
      if matches(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }
}

extension KeySearch {
  /// The keys around the constant's own key, which are tried first. Negative and positive zero have
  /// separate keys.
  private func nearKeys(_ constant: Value) -> Range<UInt64> {
    guard let key = constant.sortBits, key > 1, key < .max - 1 else { return 0..<0 }
    return key - 2..<key + 2
  }

  /// The keys of integers: the numbers, offset to begin at 0.
  static let integers = KeySearch(keys: 0...UInt64.max) { .int(ObjectKey.integer(forObjectID: $0)) }

  /// The keys of links to objects of a class.
  static func links(toClass id: UInt32) -> KeySearch {
    KeySearch(keys: 0...UInt64.max) { .link(classID: id, objectID: $0) }
  }

  /// The keys of doubles and of floats. See ``OrderedDouble``.
  static let doubles = KeySearch(keys: numbers) { .double(double($0)) }

  static let dates = KeySearch(keys: numbers) { .date(Date(bits: double($0).bitPattern)) }

  private static let numbers =
    OrderedDouble.bits(-.infinity)...OrderedDouble.bits(.infinity)

  /// The double with a key. Here −0.0 has its own key, below the key of 0.
  static func double(_ key: UInt64) -> Double {
    Double(bitPattern: key >> 63 == 1 ? key & ~(1 << 63) : ~key)
  }
}
